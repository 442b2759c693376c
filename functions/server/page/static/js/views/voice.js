import { h, icon, iconButton } from '../dom.js';
import { clock } from '../format.js';
import { Recorder, Unheard } from '../recorder.js';

const bars = 5;

// Voice is the microphone of the composer: a button, and a strip that takes
// the place of the words while somebody speaks. What it hears is only handed
// over, never sent.
export class Voice {
  #options;
  #recorder = null;
  #control = null; // of the request that asks for the words
  #state = 'idle'; // then asking, recording, reading
  #time = h('span', { class: 'voice-time' });
  #words = h('span', { class: 'voice-words' });
  #level = h(
    'span',
    { class: 'voice-level', 'aria-hidden': 'true' },
    Array.from({ length: bars }, () => h('i')),
  );
  #finish = iconButton('Done speaking', 'check', { class: 'icon-button voice-done', onclick: () => this.#read() });

  // options: transcribe(blob, signal) which returns {text, silent, note},
  // heard(text), failed(sentence), and changed(active), called when the strip
  // comes and goes.
  constructor(options) {
    this.#options = options;
    this.button = iconButton('Speak', 'mic', { onclick: () => this.#begin() });
    this.strip = h(
      'div',
      { class: 'voice', role: 'group', 'aria-label': 'Recording', hidden: true },
      iconButton('Discard the recording', 'cross', { onclick: () => this.cancel() }),
      this.#level,
      this.#words,
      this.#time,
      this.#finish,
    );
    this.strip.addEventListener('keydown', (e) => e.key === 'Escape' && this.cancel());
  }

  get active() {
    return this.#state !== 'idle';
  }

  async #begin() {
    if (this.active) return;
    const recorder = new Recorder();
    this.#recorder = recorder;
    this.#show('asking', 'Waiting for the microphone…');
    try {
      const began = await recorder.start({
        onLevel: (level, ms) => this.#measure(level, ms),
        onFull: () => this.#read(),
      });
      if (!began || this.#recorder !== recorder) return;
      this.#show('recording', 'Listening…');
      this.#finish.focus();
    } catch (error) {
      if (this.#recorder === recorder) this.#over(error);
    }
  }

  async #read() {
    if (this.#state !== 'recording') return;
    const recorder = this.#recorder;
    this.#show('reading', 'Writing down what was said…');
    this.#control = new AbortController();
    const { signal } = this.#control;
    try {
      const { text, silent, note } = await this.#options.transcribe(await recorder.stop(), signal);
      if (this.#recorder !== recorder) return;
      if (silent || !text?.trim())
        throw new Unheard(note || 'No words were heard. Please try again, a little closer.');
      this.#over();
      this.#options.heard(text.trim());
    } catch (error) {
      if (this.#recorder === recorder) this.#over(error);
    }
  }

  cancel() {
    if (!this.active) return;
    this.#recorder.cancel();
    this.#control?.abort();
    this.#over();
  }

  #over(error = null) {
    this.#recorder?.cancel();
    this.#recorder = null;
    this.#control = null;
    this.#show('idle', '');
    this.button.focus();
    if (error) this.#options.failed(error);
  }

  #show(state, words) {
    this.#state = state;
    this.strip.dataset.state = state;
    this.strip.hidden = state === 'idle';
    this.#finish.hidden = state !== 'recording';
    this.#level.hidden = state === 'reading';
    this.#time.textContent = state === 'recording' ? clock(0) : '';
    this.#words.replaceChildren(...(state === 'reading' ? [icon('spinner'), words] : [words]));
    this.#options.changed(this.active);
  }

  #measure(level, ms) {
    if (this.#state !== 'recording') return;
    // Speech lies between -50 and -10 dB; the bars show that part.
    const loud = Math.min(1, Math.max(0, (20 * Math.log10(level || 1e-6) + 50) / 40));
    [...this.#level.children].forEach((bar, i) => bar.classList.toggle('on', loud * bars > i + 0.2));
    const words = clock(Math.floor(ms / 1000) * 1000);
    if (this.#time.textContent !== words) this.#time.textContent = words;
  }
}
