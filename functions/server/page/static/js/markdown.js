// A small Markdown for answers. It makes a tree, never HTML: the view builds
// elements from the tree, so text can't turn into markup. The server escapes
// what a model wrote, therefore entities are decoded, in code too.

import { parseInline, plainText } from './inline.js';
import { readTable } from './htmltable.js';
import { decodeEntities } from './entities.js';
import { readAsk } from './ask.js';

export { plainText };

const maxDepth = 6;
const patterns = {
  fence: /^ {0,3}(`{3,}|~{3,})\s*([^`]*)$/,
  heading: /^ {0,3}(#{1,6})(?:[ \t](.*))?$/,
  rule: /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/,
  quote: /^ {0,3}> ?(.*)$/,
  item: /^( *)([-*+]|\d{1,9}[.)])(?:( +)(.*)|)$/,
  html: /^ {0,3}<table[\s>].*<\/table>/i,
  divider: /^ {0,3}\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/,
};

// parse returns blocks, each with raw, the source it came from, so that a view
// can tell which blocks have changed while an answer grows:
// heading {level, inline}, para {inline}, code {language, text}, rule,
// quote {blocks}, list {ordered, start, items: [blocks]},
// table {caption, head: [{inline, align}], rows: [[{inline, align}]], note}.
export function parse(source) {
  return parseLines(source.replace(/\r\n?/g, '\n').split('\n'), 0);
}

function parseLines(lines, depth) {
  const blocks = [];
  for (let i = 0; i < lines.length;) {
    if (lines[i].trim() === '') {
      i++;
      continue;
    }
    const [block, end] = blockAt(lines, i, depth);
    block.raw = lines.slice(i, end).join('\n');
    blocks.push(block);
    i = end;
  }
  return blocks;
}

function blockAt(lines, i, depth) {
  const line = lines[i];
  let m;
  if ((m = patterns.fence.exec(line))) return fenceAt(lines, i, m);
  if (patterns.html.test(line)) return htmlAt(lines, i);
  if ((m = patterns.heading.exec(line)))
    return [{ type: 'heading', level: m[1].length, inline: parseInline(title(m[2] ?? '')) }, i + 1];
  if (patterns.rule.test(line)) return [{ type: 'rule' }, i + 1];
  if (depth < maxDepth && patterns.quote.test(line)) return quoteAt(lines, i, depth);
  if (depth < maxDepth && patterns.item.test(line)) return listAt(lines, i, depth);
  if (pipesAt(lines, i)) return pipeTableAt(lines, i);
  return paraAt(lines, i, depth);
}

// title drops the marks that may close a heading.
function title(text) {
  const t = text.trim();
  let end = t.length;
  while (end > 0 && t[end - 1] === '#') end--;
  return end === 0 || t[end - 1] === ' ' ? t.slice(0, end).trim() : t;
}

function fenceAt(lines, i, [, mark, info]) {
  let end = i + 1;
  const closed = (line) => {
    const t = line.trim();
    return t.length >= mark.length && t === mark[0].repeat(t.length);
  };
  while (end < lines.length && !closed(lines[end])) end++;
  const text = decodeEntities(lines.slice(i + 1, end).join('\n'));
  return [{ type: 'code', language: info.trim().split(/\s/)[0], text }, Math.min(end + 1, lines.length)];
}

function htmlAt(lines, i) {
  const at = lines[i].toLowerCase().indexOf('</table>') + '</table>'.length;
  const t = readTable(lines[i].slice(0, at));
  const cell = (c) => ({ inline: c.text === '' ? [] : [{ type: 'text', text: c.text }], align: c.align });
  // Whatever follows the table on its line is text of its own.
  const rest = lines[i].slice(at);
  if (rest.trim() !== '') {
    lines[i] = lines[i].slice(0, at);
    lines.splice(i + 1, 0, rest);
  }
  return [
    { type: 'table', caption: t.caption, head: t.head.map(cell), rows: t.rows.map((r) => r.map(cell)), note: t.note },
    i + 1,
  ];
}

function quoteAt(lines, i, depth) {
  const inner = [];
  let end = i;
  for (let m; end < lines.length && (m = patterns.quote.exec(lines[end])); end++) inner.push(m[1]);
  return [{ type: 'quote', blocks: parseLines(inner, depth + 1) }, end];
}

function listAt(lines, i, depth) {
  const [, , firstMark] = patterns.item.exec(lines[i]);
  const ordered = /\d/.test(firstMark);
  const kind = (mark) => (/\d/.test(mark) ? mark.at(-1) : mark);
  const base = patterns.item.exec(lines[i])[1].length;
  const items = [];
  let end = i;
  while (end < lines.length) {
    const m = patterns.item.exec(lines[end]);
    if (!m || m[1].length > base + 3 || kind(m[2]) !== kind(firstMark) || patterns.rule.test(lines[end])) break;
    const indent = m[1].length + m[2].length + (m[3] && m[3].length <= 4 ? m[3].length : 1);
    const inner = [m[4] ?? ''];
    end++;
    for (; end < lines.length; end++) {
      const line = lines[end];
      const lead = line.length - line.trimStart().length;
      const blank = line.trim() === '';
      if (blank) {
        const next = lines[end + 1];
        if (
          next === undefined ||
          next.trim() === '' ||
          next.length - next.trimStart().length < Math.min(indent, m[1].length + 2)
        )
          break;
        inner.push('');
      } else if (lead >= Math.min(indent, m[1].length + 2)) inner.push(line.slice(Math.min(lead, indent)));
      else if (interrupts(line)) break;
      else if (inner.at(-1) === '') break;
      else inner.push(line.trimStart());
    }
    items.push(parseLines(inner, depth + 1));
    // One blank line between two items is still one list.
    const next = lines[end + 1];
    if (lines[end]?.trim() === '' && next !== undefined && patterns.item.test(next)) end++;
  }
  const block = { type: 'list', ordered, items };
  if (ordered) block.start = parseInt(firstMark, 10);
  return [block, end];
}

function interrupts(line, within = '') {
  const m = patterns.item.exec(line);
  // "1986. A good year" within a paragraph is no list.
  const item = m !== null && (within !== 'para' || !/\d/.test(m[2]) || parseInt(m[2], 10) === 1);
  return (
    item ||
    patterns.fence.test(line) ||
    patterns.heading.test(line) ||
    patterns.quote.test(line) ||
    patterns.rule.test(line) ||
    patterns.html.test(line)
  );
}

function pipesAt(lines, i) {
  const next = lines[i + 1];
  return (
    lines[i].includes('|') &&
    next !== undefined &&
    next.includes('-') &&
    patterns.divider.test(next) &&
    splitRow(lines[i]).length === splitRow(next).length
  );
}

function splitRow(line) {
  const cells = [];
  let cell = '';
  const body = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(^|[^\\])\|$/, '$1');
  for (let i = 0; i < body.length; i++) {
    if (body[i] === '\\' && body[i + 1] === '|') {
      cell += '|';
      i++;
    } else if (body[i] === '|') {
      cells.push(cell.trim());
      cell = '';
    } else cell += body[i];
  }
  cells.push(cell.trim());
  return cells;
}

function pipeTableAt(lines, i) {
  const align = splitRow(lines[i + 1]).map((c) =>
    !c.endsWith(':') ? 'left' : c.startsWith(':') ? 'center' : 'right',
  );
  const cells = (line) => {
    const found = splitRow(line);
    return align.map((a, n) => ({ inline: parseInline(found[n] ?? ''), align: a }));
  };
  let end = i + 2;
  while (end < lines.length && lines[end].includes('|') && lines[end].trim() !== '') end++;
  return [{ type: 'table', caption: '', head: cells(lines[i]), rows: lines.slice(i + 2, end).map(cells) }, end];
}

function paraAt(lines, i, depth) {
  let end = i + 1;
  while (
    end < lines.length &&
    lines[end].trim() !== '' &&
    !(depth < maxDepth && interrupts(lines[end], 'para')) &&
    !pipesAt(lines, end)
  )
    end++;
  return [
    {
      type: 'para',
      inline: parseInline(
        lines
          .slice(i, end)
          .map((l) => l.trimStart())
          .join('\n')
          .trimEnd(),
      ),
    },
    end,
  ];
}

// words returns the whole answer as plain sentences, for a screen reader.
export function words(blocks) {
  return blocks.map(blockWords).filter(Boolean).join('\n');
}

function blockWords(block) {
  switch (block.type) {
    case 'heading':
    case 'para':
      return plainText(block.inline);
    case 'code':
      return asked(readAsk(block.language, block.text)) ?? block.text;
    case 'quote':
      return words(block.blocks);
    case 'list':
      return block.items.map(words).join('\n');
    case 'table':
      return `${block.caption || 'Table'}: ${block.rows.length} rows.`;
  }
  return '';
}

function asked(ask) {
  if (ask?.kind === 'clarification') return `${ask.question} ${ask.options.join(', ')}.`;
  if (ask)
    return [
      ask.title,
      ...ask.applied.map(([k, v]) => `${k}: ${v}`),
      ...ask.pending.map(([k, hint]) => `${k}: ${hint || 'wanted'}`),
    ]
      .filter(Boolean)
      .join('\n');
  return null;
}
