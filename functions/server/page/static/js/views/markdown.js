import { h } from '../dom.js';
import { table } from './table.js';

// renderInto shows blocks in a container. Blocks whose source is unchanged
// keep their elements, so that a growing answer doesn't lose a selection or
// the place to which a table was scrolled.
export function renderInto(container, blocks, notes = []) {
  const shown = container.shown ?? [];
  let same = 0;
  while (same < shown.length && same < blocks.length && shown[same] === key(blocks[same], notes)) same++;
  while (container.childNodes.length > same) container.lastChild.remove();
  for (const block of blocks.slice(same)) container.append(element(block, notes));
  container.shown = blocks.map((b) => key(b, notes));
}

function key(block, notes) {
  return block.type === 'table' ? block.raw + '\0' + notes.length : block.type + block.raw;
}

function element(block, notes) {
  switch (block.type) {
    case 'heading': return h(`h${Math.min(block.level + 2, 6)}`, {}, inline(block.inline));
    case 'para': return h('p', {}, inline(block.inline));
    case 'code': return h('pre', { tabindex: '0' }, h('code', {}, block.text));
    case 'rule': return h('hr');
    case 'quote': return h('blockquote', {}, block.blocks.map((b) => element(b, notes)));
    case 'list': return list(block, notes);
    case 'table': return table(block, { inline, note: block.note || noteOf(block, notes) });
  }
  return document.createTextNode('');
}

function list(block, notes) {
  const items = block.items.map((blocks) => {
    // A single paragraph in an item needs no paragraph's margin.
    const [first, ...rest] = blocks;
    const lead = first?.type === 'para' ? inline(first.inline) : first ? [element(first, notes)] : [];
    return h('li', {}, lead, rest.map((b) => element(b, notes)));
  });
  if (!block.ordered) return h('ul', {}, items);
  return h('ol', { start: block.start === 1 ? null : String(block.start) }, items);
}

// noteOf finds what the table's event said beside the table itself.
function noteOf(block, tables) {
  const same = tables.find((t) => (t.title ?? '') === block.caption && t.columns?.length === block.head.length && t.rows?.length === block.rows.length);
  return same?.note ?? '';
}

export function inline(nodes) {
  return nodes.map((node) => {
    switch (node.type) {
      case 'text': return node.text;
      case 'break': return h('br');
      case 'code': return h('code', {}, node.text);
      case 'link': return link(node);
      default: return h(node.type, {}, inline(node.children));
    }
  });
}

// link leads only to pages of our own; any other target is shown as text, so
// that nobody is led away by what a model wrote.
function link(node) {
  const label = inline(node.children);
  let url = null;
  try {
    url = new URL(node.target, location.href);
  } catch {
    return label;
  }
  const own = url.origin === location.origin && (url.protocol === 'https:' || url.protocol === 'http:');
  if (own) return h('a', { href: url.pathname + url.search + url.hash }, label);
  return url.protocol === 'https:' || url.protocol === 'http:' ? [label, ` (${url.href})`] : label;
}
