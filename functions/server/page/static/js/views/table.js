import { h } from '../dom.js';

// table shows a table block in a container that scrolls sideways by itself,
// so that wide tables never widen the page.
export function table(block, { inline, note = '' }) {
  const cell = (name, c, extra = {}) => h(name, { class: c.align === 'left' ? null : `to-${c.align}`, ...extra }, inline(c.inline));
  const label = block.caption || 'Table';
  return h('figure', { class: 'table' },
    h('div', { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': label },
      h('table', {},
        block.caption ? h('caption', {}, block.caption) : null,
        block.head.length > 0 ? h('thead', {}, h('tr', {}, block.head.map((c) => cell('th', c, { scope: 'col' })))) : null,
        h('tbody', {}, block.rows.map((row) => h('tr', {}, row.map((c) => cell('td', c))))),
      ),
    ),
    note ? h('figcaption', {}, note) : null,
  );
}
