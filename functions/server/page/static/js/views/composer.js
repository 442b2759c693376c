import { h, icon, iconButton } from '../dom.js';

// Composer is where a person writes. Enter sends, Shift+Enter begins a line.
// Later parts (a microphone, an attachment) find their place in .composer-tools.
export class Composer {
  #send;
  #stop;
  #input;
  #busy = false;
  #words = h('span');
  #note = h('p', { class: 'composer-note', role: 'status', hidden: true });

  // options: placeholder, send(text) which returns whether it was taken,
  // stop(), and drop() when what fill put here is given up.
  constructor(options) {
    this.#input = h('textarea', {
      class: 'composer-input', rows: '1', 'aria-label': options.placeholder, placeholder: options.placeholder, enterkeyhint: 'send', maxlength: '20000',
      oninput: () => this.#refresh(),
      onkeydown: (e) => {
        if (e.key === 'Escape' && !this.#note.hidden) drop();
        // While an input method composes a word, Enter chooses the word.
        if (e.key !== 'Enter' || e.shiftKey || e.isComposing || e.keyCode === 229) return;
        e.preventDefault();
        submit();
      },
    });
    this.#send = h('button', { type: 'submit', class: 'composer-send', 'aria-label': 'Send', title: 'Send' }, icon('send'));
    this.#stop = h('button', { type: 'button', class: 'composer-send stop', 'aria-label': 'Stop the answer', title: 'Stop', hidden: true, onclick: options.stop }, icon('stop'));
    const submit = () => {
      if (this.#busy || !options.send(this.#input.value)) return;
      clear();
    };
    const clear = () => {
      this.#note.hidden = true;
      this.#input.value = '';
      this.#refresh();
    };
    const drop = () => {
      options.drop();
      clear();
      this.focus();
    };
    this.#note.append(this.#words, iconButton('Leave it as it was', 'cross', { onclick: drop }));
    this.element = h('form', { class: 'composer', onsubmit: (e) => {
      e.preventDefault();
      submit();
    } }, this.#note, this.#input, h('div', { class: 'composer-tools' }, this.#send, this.#stop));
    this.#refresh();
  }

  update({ busy, stopping }) {
    this.#busy = busy;
    const focused = document.activeElement === this.#send || document.activeElement === this.#stop;
    this.#send.hidden = busy;
    this.#stop.hidden = !busy;
    this.#stop.disabled = stopping;
    // A hidden button loses the focus; the person is still here.
    if (focused && document.activeElement !== this.#input) this.focus();
    this.#refresh();
  }

  // fill puts words here to be changed, with a note on what sending them does.
  fill(text, note) {
    this.#input.value = text;
    this.#words.textContent = note;
    this.#note.hidden = false;
    this.#refresh();
    this.focus();
  }

  focus() {
    this.#input.focus({ preventScroll: true });
  }

  #refresh() {
    this.#send.disabled = this.#busy || this.#input.value.trim() === '';
    // Grows with its text up to the height that the style sheet allows.
    this.#input.style.height = 'auto';
    const { scrollHeight } = this.#input; // 0 while it is not on the page yet
    if (scrollHeight > 0) this.#input.style.height = `${scrollHeight}px`;
  }
}
