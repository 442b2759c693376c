import { h, icon, iconButton } from '../dom.js';
import { accepted, size } from '../attach.js';

// Tray shows the files of the message that is being written, with a button to
// choose some.
export class Tray {
  #files;
  #shown = new Map(); // file → its chip
  element = h('ul', { class: 'tray', 'aria-label': 'Files of this message', hidden: true });
  #input;

  // options: add(list of files).
  constructor(files, { add }) {
    this.#files = files;
    this.#input = h('input', {
      type: 'file',
      multiple: true,
      accept: accepted,
      hidden: true,
      tabindex: '-1',
      'aria-hidden': 'true',
      onchange: () => {
        add([...this.#input.files]);
        this.#input.value = '';
      },
    });
    this.button = iconButton('Attach files', 'clip', { onclick: () => this.#input.click() });
    this.button.append(this.#input);
    this.#input.addEventListener('click', (e) => e.stopPropagation());
  }

  update() {
    const { list } = this.#files;
    for (const [file, chip] of this.#shown) {
      if (list.includes(file)) continue;
      chip.remove();
      this.#shown.delete(file);
    }
    for (const file of list) {
      let chip = this.#shown.get(file);
      if (!chip) {
        chip = this.#chip(file);
        this.#shown.set(file, chip);
        this.element.append(chip);
      }
      const [bar, words] = chip.querySelectorAll('progress, .chip-words');
      chip.dataset.state = file.state;
      bar.hidden = file.state !== 'sending';
      bar.value = file.progress;
      const text = said(file);
      if (words.textContent !== text) words.textContent = text;
    }
    this.element.hidden = list.length === 0;
  }

  #chip(file) {
    return h(
      'li',
      { class: 'file-chip' },
      icon('file'),
      h(
        'div',
        {},
        h('strong', {}, file.name),
        h('progress', { max: '1', 'aria-label': `Sending ${file.name}` }),
        h('span', { class: 'chip-words', role: 'status' }),
      ),
      iconButton(`Remove ${file.name}`, 'cross', {
        class: 'icon-button small',
        onclick: () => this.#files.remove(file),
      }),
    );
  }
}

function said({ state, reason, what, size: bytes }) {
  if (state === 'refused') return reason;
  if (state === 'checking') return 'Looking at it…';
  return [what, size(bytes)].filter(Boolean).join(' · ');
}

// filesOf shows the files of a message that was sent. open(id) fetches one.
export function filesOf(list, open) {
  return h(
    'ul',
    { class: 'said-files', 'aria-label': 'Files' },
    list.map((f) =>
      h(
        'li',
        {},
        h(
          'button',
          { type: 'button', class: 'file-chip', title: 'Open this file', onclick: () => open(f.id) },
          icon('file'),
          h('div', {}, h('strong', {}, f.name ?? 'File'), f.what ? h('span', {}, f.what) : null),
        ),
      ),
    ),
  );
}
