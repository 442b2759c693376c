import { h, icon, button, iconButton } from '../dom.js';
import { blankBlock, blockNames, limits, moved, pictured, whole } from '../page.js';
import { menu, choice } from './menu.js';
import { frame } from './picture.js';

// BlockList has the pieces of the page below its title. They are saved together; a piece
// that says nothing yet is kept here and not sent.
export class BlockList {
  #draft;
  #link;
  #blocks = [];
  #saved = ''; // what the server has
  #shown = '';
  #images = [];
  #list = h('ol', { class: 'edit-blocks', 'aria-label': 'Pieces of the page' });
  #none = h('p', { class: 'form-help' }, 'There is nothing below the description yet.');
  #said = h('p', { class: 'visually-hidden', 'aria-live': 'polite' });
  element;

  constructor(draft, link) {
    this.#draft = draft;
    this.#link = link;
    this.element = h(
      'div',
      { class: 'edit-blocks-of', 'data-field': 'blocks descriptionBlocks' },
      this.#none,
      this.#list,
      this.#said,
      menu(
        '',
        [icon('plus'), h('span', {}, 'Add a piece')],
        Object.entries(blockNames).map(([kind, name]) => choice(name, { onclick: () => this.#add(kind) })),
        { class: 'edit-add' },
      ),
    );
  }

  update({ descriptionBlocks: blocks = [], images = [] }) {
    this.#images = images.filter((i) => i.state === 'ready');
    const now = JSON.stringify(blocks);
    // What was changed here and is on its way, or is being written, stays.
    if (now !== this.#saved && this.#draft.busy === 0) {
      this.#saved = now;
      if (JSON.stringify(whole(this.#blocks)) !== now) this.#blocks = blocks.map((b) => ({ ...b }));
    }
    this.#draw();
  }

  #save() {
    const blocks = whole(this.#blocks);
    if (JSON.stringify(blocks) === this.#saved) return;
    this.#draft.setBlocks(blocks);
  }

  #add(kind) {
    if (this.#blocks.length >= limits.blocks) return;
    this.#blocks = [...this.#blocks, blankBlock(kind, this.#images)];
    this.#draw();
    this.#save();
    const row = this.#list.lastElementChild;
    row.scrollIntoView({ block: 'nearest' });
    row.querySelector('textarea, input, select')?.focus();
  }

  #move(at, to) {
    const blocks = moved(this.#blocks, at, to);
    if (blocks === this.#blocks) return;
    this.#blocks = blocks;
    this.#draw();
    this.#list.children[to].querySelector(to < at ? '.move-up' : '.move-down')?.focus();
    this.#said.textContent = `Piece ${to + 1} of ${blocks.length}`;
    this.#save();
  }

  #remove(at) {
    this.#blocks = this.#blocks.filter((_, i) => i !== at);
    this.#draw();
    (
      this.#list.children[Math.min(at, this.#blocks.length - 1)]?.querySelector('textarea, input, select') ??
      this.element.querySelector('.edit-add > summary')
    ).focus();
    this.#save();
  }

  // Rows are made anew where a piece, or a photo, has come, gone or moved; elsewhere what
  // is in them would lose the focus.
  #draw() {
    const key = JSON.stringify([this.#blocks, this.#images.map((i) => i.id)]);
    if (key === this.#shown) return;
    this.#shown = key;
    this.#none.hidden = this.#blocks.length > 0;
    const held = this.#list.contains(document.activeElement)
      ? [...this.#list.children].findIndex((row) => row.contains(document.activeElement))
      : -1;
    this.#list.replaceChildren(...this.#blocks.map((b, i) => this.#row(b, i)));
    if (held >= 0) this.#list.children[held]?.querySelector('textarea, input, select')?.focus({ preventScroll: true });
  }

  // set changes a piece in place: its row stays.
  #set(at, change) {
    this.#blocks = this.#blocks.map((b, i) => (i === at ? { ...b, ...change } : b));
    this.#shown = JSON.stringify([this.#blocks, this.#images.map((i) => i.id)]);
    this.#save();
  }

  #row(block, at) {
    const name = blockNames[block.kind] ?? block.kind;
    const what = `${name}, piece ${at + 1}`;
    const step = (label, drawing, to, mark) =>
      iconButton(`${label}: ${what}`, drawing, {
        class: `icon-button small ${mark}`,
        disabled: to < 0 || to >= this.#blocks.length,
        onclick: () => this.#move(at, to),
      });
    return h(
      'li',
      { class: 'edit-block' },
      h(
        'div',
        { class: 'edit-block-head' },
        h('b', {}, name),
        step('Move up', 'up', at - 1, 'move-up'),
        step('Move down', 'down', at + 1, 'move-down'),
        iconButton(`Delete: ${what}`, 'bin', { class: 'icon-button small', onclick: () => this.#remove(at) }),
      ),
      this.#fields(block, at, what),
    );
  }

  #fields(block, at, what) {
    if (pictured(block)) return block.kind === 'comparison' ? this.#pair(block, at) : this.#gallery(block, at);
    const lines = block.kind === 'list';
    const input = h(block.kind === 'heading' ? 'input' : 'textarea', {
      class: 'field',
      'aria-label': what,
      maxlength: block.kind === 'heading' ? limits.title : limits.blockText,
      ...(block.kind === 'heading' ? { type: 'text', autocomplete: 'off' } : { rows: lines ? 3 : 4 }),
      placeholder: lines ? 'one on each line' : null,
      onchange: () =>
        this.#set(
          at,
          lines
            ? {
                items: input.value
                  .split('\n')
                  .map((s) => s.trim())
                  .filter(Boolean)
                  .slice(0, limits.list),
              }
            : { text: input.value },
        ),
    });
    input.value = lines ? (block.items ?? []).join('\n') : (block.text ?? '');
    return input;
  }

  #gallery(block, at) {
    if (this.#images.length === 0) return h('p', { class: 'form-help' }, 'Add photos first.');
    const boxes = this.#images.map((image, i) => {
      const box = h('input', {
        type: 'checkbox',
        value: image.id,
        'aria-label': `Photo ${i + 1}${image.alt ? `: ${image.alt}` : ''}`,
        checked: (block.items ?? []).includes(image.id),
        onchange: () => {
          const kept = (this.#blocks[at].items ?? []).filter((id) => id !== image.id);
          this.#set(at, { items: box.checked ? [...kept, image.id] : kept });
        },
      });
      return h(
        'label',
        { class: 'edit-pick' },
        box,
        frame({ ...image, alt: '' }, () => this.#link(image.id, 480), 'edit-photo-small', 72, 72),
      );
    });
    return h('div', { class: 'edit-picks' }, boxes);
  }

  #pair(block, at) {
    const select = (name, n) => {
      const input = h(
        'select',
        {
          class: 'field',
          'aria-label': `${name}, piece ${at + 1}`,
          onchange: () => {
            const items = [...(this.#blocks[at].items ?? [])];
            items[n] = input.value;
            this.#set(at, { items });
          },
        },
        h('option', { value: '' }, 'Choose…'),
        this.#images.map((image, i) =>
          h(
            'option',
            { value: image.id, selected: block.items?.[n] === image.id },
            `Photo ${i + 1}${image.alt ? `: ${image.alt.slice(0, 40)}` : ''}`,
          ),
        ),
      );
      return h(
        'div',
        { class: 'form-field' },
        h('span', { class: 'edit-pair-name', 'aria-hidden': 'true' }, name),
        input,
      );
    };
    return h('div', { class: 'edit-row' }, select('Before', 0), select('After', 1));
  }
}
