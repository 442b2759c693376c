#!/bin/sh
# Makes the two fonts from Debian's fonts-noto-core and fonttools: Latin, signs
# and currencies of Noto Sans with Noto Sans Devanagari, without layout tables,
# which the PDF library does not read.
set -eu
noto=${1:-/usr/share/fonts/truetype/noto}
latin=U+0020-007E,U+00A0-017F,U+0218-021B,U+02C6,U+02DC,U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+2030,U+2032-2033,U+2039-203A,U+2044,U+20A0-20BF,U+2116,U+2122,U+2190-2193,U+2212,U+2260,U+2264-2265,U+FFFD
deva=U+0900-097F,U+25CC
cut="--layout-features= --drop-tables+=GSUB,GPOS,GDEF,BASE,STAT --no-hinting --desubroutinize --notdef-outline"
work=$(mktemp -d)
for face in Regular Bold; do
	pyftsubset "$noto/NotoSans-$face.ttf" --unicodes="$latin" $cut --output-file="$work/a.ttf"
	pyftsubset "$noto/NotoSansDevanagari-$face.ttf" --unicodes="$deva" $cut --output-file="$work/b.ttf"
	pyftmerge --drop-tables=vhea,vmtx --output-file="noto-$face.ttf" "$work/a.ttf" "$work/b.ttf"
done
rm -r "$work"
