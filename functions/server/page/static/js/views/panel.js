import { h, iconButton } from '../dom.js';

// Panel is the room beside the conversation for what needs more space: a chart,
// a table. It is a dialog, so Escape and the focus are the browser's business.
export class Panel {
  #title = h('h2', {}, '');
  #body = h('div', { class: 'drawer-body' });

  constructor() {
    this.element = h(
      'dialog',
      { class: 'drawer panel', 'aria-label': 'Details' },
      h(
        'header',
        { class: 'drawer-head' },
        this.#title,
        iconButton('Close', 'cross', { onclick: () => this.element.close() }),
      ),
      this.#body,
    );
  }

  open(title, content) {
    this.#title.textContent = title;
    this.element.setAttribute('aria-label', title || 'Details');
    this.#body.replaceChildren(content);
    if (!this.element.open) this.element.showModal();
  }
}
