// What a table's columns show where, and how figures are written.

const money = /^[-−]?\p{Sc}[\d,]+(\.\d+)?$/u;
const zeros = /\.0+$/;
const lines = 5; // columns that a card shows before it is opened, without its title

// withoutZeroCents returns the texts of one column, with "₹4,500" for "₹4,500.00"
// where all of its amounts of money are whole.
export function withoutZeroCents(texts) {
  const found = texts.map((t) => money.exec(t));
  if (found.some((m) => m?.[1] && !zeros.test(m[0]))) return texts;
  return texts.map((t, i) => (found[i] ? t.replace(zeros, '') : t));
}

// places says where each column stands on a card: 0 is its title, 1 is shown, 2
// only when the card is opened. columns are those of a table part, where it is
// known; else the order decides.
export function places(columns, count) {
  const ranked = columns?.length === count && columns.some((c) => c.priority > 0);
  const all = Array.from({ length: count }, (_, i) => i);
  const first = ranked ? all.filter((i) => columns[i].priority === 1) : all;
  const [title, ...rest] = first;
  const shown = new Set(ranked ? rest : rest.slice(0, lines));
  return all.map((i) => (i === title ? 0 : shown.has(i) ? 1 : 2));
}

// calls returns what the cell at a place of the nth row opens, by its column: for each
// name in it the tool and its arguments. texts are those of the row; a row has its own
// arguments, or one is the text of a cell beside those that all rows have.
export function calls(columns, texts, place, n) {
  const call = columns?.length === texts.length ? columns[place].open : null;
  const text = texts[place];
  if (!call?.tool || text === '') return [];
  if (call.rows) {
    const own = call.rows[n] ?? {};
    return Object.keys(own).length > 0 ? [{ name: text, tool: call.tool, arguments: own }] : [];
  }
  const value = call.of ? (texts[columns.findIndex((c) => c.key === call.of)] ?? '') : '';
  if (call.of && value === '') return [];
  return (call.of ? [text] : text.split(', ')).map((name) => ({
    name,
    tool: call.tool,
    arguments: { ...call.with, [call.argument]: value || name },
  }));
}

// pieces cuts a text into figures and days, which no line end may part, and the rest:
// {text, figure}.
export function pieces(text) {
  const out = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(
    /\d{2}-\p{Lu}\p{Ll}{2}-\d{4}|\d{2}\/\d{2}\/\d{4}|[-−]?\p{Sc}\s?[-−]?\d[\d,.]*\d(?:\s(?:lakh|crore|लाख|करोड़))?|[-−]?\p{Sc}\s?\d|(?:[▲▼►=]\s)?\d[\d,.]*\d(?:\s%)?/gu,
  )) {
    if (index > at) out.push({ text: text.slice(at, index), figure: false });
    out.push({ text: found, figure: true });
    at = index + found.length;
  }
  if (at < text.length) out.push({ text: text.slice(at), figure: false });
  return out;
}
