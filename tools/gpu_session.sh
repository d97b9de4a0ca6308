#!/bin/bash
# Everything that wants a card, in one command and without a network: builds the core, checks the card, runs the tests
# and NVIDIA's compute-sanitizer, measures. Each part has a limit, and the next follows after a failure; the table at the
# end says which failed. Run tools/gpu_prepare.sh before, where there is a network. Usage: tools/gpu_session.sh FOLDER [PART...]
# with the parts build check tests suite sanitizer benchmark large cut; all but the last two without arguments.
set -u
cd "$(dirname "$0")/.."
out=$1
shift
parts=${*:-build check tests suite sanitizer benchmark}
mkdir -p "$out"
export PYTHONPATH="$PWD/src:$PWD/build/gpu-packages" PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 QNML_TEST_CARD=gpu
python=${PYTHON:-python3}
table=$out/summary.txt
: >"$table"
failed=0

# NAME SECONDS COMMAND...
part() {
    name=$1 limit=$2
    shift 2
    begin=$(date +%s)
    timeout "$limit" "$@" >"$out/$name.log" 2>&1
    status=$?
    [ $status = 0 ] || failed=1
    printf '%-22s %s, %s s: %s\n' "$name" "$([ $status = 0 ] && echo passed || echo "FAILED ($status)")" \
        "$(($(date +%s) - begin))" "$(tail -n 1 "$out/$name.log" | cut -c 1-120)" | tee -a "$table"
}

{
    date -u
    nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
    "$python" -c 'import cupy, numpy, sys; print("Python", sys.version.split()[0], "NumPy", numpy.__version__, "CuPy", cupy.__version__)'
    git rev-parse --short HEAD 2>/dev/null
    nproc
} >"$out/machine.txt" 2>&1
cat "$out/machine.txt"

build() {
    "$python" -c 'import qnml._core' 2>/dev/null && return
    cmake -S . -B build/gpu -G Ninja -DCMAKE_BUILD_TYPE=Release -DPython_EXECUTABLE="$(command -v "$python")" &&
        cmake --build build/gpu && cp build/gpu/_core*.so src/qnml/ && "$python" -c 'import qnml._core'
}
check="import qnml.gpu as g; c = g.open_card(); g.check_runtime(c, %s); print('the answers of', c.name, 'are those of the CPU')"
# A warning of CuPy is no failure of ours.
pytest="$python -m pytest -q -p no:cacheprovider -W default"
for one in $parts; do
    case $one in
    build) export -f build && export python && part build 300 bash -c build ;;
    check) part check 120 "$python" -c "${check/\%s/15}" ;;
    tests) part tests 200 $pytest tests/gpu ;;
    # Several processes share the card.
    suite) part suite 300 $pytest -n 8 tests/search/exact/test_exact_against_brute_force.py \
        tests/search/exact/test_exact_ties.py tests/search/exact/test_exact_invariance.py ;;
    sanitizer)
        for tool in memcheck racecheck initcheck synccheck; do
            part "$tool" 100 compute-sanitizer --tool $tool --error-exitcode 9 "$python" -c "${check/\%s/14}"
        done
        ;;
    benchmark) part benchmark 300 "$python" benchmarks/gpu.py --sizes 20,25,28,30 --cpu 20,25,28 --json "$out/runs.jsonl" ;;
    # In slices: the values do not fit at once.
    cut) part cut 590 "$python" benchmarks/gpu.py --sizes 34 --cpu "" --json "$out/cut.jsonl" ;;
    large) part large 560 "$python" benchmarks/gpu.py --sizes 30,32,33 --cpu 30 --json "$out/large.jsonl" ;;
    *) echo "no part is called $one" >&2 && exit 2 ;;
    esac
done
cat "$out"/benchmark.log "$out"/large.log "$out"/cut.log 2>/dev/null
cat "$table"
exit $failed
