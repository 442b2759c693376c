// Makes cjk.ttf.gz, hangul.ttf.gz and emoji.ttf.gz from npm's @expo-google-fonts/noto-sans-sc 0.4.3, noto-sans-kr 0.4.3
// and noto-emoji 0.4.7 with harfbuzzjs 1.6.4 (hb-subset), all below node_modules of the folder where it is run:
//
//	node make.mjs path/to/pkg/export/pdf/fonts
//
// Characters: those of GB 2312, JIS X 0208, Big5 level 1 and the Hangul of KS X 1001. A PDF is written from characters
// of the first plane, so each glyph of emoji.ttf has one of private use as well, U+E000 and its number.
import fs from 'node:fs'
import zlib from 'node:zlib'

const folder = process.argv[2]
const wasm = fs.readFileSync('node_modules/harfbuzzjs/dist/harfbuzz-subset.wasm')
const { instance: { exports: hb } } = await WebAssembly.instantiate(wasm)
const tag = name => [...name].reduce((n, c) => n * 256 + c.charCodeAt(0), 0) >>> 0
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i)

// table returns the code points of a two-byte encoding, by first and second bytes.
function table(encoding, first, second) {
  const decoder = new TextDecoder(encoding)
  const list = first.flatMap(a => second.map(b => [...decoder.decode(Uint8Array.of(a, b))]))
  return list.filter(chars => chars.length === 1 && chars[0] !== '\ufffd').map(([c]) => c.codePointAt(0))
}

const high = range(0xa1, 0xfe)
const han = [...table('gb2312', range(0xb0, 0xf7), high), ...table('euc-jp', range(0xb0, 0xf4), high),
  ...table('big5', range(0xa4, 0xc6), [...range(0x40, 0x7e), ...high])].filter(c => c >= 0x4e00 && c <= 0x9fff)
const kana = [0x20, ...range(0x3000, 0x30ff), ...range(0x3105, 0x312f), ...range(0x31f0, 0x31ff), ...range(0xff00, 0xffef)]
const hangul = [0x20, ...range(0x3131, 0x318e), ...table('euc-kr', range(0xb0, 0xc8), high)]
const emoji = [0x20, 0x200d, ...range(0x2600, 0x27bf), ...range(0x2b00, 0x2bff), ...range(0x1f000, 0x1faff)]

// subset returns a font with the characters, without tables that no PDF needs.
function subset(file, chars, dropped) {
  const data = fs.readFileSync(file)
  const at = hb.malloc(data.length)
  new Uint8Array(hb.memory.buffer).set(data, at)
  const face = hb.hb_face_create(hb.hb_blob_create(at, data.length, 2, 0, 0), 0)
  const wanted = hb.hb_subset_input_create_or_fail()
  for (const c of chars) hb.hb_set_add(hb.hb_subset_input_unicode_set(wanted), c)
  const drop = hb.hb_subset_input_set(wanted, 3)
  for (const name of ['BASE', 'DSIG', 'STAT', 'VORG', 'gasp', 'prep', 'vhea', 'vmtx', ...dropped]) hb.hb_set_add(drop, tag(name))
  hb.hb_subset_input_set_flags(wanted, 1 | 0x40) // without hinting, with the outline of .notdef
  const made = hb.hb_subset_or_fail(face, wanted)
  if (!made) throw new Error(`${file} has no subset`)
  const out = hb.hb_face_reference_blob(made)
  const from = hb.hb_blob_get_data(out, 0)
  return Buffer.from(new Uint8Array(hb.memory.buffer).slice(from, from + hb.hb_blob_get_length(out)))
}

// withPrivate returns a font whose glyphs all have characters of private use as well.
function withPrivate(font) {
  const tables = new Map()
  for (let i = 0; i < font.readUInt16BE(4); i++) {
    const at = 12 + 16 * i
    tables.set(font.toString('latin1', at, at + 4), font.subarray(font.readUInt32BE(at + 8), font.readUInt32BE(at + 8) + font.readUInt32BE(at + 12)))
  }
  const chars = new Map(groups(tables.get('cmap')))
  for (let glyph = 1; glyph < tables.get('maxp').readUInt16BE(4); glyph++) chars.set(0xe000 + glyph, glyph)
  if (Math.max(...chars.values()) >= 0x1900) throw new Error('there are more glyphs than characters of private use')
  tables.set('cmap', cmapOf([...chars].sort(([a], [b]) => a - b)))
  return assemble(tables)
}

// groups returns the characters and glyphs of a cmap's format 12.
function groups(cmap) {
  for (let i = 0; i < cmap.readUInt16BE(2); i++) {
    const sub = cmap.subarray(cmap.readUInt32BE(4 + 8 * i + 4))
    if (sub.readUInt16BE(0) !== 12) continue
    return range(0, sub.readUInt32BE(12) - 1).flatMap(n => {
      const [from, to, glyph] = [0, 4, 8].map(k => sub.readUInt32BE(16 + 12 * n + k))
      return range(from, to).map(c => [c, glyph + c - from])
    })
  }
  throw new Error('the font has no characters beyond the first plane')
}

function runs(chars) {
  const list = []
  for (const [c, glyph] of chars) {
    const last = list.at(-1)
    if (last && last.to + 1 === c && last.glyph + c - last.from === glyph) last.to = c
    else list.push({ from: c, to: c, glyph })
  }
  return list
}

// cmapOf returns a cmap of format 4 for the first plane, and of format 12 for all.
function cmapOf(chars) {
  const plane = [...runs(chars.filter(([c]) => c < 0xffff)), { from: 0xffff, to: 0xffff, glyph: 0 }]
  const n = plane.length, bits = Math.floor(Math.log2(n))
  const words = [4, 16 + 8 * n, 0, 2 * n, 2 << bits, bits, 2 * n - (2 << bits), ...plane.map(r => r.to), 0, ...plane.map(r => r.from),
    ...plane.map(r => (r.glyph - r.from) & 0xffff), ...plane.map(() => 0)]
  const four = Buffer.alloc(2 * words.length)
  words.forEach((w, i) => four.writeUInt16BE(w, 2 * i))
  const all = runs(chars)
  const twelve = Buffer.alloc(16 + 12 * all.length)
  twelve.writeUInt16BE(12, 0)
  twelve.writeUInt32BE(twelve.length, 4)
  twelve.writeUInt32BE(all.length, 12)
  all.forEach((r, i) => [r.from, r.to, r.glyph].forEach((v, k) => twelve.writeUInt32BE(v, 16 + 12 * i + 4 * k)))
  const head = Buffer.alloc(20)
  head.writeUInt16BE(2, 2)
  ;[[3, 1, 20], [3, 10, 20 + four.length]].forEach(([platform, encoding, at], i) => {
    head.writeUInt16BE(platform, 4 + 8 * i)
    head.writeUInt16BE(encoding, 6 + 8 * i)
    head.writeUInt32BE(at, 8 + 8 * i)
  })
  return Buffer.concat([head, four, twelve])
}

const padded = b => Buffer.concat([b, Buffer.alloc(-b.length & 3)])
const sum = b => { let n = 0; for (let i = 0; i < b.length; i += 4) n = (n + b.readUInt32BE(i)) >>> 0; return n }

function assemble(tables) {
  const names = [...tables.keys()].sort(), bits = Math.floor(Math.log2(names.length))
  const head = Buffer.from(tables.get('head'))
  head.writeUInt32BE(0, 8)
  tables.set('head', head)
  const directory = Buffer.alloc(12 + 16 * names.length)
  directory.writeUInt32BE(0x10000, 0)
  ;[names.length, 16 << bits, bits, 16 * names.length - (16 << bits)].forEach((v, i) => directory.writeUInt16BE(v, 4 + 2 * i))
  let at = directory.length
  names.forEach((name, i) => {
    const body = padded(tables.get(name)), entry = 12 + 16 * i
    directory.write(name, entry, 'latin1')
    ;[sum(body), at, tables.get(name).length].forEach((v, k) => directory.writeUInt32BE(v, entry + 4 + 4 * k))
    at += body.length
  })
  const font = Buffer.concat([directory, ...names.map(name => padded(tables.get(name)))])
  font.writeUInt32BE((0xb1b0afba - sum(font)) >>> 0, font.readUInt32BE(12 + 16 * names.indexOf('head') + 8) + 8)
  return font
}

const source = (name, file) => `node_modules/@expo-google-fonts/${name}/400Regular/${file}_400Regular.ttf`
const layout = ['GSUB', 'GPOS', 'GDEF']
for (const [name, font] of [
  ['cjk', subset(source('noto-sans-sc', 'NotoSansSC'), [...kana, ...han], layout)],
  ['hangul', subset(source('noto-sans-kr', 'NotoSansKR'), hangul, layout)],
  ['emoji', withPrivate(subset(source('noto-emoji', 'NotoEmoji'), emoji, ['GPOS']))],
]) {
  const zipped = zlib.gzipSync(font, { level: 9 })
  fs.writeFileSync(`${folder}/${name}.ttf.gz`, zipped)
  console.log(name, font.length, zipped.length)
}
