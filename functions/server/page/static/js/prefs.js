// Small things that a person likes to have a certain way: kept in this
// browser, and nowhere else.

const prefix = 'bellhop.prefs.';

export class Prefs {
  #storage;

  constructor(storage = localStorage) {
    this.#storage = storage;
  }

  get(name, otherwise = '') {
    try {
      return this.#storage.getItem(prefix + name) ?? otherwise;
    } catch {
      return otherwise; // a browser may keep nothing for anybody
    }
  }

  set(name, value) {
    try {
      this.#storage.setItem(prefix + name, value);
    } catch {
      // It holds until the page is left.
    }
  }
}

// developer shows or hides what only developers want to know: timings, tokens and
// which agent answered.
export function developer(on, root = document.documentElement) {
  root.toggleAttribute('data-developer', on);
}

// looks are what a person may choose; '' follows the system.
export const looks = [
  ['', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];

// dress puts a look on the page. dark is the link to the dark colours; paper is
// always light.
export function dress(look, dark = document.getElementById('dark')) {
  if (dark) dark.media = { dark: 'screen', light: 'not all' }[look] ?? 'screen and (prefers-color-scheme: dark)';
}
