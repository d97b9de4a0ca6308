#!/usr/bin/env bash
# Finds a Chromium for the tests of pages; installs Debian's where it is missing and that is possible.
set -euo pipefail
find_it() {
  [ -n "${QNML_CHROMIUM:-}" ] || command -v chromium || command -v chromium-browser || command -v google-chrome || command -v chrome
}
if find_it >/dev/null; then exit 0; fi
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  echo "Installing chromium"
  { apt-get update -qq && apt-get install -y -qq chromium; } >/dev/null 2>&1 || true
fi
find_it >/dev/null || echo "There is no Chromium, so the tests of pages are skipped. Install it (Debian: apt-get install chromium), or name its program in QNML_CHROMIUM."
