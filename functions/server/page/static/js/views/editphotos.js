import { h, icon, iconButton } from '../dom.js';
import { limits, moved, stages } from '../page.js';
import { frame } from './picture.js';

// PhotoList shows the photos of a project in their order, with what is said of each. They
// are moved by buttons or by dragging.
export class PhotoList {
  #draft;
  #link;
  #rows = new Map(); // by id
  #list = h('ol', { class: 'edit-photos', 'aria-label': 'Photos in their order' });
  #none = h('p', { class: 'form-help' }, 'There are no photos yet.');
  #said = h('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  #order = [];
  #dragged = '';
  element;

  constructor(draft, link) {
    this.#draft = draft;
    this.#link = link;
    this.element = h('div', { 'data-field': 'photos images hero alt' }, this.#none, this.#list, this.#said);
  }

  update({ images = [] }) {
    this.#none.hidden = images.length > 0;
    for (const [id, row] of this.#rows) {
      if (images.some((i) => i.id === id)) continue;
      row.element.remove();
      this.#rows.delete(id);
    }
    if (this.#draft.busy === 0 || this.#order.length !== images.length) this.#order = images.map((i) => i.id);
    for (const image of images) {
      if (!this.#rows.has(image.id)) this.#rows.set(image.id, this.#row(image));
      this.#rows.get(image.id).update(image);
    }
    this.#place();
  }

  // place puts the rows in order; a row that is moved keeps the focus.
  #place() {
    const focused = document.activeElement;
    this.#order.forEach((id, i) => {
      const row = this.#rows.get(id);
      if (!row) return;
      if (this.#list.children[i] !== row.element) this.#list.insertBefore(row.element, this.#list.children[i] ?? null);
      row.at(i, this.#order.length);
    });
    if (focused !== document.activeElement && this.#list.contains(focused)) focused.focus({ preventScroll: true });
  }

  #move(id, to) {
    const from = this.#order.indexOf(id);
    const order = moved(this.#order, from, to);
    if (order === this.#order) return;
    this.#order = order;
    this.#place();
    this.#said.textContent = `Photo ${to + 1} of ${order.length}`;
    this.#draft.order(order);
  }

  #row(first) {
    const { id } = first;
    const number = h('span', { class: 'edit-photo-number', 'aria-hidden': 'true' });
    const words = h('p', { class: 'edit-photo-state' });
    const picture = h('div', { class: 'edit-photo-picture' }, icon('image'));
    const alt = h('textarea', {
      class: 'field',
      rows: '2',
      maxlength: limits.alt,
      placeholder: 'What is to be seen?',
      onchange: () => {
        if (alt.value.trim() !== alt.dataset.saved) this.#draft.describe(id, { alt: alt.value.trim() });
      },
    });
    const stage = h(
      'select',
      { class: 'field', onchange: () => this.#draft.describe(id, { stage: stage.value }) },
      stages.map(([value, label]) => h('option', { value }, label)),
    );
    const hero = h(
      'button',
      { type: 'button', class: 'edit-hero', onclick: () => this.#draft.hero(id) },
      icon('star'),
      h('span', {}, 'At the top'),
    );
    const step = (label, drawing, by) =>
      iconButton(label, drawing, {
        class: 'icon-button small',
        onclick: () => this.#move(id, this.#order.indexOf(id) + by),
      });
    const up = step('', 'up', -1);
    const down = step('', 'down', 1);
    const gone = iconButton('', 'bin', { class: 'icon-button small', onclick: () => this.#remove(id) });
    const element = h(
      'li',
      { class: 'edit-photo', 'data-id': id },
      h('div', { class: 'edit-photo-handle', draggable: 'true', title: 'Drag to move' }, number, picture),
      h(
        'div',
        { class: 'edit-photo-fields' },
        words,
        alt,
        h('div', { class: 'edit-photo-tools' }, stage, hero, h('span', { class: 'edit-photo-moves' }, up, down, gone)),
      ),
    );
    this.#drags(element, id);
    let shown = '';
    const name = (button, text) => {
      button.setAttribute('aria-label', text);
      button.title = text;
    };
    return {
      element,
      update: (image) => {
        element.dataset.state = image.state;
        words.textContent =
          image.state === 'reading'
            ? 'This photo is being read…'
            : image.state === 'refused'
              ? image.reason || 'This photo cannot be shown.'
              : '';
        words.hidden = image.state === 'ready';
        if (
          alt.dataset.saved === undefined ||
          alt.value.trim() === alt.dataset.saved ||
          document.activeElement !== alt
        )
          alt.value = image.alt ?? '';
        alt.dataset.saved = image.alt ?? '';
        stage.value = image.stage ?? '';
        hero.setAttribute('aria-pressed', String(Boolean(image.hero)));
        hero.disabled = image.state !== 'ready';
        if (shown === image.state) return;
        shown = image.state;
        if (image.state === 'ready')
          picture.replaceChildren(frame({ ...image, alt: '' }, () => this.#link(id, 480), 'edit-photo-small', 96, 96));
      },
      at: (i, n) => {
        number.textContent = String(i + 1);
        alt.setAttribute('aria-label', `What is to be seen on photo ${i + 1}`);
        stage.setAttribute('aria-label', `Stage of photo ${i + 1}`);
        hero.setAttribute('aria-label', `Photo ${i + 1} at the top of the page`);
        name(up, `Move photo ${i + 1} up`);
        name(down, `Move photo ${i + 1} down`);
        name(gone, `Take photo ${i + 1} out`);
        up.disabled = i === 0;
        down.disabled = i === n - 1;
      },
    };
  }

  async #remove(id) {
    const at = this.#order.indexOf(id);
    if (!(await this.#draft.remove(id))) return;
    this.#said.textContent = 'The photo was taken out. Undo brings it back.';
    const row = this.#list.children[Math.min(at, this.#list.children.length - 1)];
    row?.querySelector('textarea')?.focus();
  }

  #drags(element, id) {
    element.addEventListener('dragstart', (e) => {
      if (!e.target.closest?.('.edit-photo-handle')) return;
      this.#dragged = id;
      e.dataTransfer.effectAllowed = 'move';
      e.dataTransfer.setData('text/plain', '');
      element.classList.add('dragged');
    });
    element.addEventListener('dragend', () => {
      this.#dragged = '';
      element.classList.remove('dragged');
      for (const row of this.#list.children) row.classList.remove('over');
    });
    element.addEventListener('dragover', (e) => {
      if (!this.#dragged || this.#dragged === id) return;
      e.preventDefault();
      element.classList.add('over');
    });
    element.addEventListener('dragleave', () => element.classList.remove('over'));
    element.addEventListener('drop', (e) => {
      if (!this.#dragged) return;
      e.preventDefault();
      e.stopPropagation();
      element.classList.remove('over');
      this.#move(this.#dragged, this.#order.indexOf(id));
    });
  }
}
