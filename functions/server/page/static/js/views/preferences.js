import { h, icon, button, iconButton } from '../dom.js';
import { OwnDrawer, fieldOf, valuesOf } from './owndrawer.js';
import {
  moment,
  preferenceChanges,
  preferenceFields,
  shownValue,
  subjects,
  switches,
  wrongFields,
} from '../travelprofile.js';

// PreferencesView shows what is remembered of a person's likes and decisions, to be
// changed, and to be forgotten.
export class PreferencesView extends OwnDrawer {
  #preferences = {};
  #decisions = [];

  constructor(api, options) {
    super(api, options, 'Travel preferences');
  }

  open(note = null) {
    return this.fetch(
      () => this.#read(),
      () => this.#draw(note),
    );
  }

  async #read() {
    const [found, { decisions = [] }] = await Promise.all([
      this.api.json('/api/preferences'),
      this.api.json('/api/decisions'),
    ]);
    this.#preferences = found.preferences ?? {};
    this.#decisions = decisions;
  }

  #draw(note) {
    this.body.replaceChildren(
      h('p', { class: 'form-help' }, 'Only you see this. The assistant reads it when it plans for you.'),
      ...(note ? [note] : []),
      this.#form(),
      h(
        'section',
        { class: 'own-section' },
        h('h3', {}, 'Decisions'),
        this.#decisions.length > 0
          ? h(
              'ul',
              { class: 'own-list' },
              this.#decisions.map((d) => h('li', {}, this.#decision(d))),
            )
          : h('p', { class: 'own-none' }, 'Nothing was decided yet, such as “no red-eye flights”.'),
        this.#decide(),
      ),
      h(
        'section',
        { class: 'own-section' },
        h('h3', {}, 'Forget'),
        h(
          'p',
          { class: 'form-help' },
          'Preferences, decisions and kept searches are deleted. Bookings and trips stay.',
        ),
        this.asks('Forget everything…', 'Really forget all of it?', 'Yes, forget it', async () => {
          await this.api.json('/api/preferences', null, { method: 'DELETE' });
          await this.open(saved('It is forgotten.'));
        }),
      ),
    );
  }

  #form() {
    const before = this.#preferences;
    const fields = preferenceFields.map((f) => fieldOf(f, shownValue(before, f)));
    const boxes = switches.map(({ name, label, help }) => ({
      name,
      box: h('input', { type: 'checkbox', role: 'switch', checked: Boolean(before[name]) }),
      label,
      help,
    }));
    const save = button('Save', { class: 'primary', icon: 'check', type: 'submit' });
    const result = h('div', { 'aria-live': 'polite' });
    return h(
      'form',
      {
        class: 'own-form',
        novalidate: true,
        onsubmit: async (e) => {
          e.preventDefault();
          if (save.disabled) return;
          const values = {
            ...valuesOf(fields),
            ...Object.fromEntries(boxes.map(({ name, box }) => [name, box.checked])),
          };
          const changes = preferenceChanges(before, values);
          for (const field of fields) field.wrong('');
          if (Object.keys(changes).length === 0) return result.replaceChildren(saved('Nothing was changed.'));
          save.disabled = true;
          try {
            await this.api.json(
              '/api/preferences',
              { ...changes, ...(before.version > 0 ? { version: before.version } : {}) },
              { method: 'PATCH' },
            );
            await this.#read();
            this.#draw(saved('Saved.'));
            this.body.querySelector('.own-saved')?.scrollIntoView({ block: 'nearest' });
            this.body.querySelector('.own-form input')?.focus();
          } catch (error) {
            const wrong = wrongFields(error);
            for (const field of fields) field.wrong(wrong.get(field.name) ?? '');
            const first = fields.find((f) => wrong.has(f.name));
            if (first) first.input.focus();
            else
              this.fail(
                error.code === 'changed' ? new Error('Your preferences were changed elsewhere meanwhile.') : error,
                result,
                error.code === 'changed' ? () => this.open() : null,
              );
          }
          save.disabled = false;
        },
      },
      h(
        'div',
        { class: 'own-fields' },
        fields.map((f) => f.element),
      ),
      h(
        'div',
        { class: 'own-switches' },
        boxes.map(({ box, label, help }) =>
          h(
            'label',
            { class: 'own-switch' },
            box,
            h('span', {}, h('b', {}, label), h('span', { class: 'form-help' }, help)),
          ),
        ),
      ),
      h('div', { class: 'own-foot' }, save),
      result,
    );
  }

  #decision(d) {
    const words = h('p', {}, h('b', {}, d.text));
    const about = subjects.find(([name]) => name === d.about)?.[1] ?? d.about;
    return h(
      'div',
      { class: 'own-row' },
      h(
        'div',
        { class: 'own-words' },
        words,
        h('p', { class: 'own-detail' }, [d.code, about, moment(d.on)].filter(Boolean).join(' · ')),
      ),
      h(
        'div',
        { class: 'own-do' },
        iconButton(`Change “${d.text}”`, 'pencil', {
          onclick: (e) => e.currentTarget.closest('li').replaceChildren(this.#decide(d)),
        }),
        iconButton(`Forget “${d.text}”`, 'bin', {
          onclick: async (e) => {
            const place = e.currentTarget.closest('li');
            try {
              await this.api.json(`/api/decisions/${encodeURIComponent(d.code)}`, null, { method: 'DELETE' });
              await this.#read();
              this.#draw(saved('It is forgotten.'));
            } catch (error) {
              this.fail(error, place);
            }
          },
        }),
      ),
    );
  }

  // decide is the form of a decision, new or changed.
  #decide(d = null) {
    const text = fieldOf(
      { name: 'text', label: d ? 'Decision' : 'Add a decision', maxlength: 200, required: true },
      d?.text ?? '',
    );
    const about = fieldOf({ name: 'about', label: 'About', options: subjects }, d?.about ?? 'other');
    const save = button(d ? 'Save' : 'Add', { class: 'small', icon: d ? 'check' : 'plus', type: 'submit' });
    const result = h('div', { 'aria-live': 'polite' });
    return h(
      'form',
      {
        class: 'own-decide',
        onsubmit: async (e) => {
          e.preventDefault();
          if (save.disabled) return;
          save.disabled = true;
          const body = { text: text.input.value.trim(), about: about.input.value || 'other' };
          try {
            await (d
              ? this.api.json(`/api/decisions/${encodeURIComponent(d.code)}`, body, { method: 'PATCH' })
              : this.api.json('/api/decisions', body));
            await this.#read();
            this.#draw(saved('Saved.'));
          } catch (error) {
            const wrong = wrongFields(error);
            for (const field of [text, about]) field.wrong(wrong.get(field.name) ?? '');
            if (wrong.size === 0) this.fail(error, result);
          }
          save.disabled = false;
        },
      },
      text.element,
      about.element,
      h('div', { class: 'own-foot' }, save),
      result,
    );
  }
}

const saved = (words) => h('p', { class: 'own-saved', role: 'status' }, icon('check'), words);
