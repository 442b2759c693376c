import { h, iconButton, button } from '../dom.js';
import { added, details, limits, shownPlace } from '../page.js';

let count = 0; // ids of fields, so that labels find them
const next = () => `edit-${++count}`;

// TextField is a text of one line, or of rows lines, with what is left of its room. read
// takes its value from a project; save is called with a new one when the field is left.
export class TextField {
  #read;
  #input;
  #left = h('span', { class: 'edit-left' });
  #most;
  #saved = '';
  element;

  constructor(field, label, read, save, { most, rows = 1, help = null } = {}) {
    this.#read = read;
    this.#most = most;
    const id = next();
    this.#input = h(rows > 1 ? 'textarea' : 'input', {
      class: 'field',
      id,
      maxlength: most,
      autocomplete: 'off',
      ...(rows > 1 ? { rows } : { type: 'text' }),
      oninput: () => this.#count(),
      onchange: async () => {
        const value = this.#input.value.trim();
        if (value === this.#saved) return;
        const before = this.#saved;
        this.#saved = value;
        if (!(await save(value))) this.#saved = before;
      },
    });
    this.element = h(
      'div',
      { class: 'form-field', 'data-field': field },
      h('div', { class: 'edit-label' }, h('label', { for: id }, label), this.#left),
      this.#input,
      help ? h('div', { class: 'edit-help' }, help) : null,
    );
  }

  update(project) {
    const value = this.#read(project) ?? '';
    // What is being written, or could not be saved, stays.
    if (this.#input.value.trim() !== this.#saved && this.#input.value.trim() !== value) return;
    this.#saved = value;
    if (this.#input.value !== value) this.#input.value = value;
    this.#count();
  }

  #count() {
    const { length } = this.#input.value;
    this.#left.textContent = length > this.#most * 0.7 ? `${length} of ${this.#most}` : '';
  }
}

// WordsField is a list of short entries. Enter or a comma adds one.
export class WordsField {
  #read;
  #save;
  #label;
  #list = [];
  #shown = h('ul', { class: 'words' });
  #input;
  element;

  constructor(field, label, read, save, hint) {
    this.#read = read;
    this.#save = save;
    this.#label = label;
    const id = next();
    const take = () => {
      const list = added(this.#list, this.#input.value);
      this.#input.value = '';
      if (list.length !== this.#list.length) this.#set(list);
    };
    this.#input = h('input', {
      class: 'field',
      id,
      type: 'text',
      autocomplete: 'off',
      enterkeyhint: 'done',
      placeholder: hint,
      maxlength: '600',
      onchange: take,
      onkeydown: (e) => {
        if (e.isComposing || (e.key !== 'Enter' && e.key !== ',')) return;
        e.preventDefault();
        take();
      },
    });
    this.element = h(
      'div',
      { class: 'form-field', 'data-field': field },
      h('label', { for: id }, label),
      this.#shown,
      this.#input,
    );
  }

  update(project) {
    const list = this.#read(project);
    if (list.join('\n') === this.#list.join('\n') && this.#shown.childElementCount === list.length) return;
    this.#list = list;
    this.#draw();
  }

  #set(list) {
    this.#list = list;
    this.#draw();
    this.#save(list);
  }

  #draw() {
    this.#shown.setAttribute('aria-label', `${this.#label} of the project`);
    this.#shown.hidden = this.#list.length === 0;
    this.#shown.replaceChildren(
      ...this.#list.map((word, i) =>
        h(
          'li',
          {},
          h('span', {}, word),
          iconButton(`Remove ${word}`, 'cross', {
            class: 'icon-button small',
            onclick: () => {
              this.#set(this.#list.filter((w) => w !== word));
              (this.#shown.querySelectorAll('button')[Math.min(i, this.#list.length - 1)] ?? this.#input).focus();
            },
          }),
        ),
      ),
    );
  }
}

// PlaceFields say where the job was, and how much of that may be shown. The street is not
// asked for: it is never shown.
export class PlaceFields {
  #parts;
  #detail;
  #shown = h('p', { class: 'form-help', role: 'status' });
  element;

  constructor(draft) {
    const part = (name, label) =>
      new TextField(
        name,
        label,
        (p) => p.place?.[name],
        (value) => draft.setField(name, value),
        { most: limits.entry },
      );
    this.#parts = [
      part('district', 'District'),
      part('city', 'Town or city'),
      part('region', 'Region'),
      part('country', 'Country'),
    ];
    this.#detail = h(
      'select',
      { class: 'field', id: next(), onchange: () => draft.setField('locationDetail', this.#detail.value) },
      details.map(([value, label]) => h('option', { value }, label)),
    );
    this.element = h(
      'fieldset',
      { class: 'form-group', 'data-field': 'place location locationDetail' },
      h('legend', {}, 'Place'),
      h(
        'div',
        { class: 'edit-row' },
        this.#parts.map((p) => p.element),
      ),
      h(
        'div',
        { class: 'form-field' },
        h('label', { for: this.#detail.id }, 'What the page shows of it'),
        this.#detail,
      ),
      this.#shown,
    );
  }

  update(project) {
    for (const part of this.#parts) part.update(project);
    const { place = {}, locationDetail } = project;
    const words = shownPlace(place, locationDetail);
    const said = words ? `The page says: ${words}. A street is never shown.` : 'The page names no place.';
    if (this.#shown.textContent !== said) this.#shown.textContent = said;
    if (document.activeElement !== this.#detail) this.#detail.value = locationDetail || 'city';
  }
}

const answers = [
  ['', 'Not answered'],
  ['none', 'None can be seen'],
  ['agreed', 'They agreed to it'],
];

// Privacy asks what is to be seen on the photos. New photos open the question anew.
export class Privacy {
  #draft;
  #faces;
  #plates;
  #note = h('p', { class: 'form-help' });
  element;

  constructor(draft) {
    this.#draft = draft;
    const choice = (options) =>
      h(
        'select',
        { class: 'field', id: next() },
        options.map(([value, label]) => h('option', { value }, label)),
      );
    this.#faces = choice(answers);
    this.#plates = choice([answers[0], answers[1], ['agreed', 'Their owners agreed']]);
    const field = (label, input) => h('div', { class: 'form-field' }, h('label', { for: input.id }, label), input);
    this.element = h(
      'fieldset',
      { class: 'form-group', 'data-field': 'privacy faces plates' },
      h('legend', {}, 'Who and what can be recognised'),
      h('div', { class: 'edit-row' }, field('Faces of people', this.#faces), field('Number plates', this.#plates)),
      this.#note,
      button('Confirm for these photos', {
        class: 'small',
        icon: 'check',
        onclick: () =>
          this.#faces.value && this.#plates.value
            ? this.#draft.answerPrivacy({ faces: this.#faces.value, plates: this.#plates.value })
            : (this.#note.textContent = 'Answer both, please.'),
      }),
    );
  }

  update({ privacy = {}, images = [] }) {
    this.element.hidden = images.length === 0;
    const shown = images
      .map((i) => i.id)
      .sort()
      .join();
    const whole = privacy.faces && privacy.plates && (privacy.images ?? []).slice().sort().join() === shown;
    const key = JSON.stringify([privacy, shown]);
    if (this.element.dataset.key === key) return;
    this.element.dataset.key = key;
    this.#faces.value = privacy.faces ?? '';
    this.#plates.value = privacy.plates ?? '';
    this.#note.textContent = whole
      ? 'Answered for all photos.'
      : privacy.faces
        ? 'Photos have come or gone since: look once more.'
        : 'A page is published only when you have looked.';
  }
}
