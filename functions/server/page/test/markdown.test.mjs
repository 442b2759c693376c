import test from 'node:test';
import assert from 'node:assert/strict';
import { parse, plainText, words } from '../static/js/markdown.js';
import { parseInline } from '../static/js/inline.js';
import { withoutPreview } from '../static/js/preview.js';

// brief writes a tree in a short form that reads like what is seen.
const inl = (nodes) =>
  nodes
    .map((n) => {
      switch (n.type) {
        case 'text':
          return n.text;
        case 'break':
          return '⏎';
        case 'code':
          return `<code ${n.text}>`;
        case 'link':
          return `<link ${n.target} ${inl(n.children)}>`;
        default:
          return `<${n.type} ${inl(n.children)}>`;
      }
    })
    .join('');
const row = (cells) => cells.map((c) => (c.align === 'left' ? '' : `${c.align}:`) + inl(c.inline)).join('|');
const brief = (blocks) =>
  blocks
    .map((b) => {
      switch (b.type) {
        case 'heading':
          return `h${b.level}(${inl(b.inline)})`;
        case 'para':
          return `p(${inl(b.inline)})`;
        case 'code':
          return `pre[${b.language}](${b.text})`;
        case 'rule':
          return 'hr';
        case 'quote':
          return `quote(${brief(b.blocks)})`;
        case 'list':
          return `${b.ordered ? `ol${b.start}` : 'ul'}(${b.items.map(brief).join(', ')})`;
        case 'table':
          return `table[${b.caption}](${[row(b.head), ...b.rows.map(row)].join(' / ')})`;
      }
    })
    .join(' ');

const cases = {
  'headings and paragraphs': ['# One\n\n## Two ##\ntext\nmore\n\nnext', 'h1(One) h2(Two) p(text⏎more) p(next)'],
  'a hash without a space': ['#COCO is a code', 'p(#COCO is a code)'],
  'bold and italic': [
    '**a** *b* ***c*** __d__ _e_ ~~f~~',
    'p(<strong a> <em b> <em <strong c>> <strong d> <em e> <del f>)',
  ],
  'bold inside italic': ['*a **b** c*', 'p(<em a <strong b> c>)'],
  'marks that are no emphasis': ['2 * 3 * 4, snake_case_name, a** b', 'p(2 * 3 * 4, snake_case_name, a** b)'],
  'an open mark while streaming': ['This is **bol', 'p(This is **bol)'],
  'inline code': ['use `COCO *x*` and `` a`b ``', 'p(use <code COCO *x*> and <code a`b>)'],
  'a fence, also unclosed': [
    '```go\na := 1\n\n# no heading\n```\nafter\n```\nopen',
    'pre[go](a := 1\n\n# no heading) p(after) pre[](open)',
  ],
  'escaped marks': ['\\*not\\* \\_it\\_ 5 \\| 6 \\# \\`', 'p(*not* _it_ 5 | 6 # `)'],
  'entities become text': ['&lt;b&gt; &amp; &#34;x&#39; &#x1F6CE;', 'p(<b> & "x\' 🛎)'],
  'entities in code become text as well': ['`a &lt; b`\n\n```\nif a &lt; b\n```', 'p(<code a < b>) pre[](if a < b)'],
  'decoded only once': ['&amp;lt;b&amp;gt; \\&lt;', 'p(&lt;b&gt; &lt;)'],
  lists: ['- a\n- b\n  - c\n  - d\n- e', 'ul(p(a), p(b) ul(p(c), p(d)), p(e))'],
  'an ordered list keeps its start': ['3. a\n4. b\n   more', 'ol3(p(a), p(b⏎more))'],
  'a loose list is one list': ['1. a\n\n2. b\n\ntext', 'ol1(p(a), p(b)) p(text)'],
  'a list right after a sentence': [
    'You have:\n- a\n- b\n\nThat is all.',
    'p(You have:) ul(p(a), p(b)) p(That is all.)',
  ],
  'a year at the start of a line': ['It opened in\n1986. A good year.', 'p(It opened in⏎1986. A good year.)'],
  'a quotation': ['> a\n> - b\n\nc', 'quote(p(a) ul(p(b))) p(c)'],
  'a rule': ['a\n\n---\nb', 'p(a) hr p(b)'],
  'a table of pipes': [
    '| Room | Price |\n|:--|--:|\n| COCO | **140** |\n| a \\| b |',
    'table[](Room|right:Price / COCO|right:<strong 140> / a | b|right:)',
  ],
  'pipes without a divider': ['a | b\nc | d', 'p(a | b⏎c | d)'],
  'links are kept for the view to judge': [
    '[Rooms](/rooms "t") and [x](javascript:alert(1))',
    'p(<link /rooms Rooms> and <link javascript:alert(1) x>)',
  ],
  'images are only their text': ['![a view](https://evil.example/x.png?secret)', 'p(a view)'],
  'brackets that are no link': ['[1] and [a](b c) [', 'p([1] and [a](b c) [)'],
  'markup is text': [
    '<b>x</b> <img src=x onerror=alert(1)>\n\n<script>alert(1)</script>',
    'p(<b>x</b> <img src=x onerror=alert(1)>) p(<script>alert(1)</script>)',
  ],
  'carriage returns': ['a\r\nb\r\n\r\nc', 'p(a⏎b) p(c)'],
};

for (const [name, [source, want]] of Object.entries(cases)) {
  test(name, () => assert.equal(brief(parse(source)), want));
}

// S0-55
const ours =
  '<table style="border-collapse:collapse;font-size:0.85rem"><caption style="text-align:left">Rooms &amp; rates</caption>' +
  '<thead style="background:#f8fafc"><tr><th style="text-align:left">Room</th><th style="padding:4px 8px;text-align:right">Price</th></tr></thead>' +
  '<tbody><tr><td style="text-align:left">Pine &lt;b&gt;</td><td style="text-align:right">€ 140.00</td></tr></tbody></table>';

test('a table of ours', () => {
  assert.equal(
    brief(parse(`Here:\n\n${ours}\n\nDone.`)),
    'p(Here:) table[Rooms & rates](Room|right:Price / Pine <b>|right:€ 140.00) p(Done.)',
  );
});

test('text after a table on its line is kept', () => {
  assert.equal(
    brief(parse(`a\n${ours} **b**`)),
    'p(a) table[Rooms & rates](Room|right:Price / Pine <b>|right:€ 140.00) p(<strong b>)',
  );
});

test('a table within a sentence, or without its end, is text', () => {
  assert.match(brief(parse(`see ${ours}`)), /^p\(see <table/);
  assert.match(brief(parse('<table><tr><td>a')), /^p\(<table>/);
});

test('nothing but text comes out of a hostile table', () => {
  const source =
    '<table onclick="x()"><caption><img src=x onerror=alert(1)>cap</caption><tr><th>h<script>alert(1)</script></th></tr>' +
    '<tr><td style="background:url(//evil);text-align:right" onmouseover=x><a href="javascript:x">link</a><style>td{}</style></td></tr>' +
    '<tr><td><!-- hidden --><svg><circle onload=x>drawn</svg>c<br>d &#0; &lt;i&gt;</td></tr>stray<iframe src=//evil>in</iframe></table>';
  const [table] = parse(source);
  assert.equal(brief([table]), 'table[cap](h / right:link / c d \ufffd <i>)');
  const keys = new Set();
  JSON.stringify(table, (k, v) => {
    keys.add(k);
    return v;
  });
  keys.delete('raw');
  assert.deepEqual([...keys].filter((k) => !/^\d*$/.test(k)).sort(), [
    'align',
    'caption',
    'head',
    'inline',
    'note',
    'rows',
    'text',
    'type',
  ]);
});

test('the foot of a table is its note', () => {
  const [table] = parse(
    '<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>1</td></tr></tbody><tfoot><tr><td colspan="1">A is a &lt;figure&gt;.</td></tr></tfoot></table>',
  );
  assert.equal(table.note, 'A is a <figure>.');
  assert.equal(table.rows.length, 1);
});

test('every prefix of an answer can be shown, and finished blocks keep their source', () => {
  const text = `# Rooms\n\nYou **have** five [rooms](/r):\n\n- a\n  1. b\n\n${ours}\n\n| a | b |\n|---|---|\n| c | d |\n\n\`\`\`js\nx\n\`\`\`\n> end`;
  const final = parse(text).map((b) => b.raw);
  for (let i = 0; i <= text.length; i++) {
    const raws = parse(text.slice(0, i)).map((b) => b.raw);
    for (const [n, raw] of raws.slice(0, -2).entries()) assert.equal(raw, final[n], `prefix ${i}`);
  }
});

test('hostile text costs linear time and nests little', { timeout: 60_000 }, () => {
  const hostile = {
    stars: '*',
    'open stars': '*a ',
    'mixed stars': '**a *b ',
    brackets: '[',
    'links that never close': '[a](',
    'code that never closes': '`a``b',
    quotations: '> ',
    items: '- ',
    'line ends': '\n',
    cells: '<tr><td>',
    ampersands: '&',
    underscores: '_a',
    tildes: '~~a',
    'loose items': '- a\n\n',
    spaces: ' ',
  };
  const depth = (n) =>
    1 + (n.children ?? n.inline ?? n.blocks ?? (n.items ?? []).flat()).reduce((d, c) => Math.max(d, depth(c)), 0);
  for (const [name, piece] of Object.entries(hostile)) {
    // Quadratic work on this much text would take minutes, not milliseconds.
    const blocks = [
      `${piece.repeat(100_000)}x`,
      `# ${piece.repeat(50_000)}x`,
      `<table>${piece.repeat(50_000)}</table>`,
      `a|b\n${piece.repeat(50_000)}`,
    ].flatMap(parse);
    words(blocks);
    const deepest = blocks.reduce((d, b) => Math.max(d, depth(b)), 0);
    assert.ok(deepest < 120, `${name} nests ${deepest} deep`);
  }
});

test('plain words for a screen reader', () => {
  assert.equal(words(parse(`## A\n**b** \`c\`\n\n- d\n\n${ours}`)), 'A\nb c\nd\nRooms & rates: 1 rows.');
  assert.equal(plainText(parseInline('[a **b**](/c)\nd')), 'a b d');
});

const proposal = { code: 'K7QM', preview: { title: 'Add the extra Star_Walk (new)' } };
const preview =
  '**Add the extra Star\\_Walk (new)**\n\n- Price: € 45.00\n- Note: careful\n\nShall I do this? Answer **yes** or **no**. (K7QM)';

test('the written preview gives way to its card', () => {
  assert.equal(brief(withoutPreview(parse(`I looked.\n\n${preview}`), proposal, false)), 'p(I looked.)');
  assert.equal(brief(withoutPreview(parse(`I looked.\n\n${preview.slice(0, 60)}`), proposal, true)), 'p(I looked.)');
});

test('other text is never taken for a preview', () => {
  for (const text of [
    preview + '\n\nAnd more.',
    preview.replace('(K7QM)', '(ABCD)'),
    preview.replace('Star', 'Moon'),
    'Just text (K7QM)',
  ]) {
    const blocks = parse(text);
    assert.equal(withoutPreview(blocks, proposal, false).length, blocks.length);
  }
  const blocks = parse(preview);
  assert.equal(withoutPreview(blocks, null, false), blocks);
});
