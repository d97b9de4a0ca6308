#!/bin/sh
# Builds the Python module with the address and undefined-behaviour sanitizers, beside the one in use, and writes
# FOLDER/run, which starts Python with it. Usage: sanitized.sh PYTHON FOLDER
set -eu

python=$1
folder=$2
compiler=${CXX:-c++}

# An interpreter built without the sanitizer has to load its library first; so must the C++ library, or the
# sanitizer does not find where exceptions are thrown.
asan=$("$compiler" -print-file-name=libasan.so)
cxx=$("$compiler" -print-file-name=libstdc++.so)
case $asan in
/*) ;;
*)
    echo "The sanitizer build needs GCC with libasan; '$compiler' has none. Name one with 'make CXX=g++ sanitize'." >&2
    exit 1
    ;;
esac

mkdir -p "$folder/package/qnml"
folder=$(cd "$folder" && pwd)
PATH=$("$python" -c 'import sysconfig; print(sysconfig.get_path("scripts"))'):$PATH
cmake -S . -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DQNML_SANITIZE=ON \
    -DPython_EXECUTABLE="$("$python" -c 'import sys; print(sys.executable)')" >/dev/null
cmake --build "$folder/build"

# The package is the sources with the module beside them, all of it links but that.
rm -rf "$folder/package/qnml"
mkdir "$folder/package/qnml"
for file in "$PWD"/src/qnml/*; do
    case $file in
    *.so | *.pyd | */__pycache__) ;;
    *) ln -s "$file" "$folder/package/qnml/" ;;
    esac
done
ln -s "$folder"/build/_core*.so "$folder/package/qnml/"

# An environment that borrows the packages, but not the editable install, which would find the other module.
test -x "$folder/venv/bin/python" || "$python" -m venv --without-pip "$folder/venv"
"$folder/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' >"$folder/purelib.txt"
{
    echo "$folder/package"
    "$python" -c 'import sys; print(*(p for p in sys.path if p.endswith("site-packages")), sep="\n")'
} >"$(cat "$folder/purelib.txt")/sanitized.pth"

# Leaks are not looked for: an interpreter never gives everything back.
cat >"$folder/run" <<END
#!/bin/sh
export LD_PRELOAD="$asan $cxx"
export ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1:\${ASAN_OPTIONS:-}"
export UBSAN_OPTIONS="print_stacktrace=1:\${UBSAN_OPTIONS:-}"
exec "$folder/venv/bin/python" "\$@"
END
chmod +x "$folder/run"
