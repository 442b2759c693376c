import { h } from '../dom.js';
import { order } from '../sort.js';
import { plainText } from '../markdown.js';

const short = 24; // a cell of so few characters is not broken

// table shows a table block in a container that scrolls sideways by itself,
// so that wide tables never widen the page. A heading sorts by its column:
// rising, falling, and back to the order in which the rows came.
// save(format), where given, saves the table as 'csv' or 'xlsx'.
export function table(block, { inline, note = '', save = null }) {
  const align = (c) => (c.align === 'left' ? null : `to-${c.align}`);
  const label = block.caption || 'Table';
  const rows = block.rows.map((row) => h('tr', {}, row.map((c) => h('td', { class: [align(c), plainText(c.inline).length <= short && 'short'] }, inline(c.inline)))));
  const body = h('tbody', {}, rows);
  const even = rows.length > 1 && block.rows.every((r) => r.length === block.head.length);
  const heads = block.head.map((c, i) => h('th', { scope: 'col', class: align(c) },
    even ? h('button', { type: 'button', class: 'sort', onclick: () => sort(i) }, inline(c.inline)) : inline(c.inline)));
  const sort = (column) => {
    const before = heads[column].getAttribute('aria-sort');
    heads.forEach((head) => head.removeAttribute('aria-sort'));
    if (before === 'descending') return body.append(...rows);
    heads[column].setAttribute('aria-sort', before ? 'descending' : 'ascending');
    body.append(...order(rows.map((row) => row.children[column].textContent), Boolean(before)).map((i) => rows[i]));
  };
  const saver = (name, format) => h('button', { type: 'button', class: 'link', 'aria-label': `Save “${label}” as ${name}`, onclick: () => save(format) }, name);
  return h('figure', { class: 'table' },
    h('div', { class: 'table-scroll', tabindex: '0', role: 'group', 'aria-label': label },
      h('table', {},
        block.caption ? h('caption', {}, h('span', {}, block.caption)) : null,
        heads.length > 0 ? h('thead', {}, h('tr', {}, heads)) : null,
        body,
      ),
    ),
    note ? h('figcaption', {}, note) : null,
    save && rows.length > 0 ? h('div', { class: 'table-tools' }, h('span', { 'aria-hidden': 'true' }, 'Save as'), saver('CSV', 'csv'), saver('Excel', 'xlsx')) : null,
  );
}
