#!/usr/bin/env bash
# Checks the types of the scripts of the report page with TypeScript, where Node.js is installed, and fetches axe, with
# which tests/browser checks that people with disabilities can use the page.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if ! command -v npx >/dev/null; then
  echo "There is no Node.js, so the types of the page's scripts are not checked."
  exit 0
fi
mkdir -p build/scripts
if ! npm install --silent --no-fund --no-audit --prefix build/scripts typescript@5 axe-core@4 >build/scripts/install.log 2>&1; then
  echo "TypeScript cannot be installed, so the types of the page's scripts are not checked (build/scripts/install.log)."
  exit 0
fi
build/scripts/node_modules/.bin/tsc -p src/qnml/reports/web/jsconfig.json
