import { h, icon, button } from '../dom.js';
import { OwnDrawer, fieldOf } from './owndrawer.js';
import { linkOf, liveShares, terms, until } from '../plans.js';

// SharesView makes links that show the plans of a trip to people who have them, and ends
// them. A link is shown once, when it is made: only its hash is kept.
export class SharesView extends OwnDrawer {
  #list = h('div', { class: 'own-found', 'aria-live': 'polite' });
  #path = '';

  // options, besides those of OwnDrawer: now().
  constructor(api, options) {
    super(api, options, 'Share a plan');
  }

  open({ trip, title }) {
    this.#path = `/api/trips/${encodeURIComponent(trip)}/shares`;
    return this.fetch(
      () => this.#read(),
      (shares) => {
        this.#show(shares);
        this.body.replaceChildren(
          h(
            'p',
            { class: 'shares-about' },
            'People who have the link see the plans of ',
            h('b', {}, title),
            ' and can change nothing. It shows no names, needs no account, and ends when you say so.',
          ),
          this.#form(),
          h('section', { class: 'own-section' }, h('h3', {}, 'Links'), this.#list),
        );
      },
    );
  }

  async #read() {
    return (await this.api.json(this.#path)).shares ?? [];
  }

  #form() {
    const field = fieldOf({ name: 'days', label: 'The link works for', options: terms }, '30');
    field.input.querySelector('option[value=""]').remove();
    const place = h('div', { class: 'shares-made', 'aria-live': 'polite' });
    const make = button('Make a link', { icon: 'share', class: 'primary', type: 'submit' });
    return h(
      'form',
      {
        class: 'own-form',
        onsubmit: async (e) => {
          e.preventDefault();
          make.disabled = true;
          try {
            const expires = new Date(this.options.now() + Number(field.input.value) * 86_400_000).toISOString();
            const share = await this.api.json(this.#path, { expires }, { key: crypto.randomUUID() });
            place.replaceChildren(this.#made(share));
            place.querySelector('input').select();
            this.#show(await this.#read());
          } catch (error) {
            this.fail(error, place);
          }
          make.disabled = false;
        },
      },
      h('div', { class: 'shares-new' }, field.element, make),
      place,
    );
  }

  // made shows a new link, with a button that copies it.
  #made(share) {
    const address = linkOf(share, location.origin);
    const input = h('input', {
      class: 'field',
      type: 'text',
      readonly: true,
      'aria-label': 'The link',
      value: address,
      onfocus: (e) => e.target.select(),
    });
    const copy = button('Copy', {
      icon: 'copy',
      class: 'primary',
      onclick: async () => {
        try {
          await navigator.clipboard.writeText(address);
          copy.replaceChildren(icon('check'), h('span', {}, 'Copied'));
        } catch {
          input.select(); // the person copies it by hand
        }
      },
    });
    return h(
      'div',
      { class: 'shares-link' },
      h('p', {}, icon('check'), h('b', {}, 'Your link is ready.'), ' It is shown here once.'),
      h('div', {}, input, copy),
    );
  }

  #show(shares) {
    const now = this.options.now();
    const live = liveShares(shares, now);
    this.#list.replaceChildren(
      live.length > 0
        ? h(
            'ul',
            { class: 'own-list' },
            live.map((s) => h('li', {}, this.#row(s))),
          )
        : h('p', { class: 'own-none' }, 'There is no link yet.'),
    );
  }

  #row(share) {
    const now = this.options.now();
    const revoke = this.asks('Revoke…', 'People who have it see nothing any more.', 'Revoke', async () => {
      await this.api.json(`${this.#path}/${encodeURIComponent(share.code)}`, null, { method: 'DELETE' });
      this.#show(await this.#read());
    });
    revoke.querySelector('button').setAttribute('aria-label', `Revoke link ${share.code}`);
    return h(
      'div',
      { class: 'own-row', 'data-share': share.code },
      h(
        'div',
        { class: 'own-words' },
        h('p', {}, h('b', {}, `Link ${share.code}`)),
        h('p', { class: 'own-detail' }, `made ${until(share.made, now)} · works until ${until(share.expires, now)}`),
      ),
      revoke,
    );
  }
}
