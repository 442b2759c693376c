import { h, button } from '../dom.js';
import { readable } from '../answer.js';
import { answerTo } from '../ask.js';

let count = 0; // ids of fields, so that labels find them

// askForm shows a block in which an assistant asks. answer(text) says the
// answer as a message. The form's fieldset is closed while it may not be
// answered; whoever shows it opens it.
export function askForm(ask, answer) {
  const { fields, values, asks } = ask.kind === 'params' ? params(ask) : choice(ask);
  const send = button(ask.kind === 'params' ? 'Add these' : 'Answer', {
    class: 'primary small',
    type: 'submit',
    disabled: true,
  });
  const form = h(
    'form',
    {
      class: 'ask',
      oninput: () => (send.disabled = answerTo(ask, values()) === ''),
      onsubmit: (e) => {
        e.preventDefault();
        const text = answerTo(ask, values());
        if (text !== '') answer(text);
      },
    },
    h('fieldset', { disabled: true }, fields, asks ? h('div', { class: 'ask-foot' }, send) : null),
  );
  return form;
}

function choice({ question, type, options }) {
  const name = `ask-${++count}`;
  if (type === 'dropdown') {
    const select = h(
      'select',
      { class: 'field', id: name },
      h('option', { value: '' }, 'Choose…'),
      options.map((o) => h('option', { value: o }, o)),
    );
    return {
      asks: true,
      values: () => (select.value === '' ? [] : [select.value]),
      fields: [h('label', { class: 'ask-title', for: name }, question), select],
    };
  }
  const inputs = options.map((o) => h('input', { type, name, value: o }));
  return {
    asks: true,
    values: () => inputs.filter((i) => i.checked).map((i) => i.value),
    fields: [
      h('legend', { class: 'ask-title' }, question),
      h(
        'div',
        { class: 'ask-options' },
        inputs.map((i) => h('label', { class: 'ask-option' }, i, h('span', {}, i.value))),
      ),
    ],
  };
}

function params({ title, applied, pending }) {
  const inputs = pending.map(([name, hint]) => [
    name,
    hint,
    h('input', { class: 'field', id: `ask-${++count}`, autocomplete: 'off', maxlength: '500' }),
  ]);
  return {
    asks: pending.length > 0,
    values: () => inputs.map(([name, , input]) => [readable(name), input.value]),
    fields: [
      title ? h('legend', { class: 'ask-title' }, title) : null,
      applied.length > 0
        ? h(
            'dl',
            { class: 'ask-applied' },
            applied.map(([name, value, source]) =>
              h(
                'div',
                {},
                h('dt', {}, readable(name)),
                h('dd', {}, value, source ? h('span', { class: 'ask-source' }, source) : null),
              ),
            ),
          )
        : null,
      inputs.map(([name, hint, input]) => {
        if (hint) input.setAttribute('aria-describedby', `${input.id}-hint`);
        return h(
          'div',
          { class: 'form-field' },
          h('label', { for: input.id }, readable(name)),
          input,
          hint ? h('p', { class: 'form-help', id: `${input.id}-hint` }, hint) : null,
        );
      }),
    ],
  };
}
