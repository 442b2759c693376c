// Reads the one kind of HTML that an answer may hold: a table on one line, as
// our server writes it. The result is a plain model of text; no attribute and
// no element outlives the reading, whatever the source holds.

import { decodeEntities } from './entities.js';

const token = /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-z][a-z0-9]*)([^<>]*)>|[^<]+|</gi;
// Elements whose text is no text for people.
const silent = new Set([
  'script',
  'style',
  'template',
  'noscript',
  'iframe',
  'object',
  'textarea',
  'title',
  'svg',
  'math',
]);

// readTable returns {caption, head: [{text, align}], rows: [[{text, align}]],
// note}. The note is what stands in the table's foot.
// Tags other than caption, tr, th, td and br are dropped and their text kept
// where it stands in a cell; text outside of cells is dropped.
export function readTable(source) {
  const table = { caption: '', head: [], rows: [], note: '' };
  let foot = false;
  let row = null;
  let cell = null;
  let mute = '';
  const close = () => {
    if (cell) cell.text = cell.text.replace(/\s+/g, ' ').trim();
    cell = null;
  };
  const endRow = () => {
    close();
    if (row && row.length > 0) {
      const heads = row.every((c) => c.head);
      const cells = row.map(({ text, align }) => ({ text, align }));
      if (foot) table.note = cells.map((c) => c.text).join(' ');
      else if (heads && table.head.length === 0 && table.rows.length === 0) table.head = cells;
      else table.rows.push(cells);
    }
    row = null;
  };
  const caption = { text: '' };
  for (const [all, slash, rawName, attributes] of source.matchAll(token)) {
    if (rawName === undefined) {
      if (cell && !mute && !all.startsWith('<!--')) cell.text += decodeEntities(all);
      continue;
    }
    const name = rawName.toLowerCase();
    const closing = slash === '/';
    if (mute) {
      if (closing && name === mute) mute = '';
    } else if (silent.has(name)) {
      if (!closing) mute = name;
    } else if (name === 'tfoot') {
      endRow();
      foot = !closing;
    } else if (name === 'tr') {
      endRow();
      if (!closing) row = [];
    } else if (name === 'td' || name === 'th') {
      close();
      if (!closing) {
        row ??= [];
        cell = { text: '', align: alignOf(attributes), head: name === 'th' };
        row.push(cell);
      }
    } else if (name === 'caption') {
      close();
      if (!closing) cell = caption;
    } else if (name === 'br' && cell) {
      cell.text += ' ';
    }
  }
  endRow();
  table.caption = caption.text.replace(/\s+/g, ' ').trim();
  return table;
}

function alignOf(attributes) {
  const found = /text-align\s*:\s*(left|right|center)/i.exec(attributes);
  return found ? found[1].toLowerCase() : 'left';
}
