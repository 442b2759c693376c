import { h, icon, button, iconButton } from '../dom.js';

// ProjectBar stands above a conversation about a project: what it is called, how far its
// photos are, and the way to its page.
export class ProjectBar {
  #projects;
  #code = '';
  #off = () => {};
  #title = h('b', { class: 'projectbar-title' });
  #words = h('span', { class: 'projectbar-words', role: 'status' });
  #page;
  element;

  constructor(projects) {
    this.#projects = projects;
    this.#page = button('Page', {
      class: 'small',
      icon: 'sidebar',
      'aria-expanded': 'false',
      'aria-controls': 'project',
      onclick: () => projects.turn(this.#code),
    });
    this.element = h(
      'div',
      { class: 'projectbar', role: 'group', 'aria-label': 'Project', hidden: true },
      h('div', { class: 'projectbar-name' }, this.#title, this.#words),
      projects.may
        ? iconButton('Add photos', 'image', {
            onclick: () => projects.open(this.#code, { edit: true, field: 'photos' }),
          })
        : null,
      this.#page,
    );
  }

  // show shows a project; '' shows none.
  show(code) {
    if (code !== this.#code) {
      this.#off();
      this.#code = code;
      const sources = code
        ? [this.#projects.draft(code), this.#projects.photos(code)].map((s) => s.on(() => this.#draw()))
        : [];
      this.#off = () => sources.forEach((end) => end());
      if (code && !this.#projects.draft(code).page) this.#projects.draft(code).load();
    }
    this.#draw();
  }

  #draw() {
    this.element.hidden = this.#code === '';
    if (this.#code === '') return;
    const { page } = this.#projects.draft(this.#code);
    const photos = this.#projects.photos(this.#code);
    this.#title.textContent = page?.title || page?.type || 'New project';
    const all = photos.list.filter((p) => p.state !== 'refused').length;
    const words = photos.busy
      ? `Adding photos: ${photos.added} of ${all}`
      : page
        ? ({ published: 'Published', archived: 'Archived' }[page.status] ?? 'Draft')
        : '';
    if (this.#words.textContent !== words) this.#words.textContent = words;
    this.#page.setAttribute('aria-expanded', String(this.#projects.shown === this.#code));
  }

  close() {
    this.#off();
  }
}
