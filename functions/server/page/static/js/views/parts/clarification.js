import { h } from '../../dom.js';
import { askForm } from '../ask.js';

// show shows a question with a choice of answers.
export function show(part, { answer }) {
  const { question = '', type = 'radio', options = [] } = part.data;
  if (!answer) return h('pre', { class: 'part-words', tabindex: '0' }, part.text ?? '');
  return askForm({ kind: 'clarification', question, type, options }, answer);
}
