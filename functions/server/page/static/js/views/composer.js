import { h, icon, iconButton } from '../dom.js';
import { possible } from '../recorder.js';
import { Voice } from './voice.js';
import { Attachments } from '../attach.js';
import { Tray } from './attach.js';

const here = 'Use my location for this message';
const spokenNote = 'These words were spoken: read them before you send. They approve nothing.';

// Composer is where a person writes or speaks. Enter sends, Shift+Enter begins
// a line. Spoken words are put among the written ones and are never sent by
// themselves.
export class Composer {
  #send;
  #stop;
  #input;
  #voice = null;
  #files;
  #tray;
  #failed;
  #busy = false;
  #location = null; // {lat, lon} for the message that is written
  #locate = null;
  #spoken = false; // whether words here were spoken; typing over all of them ends it
  #words = h('span');
  #note = h('p', { class: 'composer-note', role: 'status', hidden: true });
  #fixing = false; // whether an earlier message is being changed
  #width = 0;
  // A phone that is turned breaks lines elsewhere.
  #observer = new ResizeObserver(
    ([
      {
        contentRect: { width },
      },
    ]) => {
      if (width === this.#width) return;
      this.#width = width;
      requestAnimationFrame(() => this.#refresh());
    },
  );

  // options: api for uploads, placeholder, send(text, {source, attachments})
  // which returns whether it was taken, locate, whether a message may say where the person is, stop(), drop() when what fill put here is given up, and for the
  // microphone transcribe(blob, signal) and failed(error), or null.
  constructor(options) {
    this.#input = h('textarea', {
      class: 'composer-input',
      rows: '1',
      'aria-label': options.placeholder,
      placeholder: options.placeholder,
      enterkeyhint: 'send',
      maxlength: '20000',
      oninput: () => this.#refresh(),
      onpaste: (e) =>
        e.clipboardData.files.length > 0 && (e.preventDefault(), this.attach([...e.clipboardData.files])),
      onkeydown: (e) => {
        if (e.key === 'Escape' && this.#fixing) drop();
        // While an input method composes a word, Enter chooses the word.
        if (e.key !== 'Enter' || e.shiftKey || e.isComposing || e.keyCode === 229) return;
        e.preventDefault();
        submit();
      },
    });
    this.#send = h(
      'button',
      { type: 'submit', class: 'composer-send', 'aria-label': 'Send', title: 'Send' },
      icon('send'),
    );
    this.#stop = h(
      'button',
      {
        type: 'button',
        class: 'composer-send stop',
        'aria-label': 'Stop the answer',
        title: 'Stop',
        hidden: true,
        onclick: options.stop,
      },
      icon('stop'),
    );
    const submit = () => {
      if (this.#send.disabled || this.#voice?.active) return;
      if (
        options.send(this.#input.value, {
          source: this.#spoken ? 'speech' : '',
          attachments: this.#files.ready,
          location: this.#location,
        })
      )
        clear();
    };
    const clear = () => {
      this.#fixing = false;
      this.#input.value = '';
      this.#placed(null);
      this.#files.clear(); // which refreshes
    };
    const drop = () => {
      if (this.#fixing) options.drop();
      clear();
      this.focus();
    };
    this.#note.append(this.#words, iconButton('Leave it', 'cross', { class: 'icon-button small', onclick: drop }));
    if (options.transcribe && possible())
      this.#voice = new Voice({
        transcribe: options.transcribe,
        failed: options.failed,
        heard: (text) => this.#hear(text),
        changed: (active) => {
          this.element.classList.toggle('speaking', active);
          if (!active) this.#refresh();
        },
      });
    this.#failed = options.failed;
    if (options.locate && navigator.geolocation)
      this.#locate = iconButton(here, 'pin', { 'aria-pressed': 'false', onclick: () => this.#place() });
    this.#files = new Attachments(options.api, () => this.#refresh());
    this.#tray = new Tray(this.#files, { add: (list) => this.attach(list) });
    this.#tray.button.classList.add('composer-clip');
    this.element = h(
      'form',
      {
        class: 'composer',
        onsubmit: (e) => {
          e.preventDefault();
          submit();
        },
      },
      this.#note,
      this.#tray.element,
      this.#voice?.strip ?? null,
      this.#tray.button,
      this.#input,
      h('div', { class: 'composer-tools' }, this.#locate, this.#voice?.button ?? null, this.#send, this.#stop),
    );
    this.#observer.observe(this.element);
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

  // attach uploads files for the message that is being written.
  attach(list) {
    for (const file of list) this.#files.add(file).catch(this.#failed);
    this.focus();
  }

  // fill puts an earlier message here, to be changed.
  fill(text, { source = '', attachments = [] } = {}) {
    this.#input.value = text;
    this.#fixing = true;
    this.#spoken = source === 'speech';
    this.#files.keep(attachments); // which refreshes
    this.focus();
  }

  // begin puts the beginning of a sentence here, unless something is being written; then it
  // is added to that.
  begin(words) {
    const { value } = this.#input;
    this.#input.value = value.trim() === '' ? words : `${value.trimEnd()} ${words}`;
    this.#refresh();
    this.focus();
  }

  focus() {
    this.#input.focus({ preventScroll: true });
  }

  // close lets go of the microphone and of what is watched.
  close() {
    this.#observer.disconnect();
    this.#voice?.cancel();
  }

  // The browser asks the person; a second press takes it back.
  #place() {
    if (this.#location) return this.#placed(null);
    this.#locate.disabled = true;
    const done = (location) => {
      this.#locate.disabled = false;
      this.#placed(location);
    };
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => done({ lat: coords.latitude, lon: coords.longitude }),
      () => {
        done(null);
        this.#failed(new Error('Where you are could not be found. Your browser may not allow it.'));
      },
      { timeout: 10_000, maximumAge: 60_000 },
    );
  }

  #placed(location) {
    this.#location = location;
    if (!this.#locate) return;
    this.#locate.setAttribute('aria-pressed', String(location !== null));
    this.#locate.title = location ? 'Your location goes with this message; press again to leave it out' : here;
  }

  #hear(text) {
    const { selectionStart: at, selectionEnd: to, value } = this.#input;
    const before = value.slice(0, at);
    this.#input.setRangeText((before === '' || /\s$/.test(before) ? '' : ' ') + text, at, to, 'end');
    this.#spoken = true;
    this.#refresh();
    this.focus();
  }

  #refresh() {
    if (this.#input.value.trim() === '') this.#spoken = false;
    this.#tray.update();
    this.#send.disabled = this.#busy || this.#files.waiting || this.#input.value.trim() === '';
    const note = this.#fixing
      ? 'You are changing an earlier message. What follows it will be replaced.'
      : this.#spoken
        ? spokenNote
        : '';
    if (this.#words.textContent !== note) this.#words.textContent = note;
    this.#note.hidden = note === '';
    // Grows with its text up to the height that the style sheet allows.
    this.#input.style.height = 'auto';
    const { scrollHeight } = this.#input; // 0 while it is not on the page yet
    if (scrollHeight > 0) this.#input.style.height = `${scrollHeight}px`;
  }
}
