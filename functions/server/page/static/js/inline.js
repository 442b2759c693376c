// The inline half of Markdown: emphasis, code and links within a paragraph.

import { decodeEntities } from './entities.js';

const escapable = /[!-/:-@[-`{-~]/;
const maxOpen = 48; // open marks that are remembered, and so the depth of nesting
const maxLabel = 1024;
const maxTarget = 2048;

// parseInline returns a list of nodes: {type:'text', text}, {type:'code', text},
// {type:'break'}, {type:'strong'|'em'|'del', children} and
// {type:'link', target, children}. What a target may be is for the view to judge.
export function parseInline(text, depth = 0) {
  const parts = []; // nodes, and marks that may become emphasis
  let plain = '';
  const flush = () => {
    if (plain !== '') parts.push({ type: 'text', text: decodeEntities(plain) });
    plain = '';
  };
  const add = (node) => {
    flush();
    parts.push(node);
  };
  for (let i = 0; i < text.length;) {
    const c = text[i];
    if (c === '\\' && i + 1 < text.length && escapable.test(text[i + 1])) {
      // An escaped ampersand must not begin an entity with what follows.
      add({ type: 'text', text: text[i + 1] });
      i += 2;
    } else if (c === '`') {
      const code = codeAt(text, i);
      if (code.text !== null) add({ type: 'code', text: decodeEntities(code.text) });
      else plain += text.slice(i, code.end);
      i = code.end;
    } else if (c === '\n') {
      plain = plain.trimEnd();
      add({ type: 'break' });
      i++;
    } else if (c === '*' || c === '_' || c === '~') {
      const end = runEnd(text, i);
      const mark = markAt(text, i, end);
      if (mark) add(mark);
      else plain += text.slice(i, end);
      i = end;
    } else if ((c === '[' || (c === '!' && text[i + 1] === '[')) && depth < 2) {
      const image = c === '!';
      const link = linkAt(text, image ? i + 1 : i);
      if (!link) {
        plain += c;
        i++;
        continue;
      }
      // Images are never loaded; what they are said to show is kept as text.
      if (image) plain += link.label;
      else add({ type: 'link', target: link.target, children: parseInline(link.label, depth + 1) });
      i = link.end;
    } else {
      plain += c;
      i++;
    }
  }
  flush();
  return emphasise(parts);
}

function runEnd(text, i) {
  let end = i;
  while (end < text.length && text[end] === text[i]) end++;
  return end;
}

function codeAt(text, i) {
  const open = runEnd(text, i);
  const fence = text.slice(i, open);
  for (let at = text.indexOf(fence, open); at >= 0; at = text.indexOf(fence, at)) {
    const end = runEnd(text, at);
    if (end - at === fence.length) {
      let inner = text.slice(open, at).replace(/\n/g, ' ');
      if (inner.startsWith(' ') && inner.endsWith(' ') && inner.trim() !== '') inner = inner.slice(1, -1);
      return { text: inner, end };
    }
    at = end;
  }
  return { text: null, end: open };
}

function markAt(text, start, end) {
  const c = text[start];
  if (c === '~' && end - start !== 2) return null;
  const before = start === 0 ? ' ' : text[start - 1];
  const after = end === text.length ? ' ' : text[end];
  const space = /\s/;
  const word = /[\p{L}\p{N}]/u;
  let opens = !space.test(after) && (word.test(after) || !word.test(before));
  let closes = !space.test(before) && (word.test(before) || !word.test(after));
  if (c === '_') {
    // snake_case is a word, not emphasis.
    opens &&= !word.test(before);
    closes &&= !word.test(after);
  }
  return opens || closes ? { type: 'mark', char: c, count: end - start, opens, closes } : null;
}

function linkAt(text, open) {
  let close = -1;
  let depth = 0;
  for (let i = open; i < text.length && i < open + maxLabel; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '[') depth++;
    else if (text[i] === ']' && --depth === 0) {
      close = i;
      break;
    }
  }
  if (close < 0 || text[close + 1] !== '(') return null;
  const rest = text.slice(close + 2, close + 2 + maxTarget);
  const match = /^\s*<?([^\s()<>]*(?:\([^\s()<>]*\)[^\s()<>]*)*)>?(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)/.exec(rest);
  if (!match) return null;
  return { label: text.slice(open + 1, close), target: decodeEntities(match[1]), end: close + 2 + match[0].length };
}

// emphasise pairs the marks. It remembers a bounded number of open ones, so
// that hostile text costs linear time and never nests deeper than that.
function emphasise(parts) {
  const out = [];
  const open = []; // {mark, at}: at is the index in out where its content begins
  for (const part of parts) {
    if (part.type !== 'mark') {
      out.push(part);
      continue;
    }
    let count = part.count;
    while (part.closes && count > 0) {
      const i = open.findLastIndex((o) => o.mark.char === part.char && o.left > 0);
      if (i < 0) break;
      const opener = open[i];
      const use = Math.min(2, count, opener.left);
      if (part.char === '~' && use < 2) break;
      open.slice(i + 1).forEach((o) => (o.left = 0)); // those in between stay literal
      open.length = i + 1;
      const children = out.splice(opener.at);
      const type = part.char === '~' ? 'del' : use === 2 ? 'strong' : 'em';
      opener.left -= use;
      opener.literal.text = opener.literal.text.slice(use);
      out.push({ type, children });
      if (opener.left === 0) open.length = i;
      count -= use;
    }
    if (count === 0) continue;
    const literal = { type: 'text', text: part.char.repeat(count) };
    out.push(literal);
    if (part.opens) {
      if (open.length === maxOpen) open.shift();
      open.push({ mark: part, left: count, literal, at: out.length });
    }
  }
  return tidy(out);
}

function tidy(nodes) {
  const out = [];
  for (const node of nodes) {
    if (node.children && node.type !== 'link') node.children = tidy(node.children);
    if (node.type === 'text') {
      const last = out.at(-1);
      if (node.text === '') continue;
      if (last?.type === 'text') {
        last.text += node.text;
        continue;
      }
    }
    out.push(node);
  }
  return out;
}

// plainText returns the words of inline nodes, for labels and screen readers.
export function plainText(nodes) {
  return nodes.map((n) => (n.type === 'break' ? ' ' : (n.text ?? plainText(n.children)))).join('');
}
