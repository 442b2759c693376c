// What the page has for the assistant that plans trips: the forms of travellers and
// preferences, and the lists of bookings and trips.

import { TravellersView } from './views/travellers.js';
import { PreferencesView } from './views/preferences.js';
import { BookingsView } from './views/bookings.js';

export class Travelling {
  assistant;
  travellers;
  preferences;
  bookings;

  // options: run(tool, arguments), which opens a tool of the assistant, file(path, name),
  // now() and ended(error).
  constructor(api, { name }, options) {
    this.assistant = name;
    this.travellers = new TravellersView(api, options);
    this.preferences = new PreferencesView(api, options);
    this.bookings = new BookingsView(api, options);
  }

  get dialogs() {
    return [this.travellers.element, this.preferences.element, this.bookings.element];
  }

  // entries are those of the account's menu: [label, open].
  get entries() {
    return [
      ['Travellers', () => this.travellers.open()],
      ['Travel preferences', () => this.preferences.open()],
      ['Bookings and trips', () => this.bookings.open()],
    ];
  }
}
