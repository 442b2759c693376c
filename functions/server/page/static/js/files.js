// Files that leave the page: how they are named and given to the browser.

// formats are what a conversation can be saved as.
export const formats = [
  { name: 'pdf', label: 'PDF', hint: 'to print or send' },
  { name: 'html', label: 'Web page', hint: 'HTML' },
  { name: 'md', label: 'Markdown', hint: 'plain text' },
  { name: 'xlsx', label: 'Excel workbook', hint: 'with its tables' },
  { name: 'csv', label: 'CSV', hint: 'tables and messages' },
  { name: 'json', label: 'JSON', hint: 'to go on elsewhere' },
];

// named reads the file's name from a Content-Disposition header. Whatever
// could lead out of a folder is left out.
export function named(disposition, otherwise) {
  const m = /filename\*?=(?:UTF-8'')?"?([^";]+)"?/i.exec(disposition ?? '');
  const name = (m?.[1] ?? '')
    .split(/[/\\]/)
    .at(-1)
    .replace(/[\u0000-\u001f]/g, '')
    .replace(/^\.+/, '')
    .trim();
  return name || otherwise;
}

// tableOf is a table block of an answer as the export door takes it. known are
// the tables that events had; the one that is shown is taken from there.
export function tableOf(block, text, known = []) {
  const same = matching(block, known);
  if (same) return same;
  return {
    title: block.caption || '',
    columns: block.head.map((c, i) => ({
      key: `c${i + 1}`,
      label: text(c.inline),
      ...(c.align === 'right' ? { right: true } : {}),
    })),
    rows: block.rows.map((row) => row.map((c) => text(c.inline))),
  };
}

// matching finds the table of an event that a block shows.
export function matching(block, tables) {
  return (
    tables.find(
      (t) =>
        (t.title ?? '') === block.caption &&
        t.columns?.length === block.head.length &&
        t.rows?.length === block.rows.length,
    ) ?? null
  );
}

// source finds the table of which a block shows at least the beginning.
export function source(block, tables) {
  return (
    matching(block, tables) ??
    tables.find((t) => (t.title ?? '') === block.caption && t.columns?.length === block.head.length) ??
    null
  );
}

// save gives a file to the browser, which asks where it goes or puts it where
// it always does.
export function save({ blob, name }) {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser reads the address a moment later.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
