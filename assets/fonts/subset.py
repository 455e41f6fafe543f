"""Builds the embedded fonts: small, the same on every machine, with the same digits' width in Latin text.

    python3 subset.py INTER_DIR NOTO_SANS_CJK_REGULAR.ttc DEJAVU_SANS.ttf TEXT_DIR .

INTER_DIR holds Inter-Regular.otf and Inter-SemiBold.otf (Debian: fonts-inter); the other two are Debian's fonts-noto-cjk
and fonts-dejavu-core. TEXT_DIR is searched for every character that the interface uses (src/i18n). Needs fonttools.
All three are renamed, since their licences reserve the original names or ask for it.
"""

import pathlib
import sys

from fontTools import subset
from fontTools.ttLib import TTFont

LATIN = [*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x370, 0x3D0), *range(0x2000, 0x2070), *range(0x2070, 0x20A0),
         *range(0x2100, 0x2150), *range(0x2150, 0x2190), *range(0x2190, 0x2200), *range(0x2200, 0x2300), 0x230A, 0x230B,
         *range(0x25A0, 0x2600), 0x2713, 0x2717]
# What Inter and Noto lack: superscripts, floors, operators, marks.
SYMBOLS = [*range(0x2070, 0x209D), *range(0x2190, 0x2200), *range(0x2200, 0x2300), *range(0x2308, 0x230C), 0x23F8,
           *range(0x25A0, 0x2600), *range(0x2713, 0x2719), 0x27E8, 0x27E9]


def gb2312_level_1():
    return [ord(bytes([hi, lo]).decode("gb2312")) for hi in range(0xB0, 0xD8) for lo in range(0xA1, 0xFF)
            if not (hi == 0xD7 and lo > 0xF9)]


def tabular_digits(font):
    """Points the digits' code points at the glyphs of the feature tnum: figures then stand still while they change."""
    swaps = {}
    for record in font["GSUB"].table.FeatureList.FeatureRecord:
        if record.FeatureTag == "tnum":
            for index in record.Feature.LookupListIndex:
                for table in font["GSUB"].table.LookupList.Lookup[index].SubTable:
                    swaps.update(getattr(getattr(table, "ExtSubTable", table), "mapping", {}))
    for table in font["cmap"].tables:
        for code in range(0x30, 0x3A):
            if table.isUnicode() and code in table.cmap:
                table.cmap[code] = swaps.get(table.cmap[code], table.cmap[code])


def rename(font, family, style):
    postscript = f"{family.replace(' ', '')}-{style}"
    names = {1: family if style == "Regular" else f"{family} {style}", 2: "Regular", 3: f"1.0;{postscript}",
             4: f"{family} {style}", 6: postscript, 16: family, 17: style}
    for record in list(font["name"].names):
        if record.nameID in {1, 2, 3, 4, 6, 16, 17, 18, 20, 21, 22, 25}:
            font["name"].removeNames(nameID=record.nameID)
    for identity, text in names.items():
        font["name"].setName(text, identity, 3, 1, 0x409)
    if "CFF " in font:
        top = font["CFF "].cff
        top.fontNames[0] = postscript
        top.topDictIndex[0].FullName, top.topDictIndex[0].FamilyName = f"{family} {style}", family


def build(source, number, codes, family, style, target, tabular=False):
    options = subset.Options(layout_features=["kern"] if tabular else [], hinting=False, desubroutinize=True,
                             name_IDs=["*"], notdef_outline=True, font_number=number, recalc_timestamp=False)
    options.drop_tables += ["vhea", "vmtx", "VORG", "BASE", "GDEF", "DSIG", "GSUB"] + ([] if tabular else ["GPOS"])
    font = subset.load_font(str(source), options)
    if tabular:
        tabular_digits(font)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=codes)
    cutter.subset(font)
    rename(font, family, style)
    subset.save_font(font, str(target), options)
    print(target.name, target.stat().st_size, "bytes", len(font.getBestCmap()), "characters")


def main(inter, noto, dejavu, texts, target):
    used = {ord(c) for path in texts.rglob("*.rs") for c in path.read_text(encoding="utf-8") if ord(c) > 0x7F}
    for style in ["Regular", "SemiBold"]:
        build(inter / f"Inter-{style}.otf", -1, LATIN, "Halfscope Sans", style, target / f"HalfscopeSans-{style}.otf", True)
    build(noto, 2, {*gb2312_level_1(), *used, *range(0x3000, 0x3040), *range(0xFF00, 0xFF60), *range(0x2010, 0x2030)},
          "Halfscope Sans SC", "Regular", target / "HalfscopeSansSC-Regular.otf")
    build(dejavu, -1, SYMBOLS, "Halfscope Symbols", "Regular", target / "HalfscopeSymbols-Regular.ttf")


main(*map(pathlib.Path, sys.argv[1:]))
