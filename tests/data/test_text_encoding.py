"""Text in any encoding becomes UTF-8, or is refused with the line and the option that helps."""

import codecs
import gzip
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qnml.data import read_table
from qnml.data.text_encoding import as_utf8
from qnml.errors import FileFormatError, ReadingWarning, TooLargeError

LIMIT = 1e9
TEXT = "größe;名前\n1,5;ä\n2,5;ö\n"


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_marks_tell_utf_8_and_utf_16(text):
    for encoding, mark in (("utf-8", b""), ("utf-8", codecs.BOM_UTF8)):
        text = text.removeprefix("\ufeff")
        assert as_utf8("t.csv", mark + text.encode(encoding), None, LIMIT) == (text.encode(), None)
    for encoding, mark, order in (
        ("utf-16-le", codecs.BOM_UTF16_LE, "little-endian"),
        ("utf-16-be", codecs.BOM_UTF16_BE, "big-endian"),
    ):
        content, note = as_utf8("t.csv", mark + text.encode(encoding), None, LIMIT)
        assert content == text.encode()
        assert note == f"Decoded from UTF-16 ({order}), as its byte-order mark says."


@given(
    st.sampled_from(
        ["cp1252", "latin-1", "cp437", "mac-roman", "koi8-r", "shift_jis", "utf-32", "utf-16-le", "gb18030"]
    ),
    st.text(max_size=20),
)
def test_other_encodings_are_decoded_as_python_decodes_them(encoding, text):
    data = text.encode(encoding, errors="ignore")
    expected = data.decode(encoding).removeprefix("\ufeff")
    assert as_utf8("t.csv", data, encoding, LIMIT) == (expected.encode(), None)


@pytest.mark.parametrize(
    ("data", "encoding", "line", "message"),
    [
        (b"a,b\n1,\xff\n", None, 2, "0xff is not UTF-8 text; give its encoding, such as encoding='cp1252'"),
        (b"a,b\n1,\xff\n", "utf-8", 2, "0xff is not UTF-8"),
        (b"a\n\x81\n", "cp1252", 2, "the bytes from 0x81 on are not cp1252 text"),
        (b"\xff\xfea", None, 1, "not utf-16 text"),
        (b"a\0b", "utf-16", 1, "not utf-16 text"),
        (b"abc", "utf-32", 1, "not utf-32 text"),
        (b"a\n\\ud800", "unicode-escape", None, "half of a surrogate pair"),
    ],
)
def test_what_is_not_that_encoding(data, encoding, line, message):
    with pytest.raises(FileFormatError, match=message) as caught:
        as_utf8("t.csv", data, encoding, LIMIT)
    assert caught.value.line == line


def test_memory_is_asked_for_before_text_is_decoded():
    data = codecs.BOM_UTF16_LE + "a,b\n".encode("utf-16-le") * 100_000
    with pytest.raises(TooLargeError, match="memory_limit"):
        as_utf8("t.csv", data, None, 1e6)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp932", "gb18030"])
@pytest.mark.parametrize("packed", [False, True])
def test_files_in_any_encoding_are_the_same_table(tmp_path, encoding, packed):
    path = tmp_path / ("t.csv.gz" if packed else "t.csv")
    letters = TEXT if encoding not in ("cp932",) else "size;名前\n1,5;a\n2,5;b\n"
    data = letters.encode(encoding)
    path.write_bytes(gzip.compress(data) if packed else data)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        table = read_table(path, encoding=encoding, separator=";", decimal=".")
    assert table.names == tuple(letters.splitlines()[0].split(";"))
    assert table.levels[0] == ("1,5", "2,5")


def test_utf_16_is_told(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes("a,b\nx,1\ny,2\n".encode("utf-16"))
    with pytest.warns(ReadingWarning, match=r"t\.csv: Decoded from UTF-16"):
        table = read_table(path)
    assert table.labels("b").tolist() == [1, 2]
