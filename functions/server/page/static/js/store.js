// Keeps the conversations of this tab in sessionStorage, one a person and
// assistant. When the browser's room is used up, they live on in memory.

const prefix = 'bellhop.thread.';

export class Store {
  #storage;
  full = false; // whether the last save found no room

  constructor(storage = sessionStorage) {
    this.#storage = storage;
  }

  // load returns {thread, items} or null.
  load(user, assistant) {
    try {
      const found = JSON.parse(this.#storage.getItem(key(user, assistant)) ?? 'null');
      return found && typeof found.thread === 'string' && Array.isArray(found.items) ? found : null;
    } catch {
      return null;
    }
  }

  save(user, assistant, conversation) {
    try {
      this.#storage.setItem(key(user, assistant), JSON.stringify(conversation));
      this.full = false;
    } catch {
      // An old copy would bring back a shorter chat, which is worse than none.
      this.#storage.removeItem(key(user, assistant));
      this.full = true;
    }
  }

  // forget removes everything that a person said here.
  forget(user) {
    const own = Array.from({ length: this.#storage.length }, (_, i) => this.#storage.key(i)).filter((k) =>
      k?.startsWith(`${prefix}${user}.`),
    );
    for (const k of own) this.#storage.removeItem(k);
  }
}

function key(user, assistant) {
  return `${prefix}${user}.${assistant}`;
}
