#!/bin/sh
# Builds the Python module with the address and undefined-behaviour sanitizers, separately from the installed one, and
# writes FOLDER/run, which starts Python with it. Usage: sanitized.sh PYTHON FOLDER
set -eu

python=$1
folder=$2
compiler=${CXX:-c++}

# An interpreter built without the sanitizer must load the sanitizer's library first, and also the C++ library, or the
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

# The package consists of links to the sources, and the module itself.
rm -rf "$folder/package/qnml"
mkdir "$folder/package/qnml"
for file in "$PWD"/src/qnml/*; do
    case $file in
    *.so | *.pyd | */__pycache__) ;;
    *) ln -s "$file" "$folder/package/qnml/" ;;
    esac
done
ln -s "$folder"/build/_core*.so "$folder/package/qnml/"

# An environment that uses the installed packages, but not the editable install, which would find the other module.
test -x "$folder/venv/bin/python" || "$python" -m venv --without-pip "$folder/venv"
"$folder/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))' >"$folder/purelib.txt"
{
    echo "$folder/package"
    "$python" -c 'import sys; print(*(p for p in sys.path if p.endswith("site-packages")), sep="\n")'
} >"$(cat "$folder/purelib.txt")/sanitized.pth"

# Leaks are not checked: an interpreter never frees all its memory.
cat >"$folder/run" <<END
#!/bin/sh
export LD_PRELOAD="$asan $cxx"
export ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1:\${ASAN_OPTIONS:-}"
export UBSAN_OPTIONS="print_stacktrace=1:\${UBSAN_OPTIONS:-}"
exec "$folder/venv/bin/python" "\$@"
END
chmod +x "$folder/run"
