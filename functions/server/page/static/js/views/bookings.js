import { h, button } from '../dom.js';
import { OwnDrawer } from './owndrawer.js';
import { moment, price } from '../travelprofile.js';
import { states } from '../travel.js';
import { ago } from '../format.js';
import { SessionEnded } from '../auth.js';

// BookingsView lists what the person has booked, their trips, and their latest searches.
export class BookingsView extends OwnDrawer {
  #find = h('input', {
    class: 'field',
    type: 'search',
    'aria-label': 'Find a booking',
    placeholder: 'Find a booking',
    onchange: () => this.#look(),
  });
  #list = h('div', { class: 'own-found', 'aria-live': 'polite' });

  // options, besides those of OwnDrawer: run(tool, arguments), file(path, name), now().
  constructor(api, options) {
    super(api, options, 'Bookings and trips');
  }

  open() {
    this.#find.value = '';
    return this.fetch(
      () => Promise.all(['/api/travel-bookings', '/api/trips', '/api/searches'].map((path) => this.#read(path))),
      ([booked, trips, searches]) => {
        if (booked.error) this.fail(booked.error, this.#list);
        else this.#show(booked.bookings ?? []);
        this.body.replaceChildren(
          section('Bookings', booked.bookings?.length > 5 ? this.#find : null, this.#list),
          section(
            'Trips',
            this.#rows(trips, trips.trips, (t) => this.#trip(t), 'There is no trip yet.'),
          ),
          searches.searches?.length > 0
            ? section(
                'Latest searches',
                this.#rows(searches, searches.searches, (s) => this.#search(s), ''),
              )
            : '',
        );
      },
    );
  }

  // A list that cannot be read leaves the others.
  async #read(path) {
    try {
      return await this.api.json(path);
    } catch (error) {
      if (error instanceof SessionEnded) throw error;
      return { error };
    }
  }

  #rows({ error }, list = [], view, none) {
    if (!error) return rows(list.map(view), none);
    const place = h('div', {});
    this.fail(error, place);
    return place;
  }

  async #look() {
    try {
      const { bookings = [] } = await this.api.json(
        `/api/travel-bookings?q=${encodeURIComponent(this.#find.value.trim())}`,
      );
      this.#show(bookings);
    } catch (error) {
      this.fail(error, this.#list);
    }
  }

  #show(bookings) {
    this.#list.replaceChildren(
      rows(
        bookings.map((b) => this.#booking(b)),
        this.#find.value ? 'No booking has these words.' : 'Nothing is booked yet.',
      ),
    );
  }

  #booking(b) {
    const detail = [b.code, moment(b.starts), b.place, price(b.total), b.reference].filter(Boolean);
    return row(
      b.title,
      h('span', { class: 'state', 'data-state': b.state }, states[b.state] ?? b.state),
      detail,
      b.change,
      button('Details', {
        class: 'small',
        'aria-label': `Details of ${b.title}`,
        onclick: () => this.#run('get_booking', { booking: b.code }),
      }),
    );
  }

  #trip(t) {
    const detail = [
      t.code,
      [moment(t.from), moment(t.to)].filter(Boolean).join(' to '),
      t.mine === false ? 'shared with you' : '',
    ].filter(Boolean);
    return row(
      t.title,
      null,
      detail,
      '',
      button('Show', {
        class: 'small',
        'aria-label': `Show ${t.title}`,
        onclick: () => this.#run('show_itinerary', { trip: t.code }),
      }),
      button('Calendar file', {
        class: 'small',
        icon: 'calendar',
        'aria-label': `Calendar file of ${t.title}`,
        onclick: () => this.options.file(`/api/trips/${encodeURIComponent(t.code)}/calendar.ics`, `${t.code}.ics`),
      }),
    );
  }

  #search(s) {
    return row(
      s.summary || s.code,
      null,
      [s.code, s.type === 'hotel' ? 'Hotels' : 'Flights', ago(Date.parse(s.at), this.options.now())],
      '',
    );
  }

  #run(tool, values) {
    this.element.close();
    this.options.run(tool, values);
  }
}

function section(title, ...content) {
  return h('section', { class: 'own-section' }, h('h3', {}, title), content);
}

function rows(list, none) {
  return list.length > 0
    ? h(
        'ul',
        { class: 'own-list' },
        list.map((r) => h('li', {}, r)),
      )
    : h('p', { class: 'own-none' }, none);
}

function row(title, state, detail, warning, ...buttons) {
  return h(
    'div',
    { class: 'own-row' },
    h(
      'div',
      { class: 'own-words' },
      h('p', {}, h('b', {}, title), state),
      h('p', { class: 'own-detail' }, detail.join(' · ')),
      warning ? h('p', { class: 'own-missing' }, warning) : null,
    ),
    buttons.length > 0 ? h('div', { class: 'own-do' }, buttons) : null,
  );
}
