import { h, icon, button, iconButton } from '../dom.js';

const stays = 6000; // milliseconds that a piece of news is shown

// Toasts tells news in a corner, one piece at a time: what is being prepared,
// what was done and can be undone, what went wrong. Screen readers hear it.
export class Toasts {
  #timer = 0;
  element = h('div', { class: 'toasts', role: 'status' });

  // working shows that something goes on, until the next piece of news.
  working(text) {
    this.#show(text, { icon: 'spinner' });
  }

  // done tells what was done; undo {label, act} offers the way back.
  done(text, undo = null) {
    this.#show(text, { icon: 'check', undo, stays: undo ? stays * 2 : stays });
  }

  failed(text) {
    this.#show(text, { icon: 'alert', tone: 'bad', stays: stays * 2 });
  }

  clear() {
    clearTimeout(this.#timer);
    this.element.replaceChildren();
  }

  #show(text, { icon: drawing, tone = '', undo = null, stays: ms = 0 }) {
    clearTimeout(this.#timer);
    const toast = h(
      'div',
      { class: 'toast', 'data-tone': tone || null },
      icon(drawing),
      h('span', {}, text),
      undo
        ? button(undo.label, {
            class: 'small',
            onclick: () => {
              this.clear();
              undo.act();
            },
          })
        : null,
      ms > 0 ? iconButton('Close', 'cross', { class: 'icon-button small', onclick: () => this.clear() }) : null,
    );
    this.element.replaceChildren(toast);
    if (ms > 0) this.#wait(toast, ms);
  }

  // Whoever reads or reaches for it is given time.
  #wait(toast, ms) {
    this.#timer = setTimeout(
      () => (toast.matches(':hover, :focus-within') ? this.#wait(toast, 1000) : this.clear()),
      ms,
    );
  }
}
