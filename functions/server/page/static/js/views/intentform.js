import { h, icon, button, iconButton } from '../dom.js';
import { draft, nameOf, longest, mostPhrases } from '../intents.js';

let forms = 0; // each has ids of its own

// intentForm edits an intent of the organisation, or a new one, whose version is 0. The
// options: agents, save(name, body) and remove(name, version), which return promises, and
// failed(error), which returns the words for a refusal, or null where it was dealt with.
export function intentForm(intent, { agents, save, remove, failed }) {
  const id = `intent-${++forms}`;
  const isNew = intent.version === 0;
  const field = (name, label, attributes, help) => {
    const input = h('input', {
      class: 'field',
      id: `${id}-${name}`,
      autocomplete: 'off',
      'aria-describedby': help ? `${id}-${name}-help` : null,
      ...attributes,
    });
    return [
      input,
      h(
        'div',
        { class: 'form-field' },
        h('label', { for: input.id }, label),
        input,
        help ? h('p', { class: 'form-help', id: `${id}-${name}-help` }, help) : null,
      ),
    ];
  };
  const [name, nameField] = field(
    'name',
    'Name',
    { maxlength: 64, required: true },
    'Small letters and underscores, such as lantern_tours.',
  );
  name.addEventListener('change', () => (name.value = nameOf(name.value)));
  const [about, aboutField] = field('about', 'What people want', { maxlength: 300, value: intent.description });
  const agent = h(
    'select',
    { class: 'field', id: `${id}-agent` },
    agents.map((a) => h('option', { value: a.name, selected: a.name === intent.agent }, a.label)),
  );
  const list = h('ul', { class: 'intents-phrases' });
  const more = button('Add a phrase', { class: 'small', icon: 'plus', onclick: () => add('').focus() });
  const says = h('div', { 'aria-live': 'polite' });

  function add(text) {
    const input = h('input', { class: 'field', maxlength: longest, value: text, autocomplete: 'off' });
    const gone = iconButton('Remove', 'bin', {
      onclick: () => {
        const next = row.nextElementSibling ?? row.previousElementSibling;
        row.remove();
        (next?.querySelector('input') ?? more).focus();
        number();
      },
    });
    const row = h('li', {}, input, gone);
    input.addEventListener('input', number);
    list.append(row);
    number();
    return input;
  }
  // Rows are named by their place and words, for those who hear them.
  function number() {
    const rows = [...list.children];
    rows.forEach((row, i) => {
      const [input, gone] = [row.querySelector('input'), row.querySelector('button')];
      input.setAttribute('aria-label', `Phrase ${i + 1}`);
      gone.setAttribute('aria-label', input.value ? `Remove “${input.value}”` : `Remove phrase ${i + 1}`);
    });
    more.disabled = rows.length >= mostPhrases;
  }

  const act = async (work) => {
    if (fields.disabled) return;
    fields.disabled = true;
    says.replaceChildren();
    try {
      await work();
    } catch (error) {
      fields.disabled = false;
      const words = failed(error);
      if (words) says.replaceChildren(h('div', { class: 'failure', role: 'alert' }, icon('alert'), h('p', {}, words)));
    }
  };
  const submit = (event) => {
    event.preventDefault();
    const texts = [...list.querySelectorAll('input')].map((input) => input.value);
    const body = draft(intent, { agent: agent.value, description: about.value, texts });
    act(() => save(isNew ? nameOf(name.value) : intent.name, body));
  };
  const sure = button('Yes, delete it', {
    class: 'small',
    hidden: true,
    onclick: () => act(() => remove(intent.name, intent.version)),
  });
  const ask = button('Delete', {
    class: 'small quiet',
    icon: 'bin',
    'aria-label': `Delete ${intent.name}`,
    onclick: () => {
      sure.hidden = false;
      ask.hidden = true;
      sure.focus();
    },
  });
  const fields = h(
    'fieldset',
    { class: 'intents-fields' },
    h('legend', { class: 'visually-hidden' }, isNew ? 'New intent' : intent.name),
    isNew ? nameField : null,
    h('div', { class: 'form-field' }, h('label', { for: agent.id }, 'Who answers'), agent),
    aboutField,
    h('div', { class: 'form-field' }, h('p', {}, 'What people say'), list, h('div', {}, more)),
    h(
      'div',
      { class: 'intents-acts' },
      button('Save', { class: 'small primary', icon: 'check', type: 'submit' }),
      isNew ? null : [ask, sure],
    ),
  );
  (isNew ? [''] : intent.phrases.map((p) => p.phrase)).forEach(add);
  return h('form', { class: 'intents-form', onsubmit: submit }, fields, says);
}
