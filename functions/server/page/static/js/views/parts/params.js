import { h } from '../../dom.js';
import { askForm } from '../ask.js';

const sources = { default: 'default', looked_up: 'from the records' };

// show shows what is known of something that is being made, and fields for what
// is still wanted.
export function show(part, { answer }) {
  const { title = '', applied = [], pending = [] } = part.data;
  if (!answer) return h('pre', { class: 'part-words', tabindex: '0' }, part.text ?? '');
  return askForm(
    {
      kind: 'params',
      title,
      applied: applied.map((a) => [a.label, a.value, sources[a.source] ?? '']),
      pending: pending.map((p) => [p.label, p.hint ?? '']),
    },
    answer,
  );
}
