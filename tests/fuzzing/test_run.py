"""The runner counts, restarts after a crash, and skips nothing."""

import pytest

from fuzz import run
from fuzz.readers import READERS


@pytest.fixture
def worker(monkeypatch):
    """Replaces the process of the fuzzer: its output and its exit code are given beforehand."""
    script = []

    def run_once(reader, folder, log, seconds, runs):
        left_behind, text, code = script.pop(0)
        log.write_text(text, encoding="utf-8")
        if left_behind:
            (folder / left_behind).write_bytes(b"odd")
        return code

    monkeypatch.setattr(run, "_run_once", run_once)
    return script


def test_a_clean_run_has_no_findings(worker, tmp_path):
    worker.append((None, "#64 pulse\nstat::number_of_executed_units: 100\n", 0))
    outcome = run.fuzz_reader(READERS["bif"], tmp_path, 60, -1)
    assert (outcome.inputs, outcome.findings) == (100, [])


def test_a_crash_is_found_and_the_run_goes_on(worker, tmp_path):
    worker.append(("crash-0123", "stat::number_of_executed_units: 7\n", 77))
    worker.append((None, "stat::number_of_executed_units: 5\n", 0))
    outcome = run.fuzz_reader(READERS["bif"], tmp_path, 60, -1)
    assert outcome.inputs == 12
    assert [path.name for path in outcome.findings] == ["crash-0123"]


def test_an_end_without_an_input_is_a_finding_too(worker, tmp_path):
    worker.append((None, "#32 NEW\n", -9))
    worker.append((None, "stat::number_of_executed_units: 5\n", 0))
    outcome = run.fuzz_reader(READERS["bif"], tmp_path, 60, -1)
    assert outcome.inputs == 37
    assert [path.name for path in outcome.findings] == ["ended-with--9-see-log-0.txt"]


def test_old_findings_are_not_told_again(worker, tmp_path):
    worker.append(("crash-0123", "", 77))
    worker.append((None, "", 0))
    assert run.fuzz_reader(READERS["bif"], tmp_path, 60, -1).findings
    worker.append((None, "", 0))
    assert run.fuzz_reader(READERS["bif"], tmp_path, 60, -1).findings == []


def test_tokens_are_written_byte_by_byte(worker, tmp_path):
    worker.append((None, "", 0))
    run.fuzz_reader(READERS["csv"], tmp_path, 60, -1)
    lines = (tmp_path / "csv" / "tokens.dict").read_text(encoding="ascii").splitlines()
    assert '"\\xef\\xbb\\xbf"' in lines
    assert len(lines) == len(READERS["csv"].tokens)
