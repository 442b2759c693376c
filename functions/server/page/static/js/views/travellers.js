import { h, icon, button } from '../dom.js';
import { OwnDrawer, fieldOf, valuesOf } from './owndrawer.js';
import {
  lacks,
  nameOf,
  passportFields,
  passportWords,
  travellerFields,
  travellerOf,
  valueOf,
  wrongFields,
} from '../travelprofile.js';
import { shortDay } from '../travel.js';

const path = '/api/travellers';

// TravellersView is the list of the people for whom the person books, and the form of
// each. What is entered goes to its own endpoint and is read by no model.
export class TravellersView extends OwnDrawer {
  #list = [];

  constructor(api, options) {
    super(api, options, 'Travellers');
  }

  // open shows the list, the form of a traveller by code, or, with fresh, an empty one.
  open({ code = '', fresh = false } = {}) {
    return this.fetch(
      async () => (await this.api.json(path)).travellers,
      (list) => {
        this.#list = list;
        const found = list.find((t) => t.code === code);
        if (found) this.#edit(found);
        else if (fresh) this.#edit(null);
        else this.#all();
      },
    );
  }

  #all(note = null) {
    const add = button('Add a traveller', { icon: 'plus', class: 'primary', onclick: () => this.#edit(null) });
    this.body.replaceChildren(
      h(
        'p',
        { class: 'form-help' },
        'Only you see this. The assistant knows each by a code, as adult or child, and what is missing: no names, birthdays or documents.',
      ),
      ...(note ? [note] : []),
      this.#list.length > 0
        ? h(
            'ul',
            { class: 'own-list' },
            this.#list.map((t) => h('li', {}, this.#row(t))),
          )
        : h('p', { class: 'own-none' }, 'There is nobody yet. Add the people for whom you book, yourself among them.'),
      h('div', {}, add),
    );
  }

  #row(t) {
    const missing = lacks(t);
    return h(
      'div',
      { class: 'own-row' },
      h(
        'div',
        { class: 'own-words' },
        h(
          'p',
          {},
          h('b', {}, nameOf(t)),
          h('span', { class: 'own-code' }, t.code),
          t.self ? h('span', { class: 'state' }, 'You') : null,
        ),
        h(
          'p',
          { class: 'own-detail' },
          [
            t.bornOn ? `Born ${shortDay(t.bornOn).replace(/^\S+ /, '')} ${t.bornOn.slice(0, 4)}` : '',
            passportWords(t.passport),
          ]
            .filter(Boolean)
            .join(' · '),
        ),
        missing.length > 0 ? h('p', { class: 'own-missing' }, `For a flight is missing: ${missing.join(', ')}`) : null,
      ),
      h(
        'div',
        { class: 'own-do' },
        button('Edit', {
          class: 'small',
          icon: 'pencil',
          'aria-label': `Edit ${nameOf(t)}`,
          onclick: () => this.#edit(t),
        }),
        this.asks('Remove', `Remove ${nameOf(t)}?`, 'Yes, remove', async () => {
          await this.api.json(`${path}/${encodeURIComponent(t.code)}`, null, { method: 'DELETE' });
          await this.open();
        }),
      ),
    );
  }

  #edit(traveller) {
    const known = traveller ?? { self: this.#list.length === 0 };
    const field = (f) => fieldOf(f, valueOf(known, f.name));
    const fields = travellerFields.map(field);
    const document = passportFields.map(field);
    const self = h('input', { type: 'checkbox', checked: Boolean(known.self) });
    const save = button('Save', { class: 'primary', icon: 'check', type: 'submit' });
    const result = h('div', { 'aria-live': 'polite' });
    const key = crypto.randomUUID(); // the same act, if an answer is lost
    const submit = async (e) => {
      e.preventDefault();
      if (save.disabled) return;
      save.disabled = true;
      result.replaceChildren();
      try {
        const body = travellerOf(valuesOf([...fields, ...document]), {
          self: self.checked,
          version: traveller?.version ?? 0,
        });
        await (traveller
          ? this.api.json(`${path}/${encodeURIComponent(traveller.code)}`, body, { method: 'PUT' })
          : this.api.json(path, body, { key }));
        const list = (await this.api.json(path)).travellers;
        this.#list = list;
        this.#all(h('p', { class: 'own-saved', role: 'status' }, icon('check'), 'Saved.'));
        this.body.querySelector('.own-saved + .own-list button')?.focus();
      } catch (error) {
        this.#refused(error, [...fields, ...document], result);
      }
      save.disabled = false;
    };
    this.body.replaceChildren(
      h(
        'form',
        { class: 'own-form', novalidate: true, onsubmit: submit },
        button('All travellers', { class: 'quiet small', onclick: () => this.#all() }),
        h('h3', {}, traveller ? nameOf(traveller) : 'New traveller'),
        h('label', { class: 'own-check' }, self, h('span', {}, 'This is me')),
        h(
          'div',
          { class: 'own-fields' },
          fields.map((f) => f.element),
        ),
        h(
          'details',
          { class: 'own-more', open: Boolean(known.passport) },
          h('summary', {}, icon('chevron', 'turn'), 'Passport', h('span', { class: 'optional' }, ' optional')),
          h(
            'p',
            { class: 'form-help' },
            known.passport
              ? 'Of the number only the last signs are shown. Left as it is, it stays.'
              : 'Some airlines and countries ask for it. It can be added later.',
          ),
          h(
            'div',
            { class: 'own-fields' },
            document.map((f) => f.element),
          ),
        ),
        h('div', { class: 'own-foot' }, save, button('Cancel', { onclick: () => this.#all() })),
        result,
      ),
    );
    fields[2].input.focus();
  }

  #refused(error, fields, result) {
    const wrong = wrongFields(error);
    for (const field of fields) field.wrong(wrong.get(field.name) ?? '');
    const first = fields.find((f) => wrong.has(f.name));
    if (first) {
      first.element.closest('details')?.setAttribute('open', '');
      return first.input.focus();
    }
    this.fail(
      error.code === 'changed'
        ? Object.assign(new Error('This traveller was changed elsewhere meanwhile.'), { code: 'changed' })
        : error,
      result,
      error.code === 'changed' ? () => this.open() : null,
    );
  }
}
