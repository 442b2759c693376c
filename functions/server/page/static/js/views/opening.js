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
      this.element.replaceChildren(...parts.filter((p) => p.kind !== 'table').map((p) => partView(p, this.#context)));
    } catch {
      this.element.replaceChildren();
    }
  }
}
