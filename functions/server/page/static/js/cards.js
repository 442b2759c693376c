// The calls behind the cards of an assistant: what a form of one needs. No view here.

import { Choices } from './choices.js';

export class Cards {
  #api;
  #path;
  #catalogue = null;

  constructor(api, assistant) {
    this.#api = api;
    this.#path = `/api/tools/${encodeURIComponent(assistant)}`;
  }

  // schema returns what the form of a tool needs: its parameters, and the options of those
  // that take a code.
  async schema(name) {
    const { parameters, choices } = await this.reads(name);
    return { parameters, offers: await choices.of(parameters) };
  }

  // reads returns a tool that only looks something up, and throws where it does more: a
  // card repeats no change.
  async reads(name) {
    this.#catalogue ??= this.#load();
    const { tools, choices } = await this.#catalogue.catch((error) => {
      this.#catalogue = null; // asked again next time
      throw error;
    });
    const tool = tools.find((t) => t.name === name && t.allowed !== false && t.effect === 'reads');
    if (!tool) throw new Error('This cannot be looked up again here.');
    return { ...tool, choices };
  }

  async #load() {
    const { tools, choices = {} } = await this.#api.json(this.#path);
    return {
      tools,
      choices: new Choices(choices, (tool) => this.#api.json(`${this.#path}/${encodeURIComponent(tool)}`, {})),
    };
  }
}

// changed says in a sentence which arguments of a call are others than they were, for the
// conversation: 'Search flights again with destination OPO, without max price'.
export function changed(tool, before, after) {
  const same = (a, b) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
  const empty = (v) => v === undefined || v === null || v === '';
  const words = (name) =>
    name
      .replaceAll('_', ' ')
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase();
  const written = (v) => (typeof v === 'object' ? JSON.stringify(v) : String(v));
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])].filter(
    (n) => !same(before[n], after[n]),
  );
  const now = names.filter((n) => !empty(after[n])).map((n) => `${words(n)} ${written(after[n])}`);
  const gone = names.filter((n) => empty(after[n])).map((n) => `without ${words(n)}`);
  const what = [now.length > 0 ? `with ${now.join(', ')}` : '', gone.join(', ')].filter(Boolean).join(', ');
  const text = [words(tool), 'again', what].filter(Boolean).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
