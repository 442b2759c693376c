import { h, icon, button } from '../../dom.js';

// show shows choices as buttons that send words or run a tool. Several questions have one
// list each, and one button that sends what was chosen of them.
export function show(part, { say, run, act = run, may = true }) {
  const { title = '', questions } = part.data;
  const choices = offered(part.data.choices ?? [], may);
  if (questions) return several(questions, say);
  const press = (c) => (c.words ? say?.(c.words) : (c.now ? act : run)?.(c.tool, c.arguments ?? {}));
  if (choices.length === 0) return h('div', { hidden: true });
  return h(
    'div',
    { class: 'choices', role: 'group', 'aria-label': title || 'What next' },
    title ? h('p', {}, title) : null,
    h(
      'ul',
      { class: 'chips' },
      choices.map((c) =>
        h(
          'li',
          {},
          h(
            'button',
            { type: 'button', class: 'chip', onclick: () => press(c) },
            h('span', {}, c.label),
            icon('arrow'),
          ),
        ),
      ),
    ),
  );
}

// Tools that only look something up have one of these verbs.
const reads = /^(calculate|check|compare|count|filter|find|get|list|look|price|read|search|show|simulate|validate)_/;

// offered are the choices of those who may change something, and without it of those
// who may only look.
export function offered(choices, may) {
  return choices.filter((c) => may || !c.tool || reads.test(c.tool));
}

function several(questions, say) {
  const chosen = questions.map(() => '');
  const send = button('Answer', {
    class: 'primary',
    icon: 'arrow',
    disabled: true,
    onclick: () => say?.(chosen.filter(Boolean).join('. ')),
  });
  return h(
    'div',
    { class: 'choices' },
    questions.map(({ title, choices }, n) => {
      const chips = choices.map((c) =>
        h(
          'button',
          {
            type: 'button',
            class: 'chip',
            'aria-pressed': 'false',
            onclick: () => {
              chosen[n] = chosen[n] === c.words ? '' : c.words;
              chips.forEach((chip, i) => chip.setAttribute('aria-pressed', String(choices[i].words === chosen[n])));
              send.disabled = !chosen.some(Boolean);
            },
          },
          h('span', {}, c.label),
        ),
      );
      return h(
        'div',
        { class: 'choices', role: 'group', 'aria-label': title },
        h('p', {}, title),
        h(
          'ul',
          { class: 'chips' },
          chips.map((chip) => h('li', {}, chip)),
        ),
      );
    }),
    send,
  );
}
