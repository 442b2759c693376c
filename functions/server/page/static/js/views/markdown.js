import { h } from '../dom.js';
import { figures } from './figures.js';
import { table } from './table.js';
import { plainText } from '../markdown.js';
import { tableOf, matching, source } from '../files.js';
import { readAsk } from '../ask.js';
import { askForm } from './ask.js';

// renderInto shows blocks in a container. Blocks whose source is unchanged
// keep their elements, so that a growing answer doesn't lose a selection or
// the place to which a table was scrolled. options: tables, those that events
// had, saveTable(table, format), answer(text), which answers a form; without
// it a form is shown as the text that it is; beside(id) returns what stands
// beside the table of that id, parts is how many parts there are by now, and
// run(tool, arguments) makes the calls that cells of tables offer.
export function renderInto(
  container,
  blocks,
  { tables = [], saveTable = null, answer = null, beside = null, parts = 0, run = null } = {},
) {
  const context = { tables, saveTable, answer, beside, run };
  const shown = container.shown ?? [];
  let same = 0;
  while (same < shown.length && same < blocks.length && shown[same] === key(blocks[same], tables, parts)) same++;
  while (container.childNodes.length > same) container.lastChild.remove();
  for (const block of blocks.slice(same)) container.append(element(block, context));
  container.shown = blocks.map((b) => key(b, tables, parts));
}

function key(block, tables, parts) {
  return block.type === 'table' ? `${block.raw}\0${tables.length}\0${parts}` : block.type + block.raw;
}

function element(block, context) {
  switch (block.type) {
    case 'heading':
      return h(`h${Math.min(block.level + 2, 6)}`, {}, inline(block.inline));
    case 'para':
      return h('p', {}, inline(block.inline));
    case 'code':
      return asked(block, context) ?? h('pre', { tabindex: '0' }, h('code', {}, block.text));
    case 'rule':
      return h('hr');
    case 'quote':
      return h(
        'blockquote',
        {},
        block.blocks.map((b) => element(b, context)),
      );
    case 'list':
      return list(block, context);
    case 'table':
      return shownTable(block, context);
  }
  return document.createTextNode('');
}

function list(block, context) {
  const items = block.items.map((blocks) => {
    // A single paragraph in an item needs no paragraph's margin.
    const [first, ...rest] = blocks;
    const lead = first?.type === 'para' ? inline(first.inline) : first ? [element(first, context)] : [];
    return h(
      'li',
      {},
      lead,
      rest.map((b) => element(b, context)),
    );
  });
  if (!block.ordered) return h('ul', {}, items);
  return h('ol', { start: block.start === 1 ? null : String(block.start) }, items);
}

function asked(block, { answer }) {
  const ask = answer && readAsk(block.language, block.text);
  return ask ? askForm(ask, answer) : null;
}

// The event of a table says more than the table in the text.
function shownTable(block, { tables, saveTable, beside, run }) {
  const known = source(block, tables);
  const others = beside?.(known?.id) ?? [];
  const about = known?.about ?? '';
  const shown = table(block, {
    inline,
    note: (block.note || (matching(block, tables)?.note ?? '')).replace(about, '').trim(),
    about,
    columns: known?.columns ?? null,
    run,
    save: saveTable && ((format) => saveTable(tableOf(block, plainText, tables), format)),
  });
  // What there is to press comes after what there is to read.
  const after = others.filter((o) => o.dataset.kind === 'choices');
  return others.length > 0
    ? h(
        'div',
        { class: 'beside' },
        others.filter((o) => !after.includes(o)),
        shown,
        after,
      )
    : shown;
}

export function inline(nodes) {
  return nodes.map((node) => {
    switch (node.type) {
      case 'text':
        return figures(node.text);
      case 'break':
        return h('br');
      case 'code':
        return h('code', {}, node.text);
      case 'link':
        return link(node);
      default:
        return h(node.type, {}, inline(node.children));
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
