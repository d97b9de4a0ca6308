"""Sheets, shared texts and formats, as any program may write them; cells refer to them."""

import io
import zipfile

import pytest

from qnml.data import FileOptions, open_file
from qnml.errors import FileFormatError, TooLargeError

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def links(*targets):
    """A part with relationships: identifier, type, target."""
    entries = "".join(f'<Relationship Id="{one}" Type="{OFFICE}/{kind}" Target="{to}"/>' for one, kind, to in targets)
    return f'<Relationships xmlns="p">{entries}</Relationships>'


PARTS = {
    "_rels/.rels": links(("r1", "officeDocument", "xl/workbook.xml")),
    "xl/workbook.xml": (
        f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets><sheet name="S" r:id="r1"/></sheets></workbook>'
    ),
    "xl/_rels/workbook.xml.rels": links(
        ("r1", "worksheet", "worksheets/sheet1.xml"),
        ("r2", "sharedStrings", "sharedStrings.xml"),
        ("r3", "styles", "styles.xml"),
    ),
    "xl/worksheets/sheet1.xml": (
        f'<worksheet xmlns="{MAIN}"><sheetData><row><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>'
        '<row><c s="1"><v>45292</v></c><c s="2"><v>1.5</v></c></row></sheetData></worksheet>'
    ),
    "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}"><si><t>day</t></si><si><r><t>le</t></r><r><t>ngth</t></r></si></sst>',
    "xl/styles.xml": (
        f'<styleSheet xmlns="{MAIN}"><numFmts><numFmt numFmtId="164" formatCode="[h]:mm"/></numFmts>'
        '<cellStyleXfs><xf numFmtId="22"/></cellStyleXfs>'
        '<cellXfs><xf/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>'
    ),
}


def opened(changes=(), limit=None, **options):
    """A small file, with some of its parts changed: (part, old, new); None for the whole part, or to leave it out."""
    parts = dict(PARTS)
    for name, old, new in changes:
        if new is None:
            del parts[name]
        else:
            assert old is None or old in parts[name]
            parts[name] = new if old is None else parts[name].replace(old, new)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as package:
        for name, part in parts.items():
            package.writestr(name, part)
    content.seek(0)
    return open_file(content, FileOptions(**options), limit)


SHEET, BOOK, LINKS, TEXTS, STYLES = (
    "xl/worksheets/sheet1.xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/sharedStrings.xml",
    "xl/styles.xml",
)  # fmt: skip


def test_a_file_with_only_what_is_needed():
    frame = opened().frame
    assert [str(dtype) for dtype in frame.dtypes] == ["Date", "Duration(time_unit='us')"]
    assert frame.rows()[0][1].total_seconds() == 36 * 3600


@pytest.mark.parametrize(
    "changes",
    [
        [("_rels/.rels", None, None)],
        [(LINKS, "worksheets/sheet1.xml", "/xl/worksheets/sheet1.xml")],
        [(LINKS, "worksheets/sheet1.xml", "../xl/worksheets/./sheet1.xml")],
        [(LINKS, OFFICE, "http://purl.oclc.org/ooxml/officeDocument/relationships")],
        [(BOOK, "r:id", "rel:id"), (BOOK, "xmlns:r", "xmlns:rel")],
        [(STYLES, "<cellXfs>", "<fills><fill/></fills><fonts><font><odd/></font></fonts><cellXfs>")],
        [(SHEET, "</sheetData>", '</sheetData><autoFilter ref="A1"><customFilters/></autoFilter>')],
        [(SHEET, "<sheetData>", '<dimension ref="A1"/><sheetViews odd="1"/><sheetData>')],
        [(SHEET, "</row></sheetData>", "<c/></row><row/></sheetData>")],
        [(SHEET, "<row>", "<row r=''>")],
        [(TEXTS, "<t>day</t>", "<t>day</t><rPh sb='0' eb='1'><t>dei</t></rPh><phoneticPr fontId='1'/>")],
        [(TEXTS, "<t>day</t>", "<t>d_x0061_y</t>")],
        [
            (name, old, new)
            for name in (SHEET, TEXTS, STYLES, BOOK)
            for old, new in (("</", "</x:"), ("<", "<x:"), ("<x:/x:", "</x:"), ("xmlns=", "xmlns:x="))
        ],
    ],
)
def test_other_spellings_of_the_same_file(changes):
    found = opened(changes)
    assert found.frame.equals(opened().frame)
    assert found.frame.columns == ["day", "length"]


def test_other_programs_write_other_extensions():
    extension = '<x14:c xmlns:x14="e"><x14:v>7</x14:v></x14:c>'
    assert opened([(SHEET, "</row></sheetData>", f"{extension}</row></sheetData>")]).frame.equals(opened().frame)


def test_without_texts_and_styles():
    sheet = PARTS[SHEET].replace('t="s"><v>0</v>', 't="inlineStr"><is><t>a</t></is>')
    sheet = sheet.replace('t="s"><v>1</v>', 't="str"><v>b</v>')
    found = opened([(SHEET, None, sheet), (TEXTS, None, None), (STYLES, None, None)])
    assert found.frame.to_dict(as_series=False) == {"a": [45292], "b": [1.5]}


def test_letters_that_xml_cannot_hold():
    text = "_x000D__x005F_x0041__xD800__x00e9_"
    (name, _) = opened([(TEXTS, "day", f"a{text}b")]).frame.columns
    assert name == "a\r_x0041__xD800_éb"


def test_days_from_1904():
    before = opened().frame["day"][0]
    after = opened([(BOOK, "<sheets>", '<workbookPr date1904="true"/><sheets>')]).frame["day"][0]
    assert (after - before).days == 1462


def test_charts_and_sheets_that_are_not_there():
    sheets = '<sheet name="Chart" r:id="r9"/><sheet name="S"'
    chart = [(LINKS, "</Rel", f'<Relationship Id="r9" Type="{OFFICE}/chartsheet" Target="c.xml"/></Rel')]
    assert opened([*chart, (BOOK, '<sheet name="S"', sheets)]).notes == ()
    with pytest.raises(FileFormatError, match="the file has no sheet with cells"):
        opened([(BOOK, 'r:id="r1"', 'r:id="r7"')])
    with pytest.raises(FileFormatError, match=r"xl/worksheets/sheet1\.xml is missing"):
        opened([(SHEET, None, None)])
    with pytest.raises(FileFormatError, match=r"xl/workbook\.xml is missing"):
        opened([(BOOK, None, None)])
    outside = [(LINKS, 'Target="worksheets', 'TargetMode="External" Target="worksheets')]
    with pytest.raises(FileFormatError, match="no sheet with cells"):
        opened(outside)


@pytest.mark.parametrize(
    ("part", "old", "new"),
    [
        (TEXTS, "<si><t>day", "<si/>" * 20_000 + "<si><t>day"),
        (TEXTS, "<t>day", f"<t>{'x' * 400_000}</t><t>day"),
        (STYLES, "<xf/>", "<xf/>" * 10_000),
        (STYLES, "<numFmts>", "<numFmts>" + '<numFmt numFmtId="{}"/>' * 10_000),
        (BOOK, "<sheets>", "<sheets>" + '<sheet name="" r:id="r1"/>' * 10_000),
        (LINKS, "</Rel", "<Relationship/>" * 10_000 + "</Rel"),
        (SHEET, "</row></sheetData>", "<c><v>1</v></c>" * 15_000 + "</row></sheetData>"),
    ],
)
def test_everything_that_is_kept_counts(part, old, new):
    opened(limit=2e6)
    with pytest.raises(TooLargeError, match="may be used"):
        opened([(part, old, new)], limit=2e6)
