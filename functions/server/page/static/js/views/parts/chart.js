import { h } from '../../dom.js';
import { readDrawing } from '../../drawing.js';

const svg = 'http://www.w3.org/2000/svg';

// show shows a chart: its drawing for the room there is, larger in the panel.
export function show(part, { open }) {
  const { title = '', narrow = '' } = part.data;
  const wide = build(readDrawing(part.data.svg));
  if (!wide) throw new Error('The chart has no drawing.');
  const small = narrow ? build(readDrawing(narrow)) : null;
  return h(
    'figure',
    { class: 'chart' },
    h('div', { class: small ? 'chart-wide' : 'chart-only' }, wide, pointed(part, wide)),
    small ? h('div', { class: 'chart-narrow' }, small, pointed(part, small)) : null,
    part.beside ? null : h('details', { class: 'chart-figures' }, h('summary', {}, 'Figures'), figures(part)),
    open
      ? h(
          'div',
          { class: 'table-tools' },
          h(
            'button',
            {
              type: 'button',
              class: 'link',
              'aria-label': `Open the chart “${title}”`,
              onclick: () => open(title, room(part)),
            },
            'Open',
          ),
        )
      : null,
  );
}

// pointed is a line below a calendar that names the day at which somebody points, or
// that a finger presses, with its figure. Figures below say the same to all others.
function pointed(part, drawing) {
  if (!drawing.hasAttribute('data-days')) return null;
  const days = part.text.split('\n').slice(1);
  const line = h(
    'p',
    { class: 'chart-day', 'aria-hidden': 'true' },
    'Point at a day, or press it, to see its figure.',
  );
  const show = (event) => {
    const box = drawing.getBoundingClientRect();
    const scale = drawing.viewBox.baseVal.width / box.width;
    line.textContent =
      days[
        dayAt(drawing.getAttribute('data-days'), (event.clientX - box.left) * scale, (event.clientY - box.top) * scale)
      ] ?? '';
  };
  drawing.addEventListener('pointermove', show);
  drawing.addEventListener('pointerdown', show);
  return line;
}

// dayAt returns the index of the day at a place of a calendar, -1 for none. days is the
// attribute data-days of its drawing: left, top, width and height of a day, from band to
// band, weeks, places before the first day, and whether weeks are rows.
export function dayAt(days, x, y) {
  const [left, top, wide, high, band, weeks, before, across] = days.split(' ').map(Number);
  if (x < left || y < top) return -1;
  const column = Math.floor((x - left) / wide);
  if (across) return column > 6 ? -1 : Math.max(-1, Math.floor((y - top) / high) * 7 + column - before);
  const week = Math.floor((y - top) / band) * weeks + column,
    day = Math.floor(((y - top) % band) / high);
  return column >= weeks || day > 6 ? -1 : Math.max(-1, week * 7 + day - before);
}

// room is the chart with its figures, for the panel.
function room(part) {
  return h('div', { class: 'chart-room' }, show({ ...part, beside: '-' }, {}), figures(part));
}

// figures is the chart in words, a line for each label.
function figures(part) {
  const [, ...lines] = (part.text ?? '').split('\n');
  return h(
    'ul',
    { class: 'chart-list', 'aria-label': 'Figures' },
    lines.map((line) => {
      const at = line.lastIndexOf(': ');
      return h(
        'li',
        {},
        h('span', {}, at < 0 ? line : line.slice(0, at)),
        h('b', {}, at < 0 ? '' : line.slice(at + 2)),
      );
    }),
  );
}

function build(node) {
  if (node === null || typeof node === 'string') return node;
  const element = document.createElementNS(svg, node.name);
  for (const [name, value] of Object.entries(node.attributes)) element.setAttribute(name, value);
  element.append(...node.children.map(build));
  return element;
}
