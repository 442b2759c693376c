// What the page has for the assistant that plans trips from a sentence: the list of planned
// trips, and the links that show a plan to others.

import { PlannedView } from './views/planned.js';
import { SharesView } from './views/shares.js';

export class Planning {
  assistant;
  plans;
  planned;
  shares;

  // options: panel(title, element), run(tool, arguments), file(path, name), now() and
  // ended(error).
  constructor(api, { name }, options) {
    this.assistant = name;
    this.plans = new Plans(api);
    this.shares = new SharesView(api, options);
    this.planned = new PlannedView(api, { ...options, shares: this.shares, plans: this.plans });
  }

  get dialogs() {
    return [this.planned.element, this.shares.element];
  }

  // entries are those of the account's menu: [label, open].
  get entries() {
    return [['Planned trips', () => this.planned.open()]];
  }
}

const fresh = 5_000; // milliseconds for which plans are not read again

// Plans reads and changes the plans of trips for their cards. Both return {plan, options},
// where options is the part's data as it is by now, or null.
export class Plans {
  #api;
  #now;
  #known = new Map(); // trip → {at, found}
  #watching = new Set();

  constructor(api, now = Date.now) {
    this.#api = api;
    this.#now = now;
  }

  of(trip) {
    const known = this.#known.get(trip);
    if (known && this.#now() - known.at < fresh) return known.found;
    const found = this.#api.json(`/api/trips/${encodeURIComponent(trip)}/plan`);
    this.#known.set(trip, { at: this.#now(), found });
    return found;
  }

  // watch has look called when plans may have changed elsewhere, until it returns false.
  watch(look) {
    this.#watching.add(look);
  }

  // expire says that plans may have changed: by a turn, a tool, or another tab.
  expire() {
    this.#known.clear();
    for (const look of this.#watching) if (look() === false) this.#watching.delete(look);
  }

  // act selects an option (what is selection) or swaps a part of one (swap).
  async act(trip, what, body) {
    try {
      return await this.#api.json(`/api/trips/${encodeURIComponent(trip)}/${what}`, body, {
        key: crypto.randomUUID(),
      });
    } finally {
      this.#known.delete(trip);
    }
  }
}
