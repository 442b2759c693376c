import { h, icon, button, iconButton } from '../dom.js';
import { SessionEnded } from '../auth.js';
import { PhotoUploads, photoTypes, said } from '../photos.js';
import { changedProfile, profileFields, siteOf } from '../business.js';

// BusinessView is the form of the profile that stands on every page of the organisation.
export class BusinessView {
  #projects;
  #api;
  #options;
  #profile = null;
  #inputs = new Map();
  #logo = '';
  #body = h('div', { class: 'drawer-body' });

  // options: may, now(), saved() and ended(error).
  constructor(projects, api, options) {
    this.#projects = projects;
    this.#api = api;
    this.#options = options;
    this.element = h(
      'dialog',
      { class: 'drawer', 'aria-label': 'Business profile' },
      h(
        'header',
        { class: 'drawer-head' },
        h('h2', {}, 'Business profile'),
        iconButton('Close', 'cross', { onclick: () => this.element.close() }),
      ),
      this.#body,
    );
  }

  async open() {
    if (!this.element.open) this.element.showModal();
    this.#body.replaceChildren(h('p', { class: 'form-help' }, 'Fetching the profile…'));
    try {
      this.#draw(await this.#projects.business());
    } catch (error) {
      this.#fail(error, this.#body);
    }
  }

  #draw(profile, note = null) {
    this.#profile = profile;
    this.#logo = profile.logo ?? '';
    this.#inputs.clear();
    const result = h('div', { class: 'business-result', 'aria-live': 'polite' }, note);
    const save = button('Save', { class: 'primary', icon: 'check', type: 'submit' });
    const fields = profileFields.map(({ name, label, help, rows, ...attributes }) => {
      const input = h(rows ? 'textarea' : 'input', {
        class: 'field',
        id: `business-${name}`,
        'aria-describedby': help ? `business-${name}-help` : null,
        ...(rows ? { rows } : { type: 'text' }),
        ...attributes,
      });
      input.value = profile[name] ?? '';
      this.#inputs.set(name, input);
      return h(
        'div',
        { class: 'form-field' },
        h(
          'label',
          { for: input.id },
          label,
          attributes.required ? null : h('span', { class: 'optional' }, ' optional'),
        ),
        input,
        help ? h('p', { class: 'form-help', id: `business-${name}-help` }, help) : null,
      );
    });
    const name = this.#inputs.get('name');
    const site = this.#inputs.get('site');
    // A name of the address is offered once, and is the person's to change.
    if (!profile.site) name.addEventListener('input', () => site.dataset.own || (site.value = siteOf(name.value)));
    site.addEventListener('input', () => (site.dataset.own = 'yes'));
    const form = h(
      'form',
      {
        class: 'business',
        onsubmit: (e) => {
          e.preventDefault();
          this.#save(save, result);
        },
      },
      h(
        'fieldset',
        { class: 'business-fields', disabled: !this.#options.may },
        h('legend', { class: 'visually-hidden' }, 'Who did the job'),
        h('p', { class: 'form-help' }, 'This stands on every page that you publish.'),
        fields,
        this.#logoField(profile),
        this.#options.may ? h('div', {}, save) : h('p', { class: 'form-help' }, 'Your role may look at it only.'),
      ),
      result,
    );
    this.#body.replaceChildren(form);
    name.focus();
  }

  #logoField(profile) {
    const words = h(
      'span',
      { class: 'business-logo-words', role: 'status' },
      profile.logo ? 'There is a logo.' : 'There is no logo.',
    );
    const gone = button('Remove the logo', {
      class: 'small quiet',
      hidden: !profile.logo,
      onclick: () => {
        this.#logo = '';
        gone.hidden = true;
        words.textContent = 'There will be no logo once this is saved.';
      },
    });
    const uploads = new PhotoUploads(this.#api, {
      attach: async ([id]) => id,
      attached: (id) => {
        this.#logo = id;
        gone.hidden = false;
      },
    });
    const input = h('input', {
      type: 'file',
      accept: photoTypes,
      hidden: true,
      tabindex: '-1',
      'aria-hidden': 'true',
      onchange: () => {
        uploads.add([...input.files].slice(0, 1));
        input.value = '';
      },
    });
    uploads.on(() => {
      const last = uploads.list.at(-1);
      words.textContent = last?.state === 'ready' ? 'The new logo is there: save to keep it.' : last ? said(last) : '';
    });
    return h(
      'div',
      { class: 'form-field' },
      h('span', { class: 'business-logo-name' }, 'Logo', h('span', { class: 'optional' }, ' optional')),
      h(
        'div',
        { class: 'business-logo' },
        profile.logo ? icon('check') : icon('image'),
        words,
        button('Choose a logo', { class: 'small', icon: 'plus', onclick: () => input.click() }),
        gone,
        input,
      ),
    );
  }

  async #save(save, result) {
    const values = Object.fromEntries([...this.#inputs].map(([name, input]) => [name, input.value]));
    save.disabled = true;
    try {
      const profile = await this.#projects.saveBusiness(changedProfile(this.#profile, values, this.#logo));
      this.#draw(
        profile,
        h('p', { class: 'business-saved' }, icon('check'), 'Saved. Pages show it when they are published next.'),
      );
      this.#options.saved();
    } catch (error) {
      this.#fail(error, result);
      if (error.code === 'site_taken') this.#inputs.get('site').focus();
    }
    save.disabled = false;
  }

  #fail(error, place) {
    if (error instanceof SessionEnded) {
      this.element.close();
      return this.#options.ended(error);
    }
    const words = error.code === 'changed' ? 'Somebody has changed the profile meanwhile.' : error.message;
    place.replaceChildren(
      h(
        'div',
        { class: 'failure', role: 'alert' },
        icon('alert'),
        h('div', {}, h('p', {}, words)),
        error.code === 'changed'
          ? button('Show it as it is now', { class: 'small', onclick: () => this.open() })
          : null,
      ),
    );
  }
}
