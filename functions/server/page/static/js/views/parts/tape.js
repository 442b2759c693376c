import { h, icon } from '../../dom.js';
import { figures } from '../figures.js';

const day = 86_400_000;
const kinds = { stay: 'Booked', hold: 'Held', block: 'Blocked' };

// show shows rows against days. A free day is pressed to take it, or several by
// dragging or with Shift and the arrows; what takes days is pressed to open it.
// All of it is one stop for the Tab key: the arrows move from cell to cell.
export function show(part, { run = null } = {}) {
  const tape = part.data;
  const chart = new Tape(tape, run);
  return h(
    'figure',
    { class: 'tape' },
    h('div', { class: 'tape-scroll', tabindex: '0', role: 'group', 'aria-label': tape.title }, chart.element),
    chart.said,
    h(
      'figcaption',
      { class: 'tape-legend' },
      Object.entries(kinds).map(([kind, name]) =>
        h('span', {}, h('i', { class: 'tape-mark', 'data-kind': kind, 'aria-hidden': 'true' }), name),
      ),
      run && tape.free
        ? h(
            'span',
            {},
            h('i', { class: 'tape-mark', 'data-kind': 'free', 'aria-hidden': 'true' }),
            'Free: press to book, drag for several nights',
          )
        : null,
      tape.note ? h('span', {}, tape.note) : null,
    ),
  );
}

class Tape {
  #tape;
  #run;
  #cells = []; // by row and day: {button, row, from, to, span}
  #marked = [];
  #start = null; // the cell where a selection began
  said = h('p', { class: 'visually-hidden', 'aria-live': 'polite' });

  constructor(tape, run) {
    this.#tape = tape;
    this.#run = run;
    this.element = h(
      'table',
      { class: 'tape-table', 'data-days': tape.days > 21 ? 'many' : 'few' },
      h('caption', {}, h('span', {}, figures(tape.title))),
      h(
        'colgroup',
        {},
        h('col', { class: 'tape-names' }),
        Array.from({ length: tape.days }, () => h('col', { class: 'tape-day' })),
      ),
      this.#head(),
      h(
        'tbody',
        {},
        tape.rows.map((row, n) => this.#row(row, n)),
      ),
    );
    this.#firstCell()?.button.setAttribute('tabindex', '0');
    this.element.addEventListener('keydown', (e) => this.#key(e));
    this.element.addEventListener('pointerdown', (e) => this.#press(e));
    this.element.addEventListener(
      'pointerover',
      (e) => this.#start && e.buttons === 1 && this.#mark(this.#start, this.#cellOf(e.target)),
    );
    this.element.addEventListener('click', (e) => this.#click(e));
  }

  #date(n) {
    return new Date(Date.parse(this.#tape.from) + n * day).toISOString().slice(0, 10);
  }

  #head() {
    const { days, today } = this.#tape;
    const heads = [];
    const months = [];
    for (let n = 0; n < days; n++) {
      const at = new Date(Date.parse(this.#tape.from) + n * day);
      const write = (how) => at.toLocaleDateString('en-GB', { timeZone: 'UTC', ...how });
      const month = write({ month: 'long', year: 'numeric' });
      if (months.at(-1)?.name === month) months.at(-1).days++;
      else months.push({ name: month, days: 1 });
      heads.push(
        h(
          'th',
          {
            scope: 'col',
            class: this.#look(n),
            'aria-label':
              write({ weekday: 'long', day: 'numeric', month: 'long' }) + (this.#date(n) === today ? ', today' : ''),
          },
          h('span', {}, write({ weekday: 'short' })),
          h('b', {}, String(at.getUTCDate())),
        ),
      );
    }
    return h(
      'thead',
      {},
      h(
        'tr',
        { class: 'tape-months', 'aria-hidden': 'true' },
        h('td', {}),
        months.map((m) => h('td', { colspan: m.days }, h('span', {}, m.name))),
      ),
      h(
        'tr',
        {},
        h('th', { scope: 'col', class: 'tape-unit' }, h('span', { class: 'visually-hidden' }, 'Unit')),
        heads,
      ),
    );
  }

  #look(n) {
    const weekday = new Date(Date.parse(this.#tape.from) + n * day).getUTCDay();
    return [this.#date(n) === this.#tape.today && 'today', (weekday === 5 || weekday === 6) && 'weekend'];
  }

  #row(row, n) {
    const { days } = this.#tape;
    const cells = [];
    this.#cells[n] = [];
    const spans = this.#tape.spans.filter((s) => s.row === n).sort((a, b) => a.at - b.at);
    let at = 0;
    while (at < days) {
      const span = spans.find((s) => s.at <= at && s.at + s.days > at);
      const to = span ? Math.min(days, span.at + span.days) : at + 1;
      const button = span ? this.#taken(row, span, to) : this.#free(row, at);
      const cell = { button, row: n, from: at, to, span };
      for (let i = at; i < to; i++) this.#cells[n][i] = cell;
      cells.push(
        h(
          'td',
          { colspan: to - at > 1 ? to - at : null, class: span ? 'taken' : ['free', ...this.#look(at)] },
          button,
        ),
      );
      at = to;
    }
    return h(
      'tr',
      {},
      h(
        'th',
        { scope: 'row', class: 'tape-unit' },
        h('b', {}, row.key),
        row.label ? h('span', {}, row.label) : null,
        row.note ? h('span', { class: 'tape-note' }, row.note) : null,
      ),
      cells,
    );
  }

  #taken(row, span, to) {
    const { days, open } = this.#tape;
    const when = `${shown(this.#date(span.at))} to ${shown(this.#date(span.at + span.days))}`;
    const words = `${row.key}: ${span.label}, ${when}, ${(kinds[span.kind] ?? span.kind).toLowerCase()}${span.pinned ? ', fixed to this unit' : ''}${span.key ? `, ${span.key}` : ''}`;
    const may = Boolean(this.#run && open?.tool && span.key);
    return h(
      'button',
      {
        type: 'button',
        class: ['tape-span', span.at < 0 && 'before', span.at + span.days > days && 'after'],
        'data-kind': span.kind,
        tabindex: '-1',
        'aria-label': words,
        'aria-disabled': may ? null : 'true',
        title: words,
      },
      span.pinned ? icon('pin') : null,
      h('span', {}, span.label),
    );
  }

  #free(row, n) {
    const date = this.#date(n);
    const may = Boolean(this.#run && this.#tape.free?.tool) && !(this.#tape.today && date < this.#tape.today);
    return h('button', {
      type: 'button',
      class: ['tape-free', !may && 'past'],
      tabindex: '-1',
      'aria-disabled': may ? null : 'true',
      'aria-label': `${row.key}: ${shown(date)}, free`,
    });
  }

  #firstCell() {
    const today = this.#tape.today
      ? Math.round((Date.parse(this.#tape.today) - Date.parse(this.#tape.from)) / day)
      : 0;
    return this.#cells[0]?.[Math.min(Math.max(today, 0), this.#tape.days - 1)];
  }

  #cellOf(target) {
    const button = target.closest?.('button');
    return button && this.#cells.flat().find((c) => c.button === button);
  }

  #focus(cell) {
    for (const b of this.element.querySelectorAll('button[tabindex="0"]')) b.setAttribute('tabindex', '-1');
    cell.button.setAttribute('tabindex', '0');
    cell.button.focus();
  }

  #key(e) {
    const cell = this.#cellOf(e.target);
    if (!cell) return;
    const row = this.#cells[cell.row];
    const last = this.#tape.days - 1;
    const to = {
      ArrowRight: () => row[Math.min(cell.to, last)],
      ArrowLeft: () => row[Math.max(cell.from - 1, 0)],
      ArrowDown: () => this.#cells[cell.row + 1]?.[Math.min(cell.from, last)],
      ArrowUp: () => this.#cells[cell.row - 1]?.[Math.min(cell.from, last)],
      Home: () => row[0],
      End: () => row[last],
    }[e.key];
    if (e.key === 'Escape' && this.#marked.length > 0) {
      this.#mark(null, null);
      return e.preventDefault();
    }
    const next = to?.();
    if (!next) return;
    e.preventDefault();
    if (e.shiftKey && (e.key === 'ArrowRight' || e.key === 'ArrowLeft') && this.#takes(cell) && this.#takes(next)) {
      this.#start ??= cell;
      this.#mark(this.#start, next);
    } else this.#mark(null, null);
    this.#focus(next);
  }

  #takes(cell) {
    return Boolean(cell) && !cell.span && cell.button.getAttribute('aria-disabled') !== 'true';
  }

  #press(e) {
    const cell = this.#cellOf(e.target);
    if (e.button !== 0 || e.pointerType === 'touch' || !this.#takes(cell)) return;
    this.#mark(cell, cell);
    document.addEventListener(
      'pointerup',
      (up) => {
        const end = this.#cellOf(up.target);
        // Over the cell where it began, the click that follows takes it.
        if (this.#start && end !== this.#start) this.#take();
      },
      { once: true },
    );
  }

  #click(e) {
    const cell = this.#cellOf(e.target);
    if (!cell || cell.button.getAttribute('aria-disabled') === 'true') return;
    if (cell.span) return this.#run(this.#tape.open.tool, { [this.#tape.open.argument]: cell.span.key });
    if (!this.#marked.includes(cell)) this.#mark(cell, cell);
    this.#take();
  }

  // mark selects the free days from one cell to another; null selects nothing.
  #mark(from, to) {
    for (const c of this.#marked) c.button.classList.remove('chosen');
    this.#marked = [];
    this.#start = from;
    if (!from) return;
    const row = this.#cells[from.row];
    const end = to && to.row === from.row ? to : from;
    const step = end.from < from.from ? -1 : 1;
    for (let n = from.from; this.#takes(row[n]) && n !== end.from + step; n += step) this.#marked.push(row[n]);
    for (const c of this.#marked) c.button.classList.add('chosen');
    if (this.#marked.length > 1) this.said.textContent = `${this.#marked.length} nights chosen`;
  }

  // take opens the call for the selected days.
  #take() {
    const { free, rows } = this.#tape;
    if (this.#marked.length === 0) return;
    const days = this.#marked.map((c) => c.from);
    const row = this.#marked[0].row;
    this.#mark(null, null);
    this.#run(free.tool, {
      ...rows[row].arguments,
      [free.from]: this.#date(Math.min(...days)),
      [free.to]: this.#date(Math.max(...days) + 1),
    });
  }
}

// shown writes a day as the rest of the page does: 24-Nov-2026.
function shown(date) {
  const [year, month, n] = date.split('-');
  return `${n}-${['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'][month - 1]}-${year}`;
}
