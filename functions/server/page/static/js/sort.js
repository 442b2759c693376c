// Orders the rows of a table by what their cells show. The table event carries
// the texts that people see, so figures and dates are read back from them:
// "₹1,20,000.50", "71.19 %", "▼ 4.50 %", "-3", "05-Jan-2026", "05/01/2026".

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

// valueOf returns a number for a figure or a date, null for an empty cell or
// one without a figure ("n/a", "—"), and else the text.
export function valueOf(text) {
  const s = text.trim();
  if (s === '' || s === '—' || s === '-' || s.toLowerCase() === 'n/a') return null;
  const day = /^(\d{2})-([A-Za-z]{3})-(\d{4})\b/.exec(s);
  if (day && months.includes(day[2].toLowerCase()))
    return Date.UTC(Number(day[3]), months.indexOf(day[2].toLowerCase()), Number(day[1]));
  const date = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(s);
  if (date) return Date.UTC(Number(date[3]), Number(date[2]) - 1, Number(date[1]));
  const figure =
    /^([-−+▲▼►=]?)\s*(?:\p{Sc}|[A-Z]{3}\s)?\s*([-−]?)(\d[\d,]*(?:\.\d+)?)\s*(?:%|\p{Sc}|[A-Z]{3})?$/u.exec(s);
  if (!figure) return s;
  const size = Number(figure[3].replaceAll(',', ''));
  return /[-−▼]/.test(figure[1] + figure[2]) ? -size : size;
}

// order returns the rows' indexes by column, rising or falling. Equal rows
// keep their order, and empty cells come last either way. A column is a column
// of figures only when all of its cells are.
export function order(texts, falling) {
  const values = texts.map(valueOf);
  const figures = values.every((v) => v === null || typeof v === 'number');
  const compare = (a, b) =>
    figures ? a - b : String(a).localeCompare(String(b), undefined, { numeric: true, sensitivity: 'base' });
  const keys = figures ? values : values.map((v, i) => (v === null ? null : texts[i].trim()));
  return texts
    .map((_, i) => i)
    .sort((i, j) => {
      if (keys[i] === null || keys[j] === null) return Number(keys[i] === null) - Number(keys[j] === null);
      return falling ? compare(keys[j], keys[i]) : compare(keys[i], keys[j]);
    });
}
