import { h } from '../dom.js';
import { partView } from './parts.js';

// Opening is what an assistant shows before anything was said: the parts of the
// tool that its profile names, which only looks something up.
export class Opening {
  element = h('div', { class: 'opening', 'aria-live': 'off' });
  #load;
  #context;

  // load() asks for the parts; context is that of partView.
  constructor(load, context) {
    this.#load = load;
    this.#context = context;
    this.refresh();
  }

  // refresh asks again. What cannot be had is left out: the conversation begins
  // without it.
  async refresh() {
    try {
      const parts = await this.#load();
      const section = this.element.contains(document.activeElement)
        ? document.activeElement.closest('[aria-labelledby]')?.getAttribute('aria-labelledby')
        : null;
      this.element.replaceChildren(...parts.filter((p) => p.kind !== 'table').map((p) => partView(p, this.#context)));
      // A button that was pressed may be gone: the focus stays in its list.
      if (section) document.getElementById(section)?.parentElement.querySelector('button')?.focus();
    } catch {
      this.element.replaceChildren();
    }
  }
}
