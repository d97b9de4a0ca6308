"""The archive of an Excel file: bombs, entities, odd archives."""

import io
import struct
import tracemalloc
import zipfile

import pytest

from qnml.data.xlsx_package import XlsxPackage
from qnml.errors import FileFormatError, TooLargeError


def archive(parts, compression=zipfile.ZIP_DEFLATED):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", compression) as package:
        for name, part in parts.items():
            package.writestr(name, part)
    return content.getvalue()


class Events:
    """Every call of a handler."""

    def __init__(self):
        self.told = []

    def start(self, name, attributes):
        self.told.append((name, attributes))

    def end(self, name):
        self.told.append(f"/{name}")

    def text(self, text):
        self.told.append(text)


def parsed(part, limit=1e9, name="a.xml", compression=zipfile.ZIP_DEFLATED):
    events = Events()
    XlsxPackage("t.xlsx", archive({name: part}, compression), limit).parse("a.xml", events)
    return events.told


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_elements_are_told_without_the_prefix_of_the_root(encoding):
    expected = [("a", {"b": "1"}), ("c", {}), "ä & b", "/c", ("y:c", {"y:d": "2"}), "/y:c", "/a"]
    plain = '<a b="1"><c>ä &amp; b</c><y:c y:d="2"/></a>'
    assert parsed(plain.encode(encoding)) == expected
    prefixed = '<x:a b="1"><x:c>ä &amp; b</x:c><y:c y:d="2"/></x:a>'
    assert parsed(prefixed.encode(encoding)) == expected


@pytest.mark.parametrize("name", ["A.XML", "a.xml", ".\\a.xml".replace(".\\", "")])
def test_names_of_parts_are_compared_without_case(name):
    assert parsed(b"<a/>", name=name) == [("a", {}), "/a"]


def test_backslashes_separate_folders():
    package = XlsxPackage("t.xlsx", archive({"xl\\a.xml": b"<a/>"}), 1e9)
    assert "xl/a.xml" in package
    assert "xl/b.xml" not in package
    with pytest.raises(FileFormatError, match=r"xl/b\.xml is missing"):
        package.parse("xl/b.xml", Events())


ENTITY = b'<!DOCTYPE a [<!ENTITY b "cccccccc">]><a>&b;</a>'


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not a readable Excel file"),
        (b"PK\x03\x04", "not a readable Excel file"),
        (b"\xd0\xcf\x11\xe0 and so on", "encrypted, or in the old format .xls; save it as .xlsx, without a password"),
        (archive({"a.xml": ENTITY}), r"a\.xml declares a document type"),
        (archive({"a.xml": ENTITY.decode().encode("utf-16")}), r"a\.xml declares a document type"),
        (archive({"a.xml": b"<a>"}), r"a\.xml: no element found"),
        (archive({"a.xml": b""}), r"a\.xml: no element found"),
        (archive({"a.xml": b'<?xml version="1.0" encoding="utf-7"?><a/>'}), r"a\.xml: multi-byte encodings"),
        (archive({"a.xml": b"<a/>"}, zipfile.ZIP_BZIP2), r"a\.xml is compressed in an unusual way"),
        (archive({"a.xml": b"<a/>"}, zipfile.ZIP_LZMA), r"a\.xml is compressed in an unusual way"),
        (archive({"a.xml": b"<a>bb</a>"}, zipfile.ZIP_STORED).replace(b"bb", b"cc"), "CRC"),
    ],
)
def test_what_is_refused(data, message):
    with pytest.raises(FileFormatError, match=message) as caught:
        XlsxPackage("t.xlsx", data, 1e9).parse("a.xml", Events())
    assert "\n" not in str(caught.value)


def test_content_that_differs_from_the_directory_is_refused():
    data = archive({"a.xml": b"<a>" + b"x" * 100_000 + b"</a>"})
    place = data.index(b"PK\x01\x02") + 24  # the declared size
    assert struct.unpack("<I", data[place : place + 4]) == (100_007,)
    with pytest.raises(FileFormatError, match=r"CRC|no element found"):
        XlsxPackage("t.xlsx", data[:place] + struct.pack("<I", 50) + data[place + 4 :], 1e9).parse("a.xml", Events())


@pytest.mark.parametrize(
    "part", [b"<a>" + bytes(300_000_000), b'<a b="' + b"x" * 300_000_000 + b'"/>', b"<a><!--" + b" " * 300_000_000]
)
def test_bombs_are_refused_without_being_unpacked(part):
    data = archive({"a.xml": part})
    assert len(data) < 1_000_000
    del part
    tracemalloc.start()
    with pytest.raises(TooLargeError, match=r"t\.xlsx.*its content takes about .*memory_limit"):
        XlsxPackage("t.xlsx", data, 2e8).parse("a.xml", Events())
    assert tracemalloc.get_traced_memory()[1] < 2e7
    tracemalloc.stop()


def test_parts_that_are_not_parsed_do_not_count():
    data = archive({"a.xml": b"<a/>", "picture.png": bytes(300_000_000)})
    XlsxPackage("t.xlsx", data, 1e7).parse("a.xml", Events())


def test_the_directory_and_what_is_held_count():
    with pytest.raises(TooLargeError):
        XlsxPackage("t.xlsx", archive({f"{number}": b"" for number in range(3000)}), 2e6)
    package = XlsxPackage("t.xlsx", archive({"a.xml": b"<a/>"}), 1e6)
    package.hold(500_000)
    with pytest.raises(TooLargeError, match=r"may be used\. Give a larger memory_limit"):
        package.hold(500_000)


def test_memory_that_runs_out_is_not_taken_for_damage():
    class Full(Events):
        def start(self, name, attributes):
            raise MemoryError

    with pytest.raises(MemoryError):
        XlsxPackage("t.xlsx", archive({"a.xml": b"<a/>"}), 1e6).parse("a.xml", Full())
