#!/bin/sh
# Puts into build/gpu-packages what tools/gpu_session.sh needs on a machine with a card and without a network: what
# builds the core there, and what runs the tests. Pure Python, or for Python 3.12 on Linux; a few megabytes. CuPy and
# NumPy must be on that machine. Usage: tools/gpu_prepare.sh [PYTHON]
set -eu
python=${1:-python3}
cd "$(dirname "$0")/.."
rm -rf build/gpu-packages
"$python" -m pip --disable-pip-version-check --quiet install --target build/gpu-packages --no-deps --no-compile \
    --only-binary=:all: --implementation cp --python-version 3.12 --platform manylinux_2_28_x86_64 --platform any \
    nanobind pytest pluggy iniconfig packaging pygments hypothesis sortedcontainers pytest-xdist execnet
du -sh build/gpu-packages
