import { h, button } from '../dom.js';
import { OwnDrawer } from './owndrawer.js';
import { statusOf, plannedDetail } from '../plans.js';
import { ago } from '../format.js';

// PlannedView lists the trips that were planned, with how far each is.
export class PlannedView extends OwnDrawer {
  // options, besides those of OwnDrawer: say(words), file(path, name), now(), and shares,
  // with open({trip, title}).
  constructor(api, options) {
    super(api, options, 'Planned trips');
  }

  open() {
    return this.fetch(async () => (await this.api.json('/api/plans')).plans ?? [], (list) => {
      this.body.replaceChildren(list.length > 0
        ? h('ul', { class: 'own-list' }, list.map((p) => h('li', {}, this.#row(p))))
        : h('p', { class: 'own-none' }, 'No trip is planned yet. Say where you would like to go, when, and with whom.'));
    });
  }

  #row(p) {
    const { words, state } = statusOf(p);
    const path = `/api/trips/${encodeURIComponent(p.trip)}`;
    const said = h('p', { class: 'own-missing', role: 'status' });
    const fetchFile = (address, name) => async (e) => {
      const pressed = e.currentTarget;
      pressed.disabled = true;
      said.textContent = '';
      try {
        await this.options.file(address, name);
      } catch (error) {
        said.textContent = error.message;
      }
      pressed.disabled = false;
    };
    return h('div', { class: 'own-row', 'data-trip': p.trip },
      h('div', { class: 'own-words' },
        h('p', {}, h('b', {}, p.title), h('span', { class: 'state', 'data-state': state }, words)),
        h('p', { class: 'own-detail' }, [...plannedDetail(p), `changed ${ago(Date.parse(p.updatedAt), this.options.now())}`].join(' · ')), said),
      h('div', { class: 'own-do' },
        button('Open', { class: 'small', 'aria-label': `Open ${p.title}`, onclick: () => {
          this.element.close();
          this.options.say(p.run > 0 ? `Show the plans of ${p.trip}` : `Go on planning ${p.trip}`);
        } }),
        p.mine !== false && p.run > 0 ? button('Share', { class: 'small', icon: 'share', 'aria-label': `Share ${p.title}`, onclick: () => {
          this.element.close();
          this.options.shares.open({ trip: p.trip, title: p.title });
        } }) : null,
        p.run > 0 ? button('PDF', { class: 'small', icon: 'export', 'aria-label': `PDF of ${p.title}`, onclick: fetchFile(`${path}/plan.pdf`, `${p.trip}.pdf`) }) : null,
        p.option ? button('Calendar file', { class: 'small', icon: 'calendar', 'aria-label': `Calendar file of ${p.title}`, onclick: fetchFile(`${path}/calendar.ics`, `${p.trip}.ics`) }) : null));
  }
}
