#!/usr/bin/env bash
# Installs a wheel into an empty environment without a compiler in sight, and learns a first network. Says how long it took.
# Usage: test_wheel.sh PYTHON WHEEL_FOLDER
set -euo pipefail
python=$(command -v "$1")
wheel=$(cd "$2" && ls -d "$PWD"/qnml-*.whl)
place=$(mktemp -d)
# The path below has no programs left.
remove=$(command -v rm)
trap '"$remove" -rf "$place"' EXIT
"$python" -m venv "$place/venv"
# Nothing but the environment and the few programs that installing needs: a build from sources would fail.
mkdir "$place/bin"
for program in sh env uname; do ln -s "$(command -v "$program")" "$place/bin/$program"; done
export PATH="$place/venv/bin:$place/bin"
if command -v cc || command -v c++ || command -v gcc || command -v cmake; then
  echo "There is a compiler in the path, so this test would prove nothing." >&2
  exit 1
fi
cd "$place"
SECONDS=0
python -m pip --disable-pip-version-check install --quiet --only-binary :all: "$wheel"
echo "Installed in $SECONDS s, with its dependencies."
SECONDS=0
python -W error - <<'END'
import qnml

assert "site-packages" in qnml.__file__, qnml.__file__
table = qnml.datasets.sample("asia", 1000, seed=1)
result = qnml.learn(table)
assert result.certificate.optimal
assert result.dag.n_arcs == 7, result.dag
assert abs(qnml.regret(50, 10) - 13.2375) < 1e-4
table.to_frame().write_csv("asia.csv")
print(result.dag)
END
qnml learn asia.csv --output net.json --plot net.svg >learned.txt
qnml report asia.csv >reported.txt
qnml regret 50 10 | while read -r line; do case $line in *13.2375*) echo "The command works." ;; esac; done
for file in net.json net.svg asia.html; do [ -s "$file" ] || { echo "$file was not written." >&2; exit 1; }; done
echo "First network in $SECONDS s."
