import { inline } from '../markdown.js';
import { table } from '../table.js';

// show shows a table that came as data.
export function show(part, { save = null, run = null } = {}) {
  const { title = '', columns = [], rows = [], note = '', about = '' } = part.data;
  const align = columns.map((c) => (c.right ? 'right' : 'left'));
  const cell = (words, i) => ({ inline: [{ type: 'text', text: words }], align: align[i] });
  return table(
    { caption: title, head: columns.map((c, i) => cell(c.label, i)), rows: rows.map((row) => row.map(cell)) },
    { inline, note, about, columns, run, save: save && ((format) => save(part.data, format)) },
  );
}
