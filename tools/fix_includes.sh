#!/usr/bin/env bash
# fix_includes.sh [BIN]: let every C++ file of the core and its tests include what it uses, and nothing else.
# BIN is the folder of clang-tidy, clang-format and cmake; they are looked for on the PATH if it is left out.
set -euo pipefail
cd "$(dirname "$0")/.."
if [ $# -gt 0 ]; then PATH="$(cd "$1" && pwd):$PATH"; fi

cmake --preset core -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >/dev/null
mapfile -t files < <(find cpp/core cpp/tests -name '*.?pp' ! -path cpp/tests/main.cpp | sort)

# One process per file, which writes that file only: headers are files of their own here, and are not fixed through the
# files that include them. All files are read before any is written, since a file in the middle of being written would
# confuse those that include it.
fixes=$(mktemp -d)
trap 'rm -rf "$fixes"' EXIT
export fixes
find_fixes() {
  clang-tidy --quiet -p build/core --checks='-*,misc-include-cleaner' --warnings-as-errors='-*' --header-filter='^$' \
    --export-fixes="$fixes/${1//\//-}.yaml" "$1" >"$fixes/${1//\//-}.log" 2>&1 || { cat "$fixes/${1//\//-}.log" >&2; exit 1; }
}
export -f find_fixes
printf '%s\0' "${files[@]}" | xargs -0 -P "$(nproc)" -n 1 bash -c 'find_fixes "$1"' _
# It reports every pair of includes that are added at the same place, which is no failure.
clang-apply-replacements --ignore-insert-conflict "$fixes" >"$fixes/apply.log" 2>&1 || { cat "$fixes/apply.log" >&2; exit 1; }
clang-format -i "${files[@]}"
