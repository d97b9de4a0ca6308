#!/usr/bin/env bash
# Finds Java for the tests of Spark; installs Debian's where it is missing and that is possible.
set -euo pipefail
if command -v java >/dev/null; then exit 0; fi
if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
  echo "Installing Java"
  { apt-get update -qq && apt-get install -y -qq default-jre-headless; } >/dev/null 2>&1 || true
fi
command -v java >/dev/null || echo "There is no Java, so the tests of Spark are skipped. Install it (Debian: apt-get install default-jre-headless)."
