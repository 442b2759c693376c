// Messages among the tabs of one browser, over a BroadcastChannel, which only pages
// of this origin receive: the session for a new tab, a sign-out, and the end of a
// turn. Nothing of them is stored, so a session ends with the last tab.

const patience = 200; // milliseconds that another tab gets to answer

export class Tabs {
  #channel;
  #locks;
  #listeners = new Map();
  #release = null;

  // channel and locks are the browser's; without them each tab is for itself.
  constructor({
    channel = globalThis.BroadcastChannel ? new BroadcastChannel('bellhop') : null,
    locks = globalThis.navigator?.locks ?? null,
  } = {}) {
    this.#channel = channel;
    this.#locks = locks;
    channel?.addEventListener('message', ({ data }) => this.#listeners.get(data?.kind)?.forEach((hear) => hear(data)));
  }

  // on registers hear(message) for a kind of message from other tabs.
  on(kind, hear) {
    this.#listeners.set(kind, [...(this.#listeners.get(kind) ?? []), hear]);
  }

  tell(kind, more = {}) {
    this.#channel?.postMessage({ kind, ...more });
  }

  // ask sends a question and returns the first answer of the given kind, or null. It
  // does not wait if there are no other tabs.
  async ask(question, answer) {
    if (!this.#channel || !(await this.#others())) return null;
    return new Promise((resolve) => {
      const hear = (message) => {
        clearTimeout(timer);
        this.#listeners.set(
          answer,
          this.#listeners.get(answer).filter((l) => l !== hear),
        );
        resolve(message);
      };
      const timer = setTimeout(() => hear(null), patience);
      this.on(answer, hear);
      this.tell(question);
    });
  }

  // present declares whether this tab has a session to hand over.
  present(yes) {
    this.#release?.();
    this.#release = null;
    if (!yes || !this.#locks) return;
    this.#locks.request('bellhop.tab', { mode: 'shared' }, () => new Promise((release) => (this.#release = release)));
  }

  // alone runs work under a lock that one tab holds at a time.
  alone(work) {
    return this.#locks ? this.#locks.request('bellhop.session', work) : work();
  }

  async #others() {
    if (!this.#locks) return true;
    const wait = new Promise((resolve) => setTimeout(() => resolve(null), patience));
    const found = await Promise.race([this.#locks.query(), wait]);
    return !found || found.held.filter((l) => l.name === 'bellhop.tab').length > (this.#release ? 1 : 0);
  }
}
