import { h, icon, button } from '../dom.js';
import { form } from './form.js';

// againForm is the call that made a part, folded away, to be changed and run again without
// a model (S1-17). Where it finds something, the part is replaced in place. It is null
// for a part that no search has made, or that cannot be made again here. again: schema(),
// which returns {parameters, offers}, and run(arguments), which replaces the part and
// throws what kept it from that.
export function againForm({ tool = '', arguments: values = {} }, again, label) {
  if (!again || !searches(tool)) return null;
  const body = h('div', { class: 'again-body' });
  let asked = false;
  const open = async () => {
    asked = true;
    body.replaceChildren(h('p', { class: 'form-help' }, 'Fetching the form…'));
    try {
      const { parameters, offers } = await again.schema();
      draw(body, form(parameters, values, offers), again.run);
    } catch (error) {
      asked = false; // opening it again asks again
      body.replaceChildren(failed(error));
    }
  };
  const element = h(
    'details',
    { class: 'again', ontoggle: () => element.open && !asked && open() },
    h('summary', {}, icon('tools'), h('span', {}, label), icon('chevron', 'turn')),
    body,
  );
  return element;
}

// searches says of a tool that it searches or chooses among what was found.
export const searches = (tool) => /^(search|filter)_/.test(tool ?? '');

function draw(body, fields, run) {
  const submit = button('Search again', { class: 'primary', icon: 'retry', type: 'submit' });
  const result = h('div', { class: 'again-result', 'aria-live': 'polite' });
  body.replaceChildren(
    h(
      'form',
      {
        class: 'again-form',
        onsubmit: async (e) => {
          e.preventDefault();
          if (submit.disabled) return;
          submit.disabled = true;
          result.replaceChildren(h('p', { class: 'form-help' }, 'Searching…'));
          try {
            await run(fields.read());
          } catch (error) {
            result.replaceChildren(failed(error));
          }
          submit.disabled = false;
        },
      },
      fields.element,
      h('div', { class: 'again-foot' }, submit, result),
    ),
  );
  body.querySelector('input, select, textarea')?.focus();
}

function failed(error) {
  return h('p', { class: 'again-failed', role: 'alert' }, icon('alert'), h('span', {}, error.message));
}
