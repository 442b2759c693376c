import { h } from '../dom.js';
import { renderer } from '../parts.js';

// partView shows a part by its kind's renderer, or by its words. context:
// open(title, element) shows something in the room beside the conversation,
// say(words) sends words, answer(text) answers a form, run(tool, arguments) runs
// a tool, save(table, format), and projects, with photos(code), draft(code),
// link(code, photo, width) and open(code, {edit, page}).
export function partView(part, context) {
  const show = renderer(part.kind);
  try {
    if (show) return h('div', { class: 'part', 'data-kind': part.kind }, show(part, context));
  } catch (error) {
    console.error(error); // the words say the same
  }
  return h('div', { class: 'part', 'data-kind': part.kind }, h('pre', { class: 'part-words', tabindex: '0' }, part.text ?? ''));
}
