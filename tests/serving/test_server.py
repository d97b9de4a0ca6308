"""The server answers its own page on this machine, and nobody and nothing else."""

from __future__ import annotations

import http.client
import json
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

import qnml
from qnml.serving import PageServer, Session
from qnml.serving.server import MOST_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def table() -> qnml.Table:
    return qnml.datasets.sample("cancer", 300, seed=1)


@pytest.fixture
def served(table: qnml.Table) -> Iterator[PageServer]:
    """A running server that can learn again."""

    def learn(known: qnml.Knowledge, seconds: float) -> Any:
        return qnml.report(table, knowledge=known, time_limit=seconds, probabilities="none", progress=False)

    page = qnml.report(table, probabilities="none", progress=False)
    with PageServer(Session(page, learn)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def asked(
    server: PageServer, route: str = "", body: object = None, method: str | None = None, **headers: str
) -> tuple[int, str, dict[str, str]]:
    """Send one request; a body makes it a POST of JSON."""
    port = server.server_address[1]
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    sent = None if body is None else body if isinstance(body, str) else json.dumps(body)
    given = {} if body is None else {"Content-Type": "application/json"}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    path = route if route.startswith("/") else f"/{server.secret}/{route}"
    connection.request(method or ("GET" if body is None else "POST"), path, body=sent, headers=given)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text, {name.lower(): value for name, value in answer.getheaders()}


def test_the_page_has_its_headers(served: PageServer) -> None:
    status, text, headers = asked(served)
    assert status == 200
    assert "connect-src 'self'" in text
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert served.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize(
    "path", ["/", "/progress", "/wrong/", "/wrong/progress", "//", "/../../etc/passwd", "/%2e%2e/", "/wrong/../x"]
)
def test_no_page_without_the_secret(served: PageServer, path: str) -> None:
    assert asked(served, path)[0] == 404


@pytest.mark.parametrize("route", ["page.css", "../", "..%2f..%2fetc/passwd", "answer/", "src/qnml/__init__.py"])
def test_nothing_but_the_routes(served: PageServer, route: str) -> None:
    assert asked(served, route)[0] == 404


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:80", ""])
def test_other_hosts_are_refused(served: PageServer, host: str) -> None:
    assert asked(served, Host=host)[0] == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:1", "file://"])
def test_other_origins_are_refused(served: PageServer, origin: str) -> None:
    assert asked(served, "answer", {"evidence": {}}, Origin=origin)[0] == 403
    own = f"http://127.0.0.1:{served.server_address[1]}"
    assert asked(served, "answer", {"evidence": {}}, Origin=own)[0] == 200


def test_requests_are_bounded_json(served: PageServer) -> None:
    assert asked(served, "answer", {}, Content_Length=str(MOST_BYTES + 1))[0] == 413
    assert asked(served, "answer", "{", Content_Type="application/json")[0] == 400
    assert asked(served, "answer", "[1]", Content_Type="application/json")[0] == 400
    assert asked(served, "answer", "[" * 100_000, Content_Type="application/json")[0] == 400
    assert asked(served, "answer", "evidence=x", Content_Type="application/x-www-form-urlencoded")[0] == 415
    assert asked(served, "answer", {}, Content_Length="-1")[0] == 411
    assert asked(served, "answer", method="DELETE")[0] == 501


def test_answers_are_those_of_the_library(served: PageServer) -> None:
    net = served.session._page.contents.network
    status, text, _ = asked(served, "answer", {"evidence": {"Xray": "positive"}})
    assert status == 200
    found = json.loads(text)
    for name, row in zip(net.names, found["marginals"], strict=True):
        expected = {"positive": 1.0, "negative": 0.0} if name == "Xray" else net.query([name], {"Xray": "positive"})
        assert row == pytest.approx([expected[level] for level in net.levels[name]])
    assert found["logProbability"] == pytest.approx(net.log_evidence({"Xray": "positive"}))


@pytest.mark.parametrize(
    "body", [{"evidence": {"Nobody": "x"}}, {"evidence": {"Xray": "maybe"}}, {"evidence": 3}, {"do": {"Xray": 1}}]
)
def test_wrong_questions_are_named(served: PageServer, body: object) -> None:
    status, text, _ = asked(served, "answer", body)
    assert status == 422
    assert json.loads(text)["error"].startswith("show:")


def test_learning_again_obeys_the_knowledge(served: PageServer) -> None:
    arc = ["Smoker", "Xray"]
    status, text, _ = asked(served, "learn", {"required": [arc], "forbidden": [], "seconds": 30})
    assert status == 200
    number = json.loads(text)["number"]
    deadline = time.monotonic() + 60
    while (state := json.loads(asked(served, "progress")[1]))["running"] and time.monotonic() < deadline:
        time.sleep(0.02)
    assert state["failure"] is None
    assert state["number"] >= number
    assert tuple(arc) in served.session._page.contents.network.dag.arcs
    assert '"required":[["Smoker","Xray"]]' in asked(served)[1]


@pytest.mark.parametrize(
    "body",
    [
        {"required": [["Smoker", "Xray"], ["Xray", "Smoker"]]},
        {"required": [["Smoker", "Nobody"]]},
        {"required": [["Smoker"]]},
        {"required": "Smoker"},
        {"seconds": 0},
        {"seconds": "long"},
        {"seconds": 1e9},
    ],
)
def test_wrong_knowledge_is_named_and_changes_nothing(served: PageServer, body: object) -> None:
    before = served.session.html
    status, text, _ = asked(served, "learn", body)
    assert status == 422
    assert json.loads(text)["error"]
    assert served.session.html == before


def test_a_network_without_data_cannot_be_learned_again() -> None:
    session = Session(qnml.report(qnml.datasets.load_network("cancer")))
    with pytest.raises(qnml.QnmlError, match="without data"):
        session.learn({})


def test_lists_of_the_page_are_kept_until_the_end(served: PageServer) -> None:
    arc = ["Smoker", "Xray"]
    assert asked(served, "knowledge", {"required": [arc], "forbidden": []})[0] == 200
    assert served.session.lists == {"required": [arc]}
    assert '"required":[["Smoker","Xray"]]' in asked(served)[1]
    assert asked(served, "knowledge", {"required": "Smoker"})[0] == 422
    assert served.session.lists == {"required": [arc]}


def test_interventions_come_with_their_range(served: PageServer) -> None:
    net = served.session._page.contents.network
    assert net.mpdag is not None
    assert net.mpdag.undirected
    cause = net.mpdag.undirected[0][0]
    found = json.loads(asked(served, "answer", {"do": {cause: str(net.levels[cause][0])}})[1])
    members = net.class_marginals(do={cause: net.levels[cause][0]})
    assert len(members) > 1
    for k, name in enumerate(net.names):
        values = [list(one[name].values) for one in members]
        assert found["low"][k] == pytest.approx([min(level) for level in zip(*values, strict=True)])
        assert found["high"][k] == pytest.approx([max(level) for level in zip(*values, strict=True)])


def test_a_running_search_can_be_stopped(table: qnml.Table) -> None:
    began = threading.Event()

    def learn(known: qnml.Knowledge, seconds: float) -> Any:
        began.set()
        while True:
            time.sleep(0.01)

    session = Session(qnml.report(table, probabilities="none", progress=False), learn)
    assert session.learn({})["running"]
    assert began.wait(10)
    session.end()
    found = session.progress()
    assert not found["running"]
    assert "Stopped" in found["failure"]
    assert found["number"] == 0
