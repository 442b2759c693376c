#!/bin/sh
# Makes the fonts of PDF files from the packages fonts-noto-core and fonts-noto-mono of Debian 12 (20201225-1) with
# fonttools 4.38. A PDF is written from the characters of a font, and a shaper chooses glyphs that no character has:
# each glyph without a character gets one of private use, U+E000 and its number.
set -eu
noto=${1:-/usr/share/fonts/truetype/noto}
latin=U+0020-007E,U+00A0-052F,U+1D00-1DBF,U+1E00-1FFF,U+2000-206F,U+2070-209F,U+20A0-20BF,U+2100-218F,U+2212,U+2C60-2C7F,U+A720-A7FF,U+AB30-AB6F,U+FB00-FB06,U+FFFD,U+25CC
arrows=U+2190-21FF,U+2200-22FF
signs=U+0020,U+00A0,U+2190-21FF,U+2300-23FF,U+2500-25FF,U+2600-26FF,U+2700-27BF,U+2B00-2BFF
mono=U+0020-007E,U+00A0-017F,U+0370-03FF,U+0400-045F,U+2010-2026,U+20A0-20BF,U+2190-2193,U+2212,U+2248,U+2260,U+2264-2265,U+2500-25FF,U+FFFD
work=$(mktemp -d)
cut() { # to from unicodes features
	python3 -m fontTools.subset "$noto/$2.ttf" --unicodes="$3" --layout-features="$4" --no-hinting --notdef-outline \
		--drop-tables+=STAT,DSIG,BASE,MATH,MVAR,HVAR,avar,fvar,gvar --output-file="$work/$1.ttf"
}
private() { # adds the characters of private use
	python3 - "$work/$1.ttf" "$1.ttf" <<'PYTHON'
import sys
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable
font = TTFont(sys.argv[1], recalcTimestamp=False)
cmap = {c: g for c, g in font.getBestCmap().items() if c < 0xE000 or 0xF8FF < c <= 0xFFFF}
have = set(cmap.values())
for number, glyph in enumerate(font.getGlyphOrder()):
    if number and glyph not in have:
        cmap[0xE000 + number] = glyph
table = CmapSubtable.newSubtable(4)
table.platformID, table.platEncID, table.language, table.cmap = 3, 1, 0, cmap
font["cmap"].tables = [table]
font.save(sys.argv[2])
PYTHON
}
for face in Regular Bold; do
	cut "latin-$face" "NotoSans-$face" "$latin" ccmp,locl,mark,mkmk
	cut "devanagari-$face" "NotoSansDevanagari-$face" U+0900-097F,U+1CD0-1CF9,U+0020,U+00A0,U+200C-200D,U+25CC,U+A8E0-A8FF "*"
	private "latin-$face"
	private "devanagari-$face"
done
for script in Bengali:0964-0965,U+0980-09FF Gurmukhi:0964-0965,U+0A00-0A7F Gujarati:0964-0965,U+0A80-0AFF \
	Oriya:0964-0965,U+0B00-0B7F Tamil:0964-0965,U+0B80-0BFF Telugu:0964-0965,U+0C00-0C7F Kannada:0964-0965,U+0C80-0CFF \
	Malayalam:0964-0965,U+0D00-0D7F Sinhala:0964-0965,U+0D80-0DFF Thai:0E00-0E7F Hebrew:0590-05FF Arabic:0600-06FF,U+0750-077F; do
	name=${script%%:*}
	low=$(echo "$name" | tr A-Z a-z)
	cut "$low" "NotoSans$name-Regular" "U+0020,U+00A0,U+${script#*:},U+200C-200D,U+25CC" \
		ccmp,locl,akhn,nukt,rphf,rkrf,pref,blwf,half,abvf,pstf,cfar,vatu,cjct,isol,fina,medi,init,rlig,pres,abvs,blws,psts,haln,rclt,calt,liga,clig,dist,abvm,blwm,mark,mkmk,curs
	private "$low"
done
cut mono NotoSansMono-Regular "$mono" ""
private mono
cut math NotoSansMath-Regular "$arrows" ""
cut symbols NotoSansSymbols2-Regular "$signs" ""
python3 -m fontTools.merge --drop-tables=vhea,vmtx --output-file="$work/signs.ttf" "$work/math.ttf" "$work/symbols.ttf"
private signs
rm -r "$work"
