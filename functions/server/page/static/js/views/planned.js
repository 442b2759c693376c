import { h, button } from '../dom.js';
import { OwnDrawer } from './owndrawer.js';
import { partView } from './parts.js';
import { statusOf, plannedDetail } from '../plans.js';
import { ago } from '../format.js';

// PlannedView lists the trips that were planned, with how far each is.
export class PlannedView extends OwnDrawer {
  // options, besides those of OwnDrawer: panel(title, element), which shows something in the
  // room beside the conversation, run(tool, arguments), file(path, name), now(), shares with
  // open({trip, title}), and plans, which is that of partView.
  constructor(api, options) {
    super(api, options, 'Planned trips');
  }

  open() {
    return this.fetch(
      async () => (await this.api.json('/api/plans')).plans ?? [],
      (list) => {
        this.body.replaceChildren(
          list.length > 0
            ? h(
                'ul',
                { class: 'own-list' },
                list.map((p) => h('li', {}, this.#row(p))),
              )
            : h(
                'p',
                { class: 'own-none' },
                'No trip is planned yet. Say where you would like to go, when, and with whom.',
              ),
        );
      },
    );
  }

  // show opens the plans of a trip as they are by now.
  async #show({ trip, title }, pressed, said) {
    const { plans, shares, file, run, now, panel } = this.options;
    pressed.disabled = true;
    said.textContent = '';
    try {
      const { options } = await plans.of(trip);
      this.element.close();
      panel(title, partView({ kind: 'plans', data: options }, { plans, shares, file, run, now }));
    } catch (error) {
      said.textContent = error.message;
    }
    pressed.disabled = false;
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
    return h(
      'div',
      { class: 'own-row', 'data-trip': p.trip },
      h(
        'div',
        { class: 'own-words' },
        h('p', {}, h('b', {}, p.title), h('span', { class: 'state', 'data-state': state }, words)),
        h(
          'p',
          { class: 'own-detail' },
          [...plannedDetail(p), `changed ${ago(Date.parse(p.updatedAt), this.options.now())}`].join(' · '),
        ),
        said,
      ),
      h(
        'div',
        { class: 'own-do' },
        p.run > 0
          ? button('Open', {
              class: 'small',
              'aria-label': `Open ${p.title}`,
              onclick: (e) => this.#show(p, e.currentTarget, said),
            })
          : null,
        p.mine !== false && p.run > 0
          ? button('Share', {
              class: 'small',
              icon: 'share',
              'aria-label': `Share ${p.title}`,
              onclick: () => {
                this.element.close();
                this.options.shares.open({ trip: p.trip, title: p.title });
              },
            })
          : null,
        p.run > 0
          ? button('PDF', {
              class: 'small',
              icon: 'export',
              'aria-label': `PDF of ${p.title}`,
              onclick: fetchFile(`${path}/plan.pdf`, `${p.trip}.pdf`),
            })
          : null,
        p.option
          ? button('Calendar file', {
              class: 'small',
              icon: 'calendar',
              'aria-label': `Calendar file of ${p.title}`,
              onclick: fetchFile(`${path}/calendar.ics`, `${p.trip}.ics`),
            })
          : null,
      ),
    );
  }
}
