// What the page has for the assistant that plans trips from a sentence: the list of planned
// trips, and the links that show a plan to others.

import { PlannedView } from './views/planned.js';
import { SharesView } from './views/shares.js';

export class Planning {
  assistant;
  planned;
  shares;

  // options: say(words), which asks the assistant, file(path, name), now() and ended(error).
  constructor(api, { name }, options) {
    this.assistant = name;
    this.shares = new SharesView(api, options);
    this.planned = new PlannedView(api, { ...options, shares: this.shares });
  }

  get dialogs() {
    return [this.planned.element, this.shares.element];
  }

  // entries are those of the account's menu: [label, open].
  get entries() {
    return [['Planned trips', () => this.planned.open()]];
  }
}
