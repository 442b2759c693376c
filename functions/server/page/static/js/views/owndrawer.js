import { h, icon, button, iconButton } from '../dom.js';
import { SessionEnded } from '../auth.js';

// OwnDrawer is a drawer with what belongs to the person: it is read each time it is
// opened, and what goes wrong is said in it.
export class OwnDrawer {
  api;
  options;
  body = h('div', { class: 'drawer-body own' });

  // options: ended(error).
  constructor(api, options, title) {
    this.api = api;
    this.options = options;
    this.element = h(
      'dialog',
      { class: 'drawer', 'aria-label': title },
      h(
        'header',
        { class: 'drawer-head' },
        h('h2', {}, title),
        iconButton('Close', 'cross', { onclick: () => this.element.close() }),
      ),
      this.body,
    );
  }

  // fetch shows the drawer, reads, and draws what was read.
  async fetch(read, draw) {
    if (!this.element.open) {
      // What was shown last time would be replaced under the person's hands.
      this.body.replaceChildren(h('p', { class: 'form-help' }, 'Fetching…'));
      this.element.showModal();
    }
    try {
      draw(await read());
    } catch (error) {
      this.fail(error, this.body, () => this.fetch(read, draw));
    }
  }

  fail(error, place, again = null) {
    if (error instanceof SessionEnded) {
      this.element.close();
      return this.options.ended(error);
    }
    place.replaceChildren(
      h(
        'div',
        { class: 'failure', role: 'alert' },
        icon('alert'),
        h('div', {}, h('p', {}, error.message)),
        again ? button('Try again', { class: 'small', icon: 'retry', onclick: again }) : null,
      ),
    );
  }

  // asks is a button that asks once more before it does anything.
  asks(label, question, yes, act) {
    const place = h('div', { class: 'own-asks' });
    const first = button(label, {
      class: 'small quiet',
      onclick: () => {
        const sure = button(yes, {
          class: 'primary small danger',
          onclick: async () => {
            sure.disabled = true;
            try {
              await act();
            } catch (error) {
              this.fail(error, place);
            }
          },
        });
        place.replaceChildren(
          h('span', {}, question),
          sure,
          button('Keep', {
            class: 'small',
            onclick: () => {
              place.replaceChildren(first);
              first.focus();
            },
          }),
        );
        sure.focus();
      },
    });
    place.append(first);
    return place;
  }
}

let count = 0; // ids of fields, so that labels find them

// fieldOf is a field with its label, help, and a place for what is wrong with it:
// {element, input, wrong(text)}.
export function fieldOf({ name, label, help, options, list, required, ...attributes }, value) {
  const id = `own-${++count}`;
  const input = options
    ? h(
        'select',
        { class: 'field', id },
        h('option', { value: '' }, '—'),
        options.map(([v, words]) => h('option', { value: v, selected: v === value }, words)),
      )
    : h('input', { class: 'field', id, type: 'text', required, autocomplete: 'off', ...attributes });
  if (!options) input.value = value ?? '';
  const said = h('p', { class: 'own-wrong', id: `${id}-wrong`, hidden: true });
  const helped = help ? h('p', { class: 'form-help', id: `${id}-help` }, help) : null;
  const wrong = (text) => {
    said.textContent = text;
    said.hidden = !text;
    input.toggleAttribute('aria-invalid', Boolean(text));
    if (text) input.setAttribute('aria-invalid', 'true');
    input.setAttribute('aria-describedby', [text ? said.id : '', helped?.id ?? ''].filter(Boolean).join(' '));
  };
  if (helped) input.setAttribute('aria-describedby', helped.id);
  input.addEventListener('input', () => said.hidden || wrong(''));
  return {
    name,
    input,
    wrong,
    element: h(
      'div',
      { class: 'form-field', 'data-field': name },
      h('label', { for: id }, label, list ? h('span', { class: 'optional' }, ' several with commas') : null),
      input,
      helped,
      said,
    ),
  };
}

// valuesOf reads fields.
export const valuesOf = (fields) => Object.fromEntries(fields.map(({ name, input }) => [name, input.value]));
