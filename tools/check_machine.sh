#!/bin/sh
# Reports what is missing on this machine to build qnml. Usage: check_machine.sh PYTHON
set -eu

python=${1:-python3}
compiler=${CXX:-c++}
lacking=0

lacks() {
    echo "qnml cannot be built here: $1" >&2
    lacking=1
}

if ! command -v "$python" >/dev/null 2>&1; then
    lacks "there is no '$python'. Install Python 3.11 or newer, or name one with 'make PYTHON=/path/to/python ...'."
elif ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    lacks "'$python' is $("$python" --version 2>&1), and Python 3.11 or newer is needed. Name another with 'make PYTHON=/path/to/python ...'."
else
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        lacks "'$python' has no venv module. Install it (on Debian and Ubuntu: apt install python3-venv)."
    fi
    if ! "$python" -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))' 2>/dev/null; then
        lacks "'$python' comes without its header files. Install them (on Debian and Ubuntu: apt install python3-dev)."
    fi
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
printf '#include <span>\nint main() { return std::span<int>().size() == 0 ? 0 : 1; }\n' >"$scratch/probe.cpp"
if ! command -v "$compiler" >/dev/null 2>&1; then
    lacks "there is no C++ compiler '$compiler'. Install g++ 11, clang 14 or newer, or name one with 'make CXX=... ...'."
elif ! "$compiler" -std=c++20 "$scratch/probe.cpp" -o "$scratch/probe" 2>/dev/null; then
    lacks "the C++ compiler '$compiler' does not compile C++20. Install g++ 11, clang 14 or newer, or name one with 'make CXX=... ...'."
fi

exit $lacking
