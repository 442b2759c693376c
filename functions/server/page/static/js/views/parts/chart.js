import { h } from '../../dom.js';
import { readDrawing } from '../../drawing.js';

const svg = 'http://www.w3.org/2000/svg';

// show shows a chart: its drawing for the room there is, larger in the panel.
export function show(part, { open }) {
  const { title = '', narrow = '' } = part.data;
  const wide = build(readDrawing(part.data.svg));
  if (!wide) throw new Error('The chart has no drawing.');
  const small = narrow ? build(readDrawing(narrow)) : null;
  return h('figure', { class: 'chart' },
    h('div', { class: small ? 'chart-wide' : 'chart-only' }, wide),
    small ? h('div', { class: 'chart-narrow' }, small) : null,
    part.beside ? null : h('details', { class: 'chart-figures' }, h('summary', {}, 'Figures'), figures(part)),
    open ? h('div', { class: 'table-tools' }, h('button', { type: 'button', class: 'link', 'aria-label': `Open the chart “${title}”`, onclick: () => open(title, room(part)) }, 'Open')) : null);
}

// room is the chart with its figures, for the panel.
function room(part) {
  return h('div', { class: 'chart-room' }, show({ ...part, beside: '-' }, {}), figures(part));
}

// figures is the chart in words, a line for each label.
function figures(part) {
  const [, ...lines] = (part.text ?? '').split('\n');
  return h('ul', { class: 'chart-list', 'aria-label': 'Figures' }, lines.map((line) => {
    const at = line.lastIndexOf(': ');
    return h('li', {}, h('span', {}, at < 0 ? line : line.slice(0, at)), h('b', {}, at < 0 ? '' : line.slice(at + 2)));
  }));
}

function build(node) {
  if (node === null || typeof node === 'string') return node;
  const element = document.createElementNS(svg, node.name);
  for (const [name, value] of Object.entries(node.attributes)) element.setAttribute(name, value);
  element.append(...node.children.map(build));
  return element;
}
