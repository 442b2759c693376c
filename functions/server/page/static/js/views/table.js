import { h } from '../dom.js';
import { order } from '../sort.js';
import { plainText } from '../markdown.js';
import { calls, places, withoutZeroCents } from '../columns.js';
import { figures } from './figures.js';

const short = 24; // a cell of so few characters is not broken
const long = 48; // one of more is not squeezed into a narrow column
const narrow = 560; // pixels below which a table that does not fit is shown as cards

// table shows a table block in a container that scrolls sideways by itself, so
// that wide tables never widen the page; a shadow says where there is more. In
// little room each row is a card, its important columns first. A heading sorts
// by its column: rising, falling, and back to the order in which the rows came.
// save(format), where given, saves the table as 'csv' or 'xlsx'; columns are
// those of the part, with their priorities and with the call that shows what a
// cell names; run(tool, arguments) makes it. about says how its figures are
// computed.
export function table(block, { inline, note = '', about = '', columns = null, save = null, run = null }) {
  const align = (c) => (c.align === 'left' ? null : `to-${c.align}`);
  const label = block.caption || 'Table';
  const place = places(columns, block.head.length);
  const cells = trimmed(block.rows);
  const cell = (c, i, row, n) => {
    const text = plainText(c.inline);
    const head = block.head[i] ? plainText(block.head[i].inline) : '';
    const shown =
      (run && opened(columns, row, i, n, run)) ??
      h('span', {}, c.inline.every((n) => n.type === 'text') ? figures(text) : inline(c.inline));
    return h(
      'td',
      {
        class: [
          align(c),
          text.length <= short && 'short',
          text.length > long && 'long',
          text === '' && 'blank',
          `place-${place[i] ?? 2}`,
        ],
        'data-label': head || null,
      },
      shown,
    );
  };
  const rows = cells.map((row, n) =>
    h(
      'tr',
      {},
      row.map((c, i) => cell(c, i, row, n)),
    ),
  );
  const body = h('tbody', {}, rows);
  const even = rows.length > 1 && block.rows.every((r) => r.length === block.head.length);
  const heads = block.head.map((c, i) =>
    h(
      'th',
      { scope: 'col', class: align(c) },
      even
        ? h('button', { type: 'button', class: 'sort', onclick: () => turn(i) }, inline(c.inline))
        : inline(c.inline),
    ),
  );
  const sort = (column, way) => {
    heads.forEach((head) => head.removeAttribute('aria-sort'));
    chosen.value = way === '' ? '' : `${column} ${way}`;
    if (way === '') return body.append(...rows);
    heads[column].setAttribute('aria-sort', way);
    body.append(
      ...order(
        rows.map((row) => row.children[column].textContent),
        way === 'descending',
      ).map((i) => rows[i]),
    );
  };
  const turn = (column) =>
    sort(column, { ascending: 'descending', descending: '' }[heads[column].getAttribute('aria-sort')] ?? 'ascending');
  const chosen = h(
    'select',
    { class: 'field', 'aria-label': `Sort “${label}” by`, onchange: () => sort(...chosen.value.split(' '), '') },
    h('option', { value: '' }, 'Sort by…'),
    block.head.flatMap((c, i) =>
      [
        ['ascending', '↑'],
        ['descending', '↓'],
      ].map(([way, sign]) => h('option', { value: `${i} ${way}` }, `${plainText(c.inline)} ${sign}`)),
    ),
  );
  const all = h(
    'button',
    {
      type: 'button',
      class: 'link',
      'aria-pressed': 'false',
      onclick: () => {
        const open = figure.classList.toggle('all-columns');
        all.setAttribute('aria-pressed', String(open));
      },
    },
    'All columns',
  );
  const saver = (name, format) =>
    h(
      'button',
      { type: 'button', class: 'link', 'aria-label': `Save “${label}” as ${name}`, onclick: () => save(format) },
      name,
    );
  const scroll = h(
    'div',
    { class: 'table-scroll', tabindex: '0', role: 'group', 'aria-label': label },
    h(
      'table',
      {},
      block.caption ? h('caption', {}, h('span', {}, figures(block.caption))) : null,
      heads.length > 0 ? h('thead', {}, h('tr', {}, heads)) : null,
      body,
    ),
  );
  const figure = h(
    'figure',
    { class: ['table', block.head.length > 7 && 'dense', block.head.length < 3 && 'pairs'] },
    h('div', { class: 'table-frame' }, scroll),
    h('div', { class: 'cards-tools' }, even && rows.length > 2 ? chosen : null, place.includes(2) ? all : null),
    note ? h('figcaption', {}, note) : null,
    about
      ? h('details', { class: 'table-about' }, h('summary', {}, 'How is this computed?'), h('p', {}, about))
      : null,
    save && rows.length > 0
      ? h(
          'div',
          { class: 'table-tools' },
          h('span', { 'aria-hidden': 'true' }, 'Save as'),
          saver('CSV', 'csv'),
          saver('Excel', 'xlsx'),
        )
      : null,
  );
  watch(figure, scroll, block.head.length);
  return figure;
}

// opened shows a cell of the nth row as buttons, each of which makes a call that the
// cell's column names; null for a cell that opens nothing.
function opened(columns, row, i, n, run) {
  const found = calls(
    columns,
    row.map((c) => plainText(c.inline)),
    i,
    n,
  );
  if (found.length === 0) return null;
  return found.flatMap((call, k) => [
    k > 0 ? ', ' : '',
    h('button', { type: 'button', class: 'link', onclick: () => run(call.tool, call.arguments) }, call.name),
  ]);
}

// trimmed leaves out decimals that say nothing in a whole column.
function trimmed(rows) {
  const width = Math.max(0, ...rows.map((r) => r.length));
  const out = rows.map((r) => [...r]);
  for (let i = 0; i < width; i++) {
    const before = rows.map((r) => (r[i] ? plainText(r[i].inline) : ''));
    withoutZeroCents(before).forEach((text, n) => {
      if (text !== before[n]) out[n][i] = { ...rows[n][i], inline: [{ type: 'text', text }] };
    });
  }
  return out;
}

// watch keeps a table in the form that fits the room it has.
function watch(figure, scroll, columns) {
  let width = -1;
  const shadows = () => {
    const over = scroll.scrollWidth - scroll.clientWidth;
    figure.classList.toggle('more-left', over > 1 && scroll.scrollLeft > 1);
    figure.classList.toggle('more-right', over > 1 && scroll.scrollLeft < over - 1);
  };
  const fit = () => {
    const now = figure.clientWidth;
    if (now === 0) return;
    if (now !== width) {
      width = now;
      figure.classList.remove('cards', 'wider');
      const over = () => scroll.scrollWidth > scroll.clientWidth + 1;
      figure.classList.toggle('cards', columns > 2 && now < narrow && over());
      figure.classList.toggle('wider', over());
    }
    shadows();
  };
  new ResizeObserver(fit).observe(figure);
  scroll.addEventListener('scroll', shadows, { passive: true });
}
