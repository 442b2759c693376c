import { h, icon, button, iconButton } from '../dom.js';
import { ago } from '../format.js';
import { standing } from '../page.js';
import { SessionEnded } from '../auth.js';
import { frame } from './picture.js';

// ProjectList lists the projects of an organisation: to open, to begin another, to hide.
export class ProjectList {
  #projects;
  #options;
  #found = null;
  #current = '';
  #read = 0;
  #archived = false;
  #list = h('ul', { class: 'talks project-list' });
  element = h('div', { class: 'projects' });

  // options: now(), open(code), fresh(), may, tell {done, failed} and ended(error).
  constructor(projects, options) {
    this.#projects = projects;
    this.#options = options;
    this.element.append(
      options.may
        ? button('New project', { icon: 'plus', class: 'small project-new', onclick: () => options.fresh() })
        : '',
      this.#list,
    );
    this.element.addEventListener('keydown', (e) => this.#key(e));
  }

  // mark says which project is open.
  mark(code) {
    if (this.#current === code) return;
    this.#current = code;
    this.#draw();
  }

  // load reads the list; what was there stays where it cannot be read.
  async load() {
    const own = ++this.#read;
    try {
      const found = await this.#projects.list();
      if (own !== this.#read) return;
      this.#found = found;
      this.#draw();
    } catch (error) {
      if (own !== this.#read) return;
      if (error instanceof SessionEnded) return this.#options.ended(error);
      if (!this.#found)
        this.#list.replaceChildren(
          h(
            'li',
            { class: 'talks-none' },
            h('p', {}, error.message),
            button('Try again', { icon: 'retry', class: 'small', onclick: () => this.load() }),
          ),
        );
    }
  }

  #draw() {
    if (!this.#found) return;
    const held = document.activeElement?.closest?.('.project-row')?.dataset.code;
    const live = this.#found.filter((p) => p.status !== 'archived');
    const hidden = this.#found.filter((p) => p.status === 'archived');
    const more =
      hidden.length > 0
        ? h(
            'li',
            { class: 'project-more' },
            h(
              'button',
              {
                type: 'button',
                class: 'sidebar-bin',
                'aria-expanded': String(this.#archived),
                onclick: () => {
                  this.#archived = !this.#archived;
                  this.#draw();
                  this.#list.querySelector('.project-more button').focus();
                },
              },
              icon('chevron', this.#archived ? 'open' : ''),
              `Archived (${hidden.length})`,
            ),
          )
        : null;
    this.#list.replaceChildren(
      ...live.map((p) => this.#row(p)),
      ...(live.length === 0 ? [h('li', { class: 'talks-none' }, h('p', {}, 'Your projects are listed here.'))] : []),
      ...(more ? [more] : []),
      ...(this.#archived ? hidden.map((p) => this.#row(p)) : []),
    );
    if (held) this.#list.querySelector(`[data-code="${CSS.escape(held)}"] .talk-open`)?.focus();
  }

  #row(p) {
    const title = p.title || sentence(p.type) || 'New project';
    const archived = p.status === 'archived';
    return h(
      'li',
      { class: 'talk project-row', 'data-code': p.code },
      h(
        'button',
        {
          type: 'button',
          class: 'talk-open project-open',
          'aria-current': p.code === this.#current ? 'true' : null,
          onclick: () => this.#options.open(p.code),
        },
        p.hero
          ? frame({ width: 4, height: 3 }, () => this.#projects.link(p.code, p.hero, 480), 'project-thumb', 56, 42)
          : h('span', { class: 'project-thumb none' }, icon('image')),
        h(
          'span',
          { class: 'project-words' },
          h('span', { class: 'talk-title' }, title),
          h(
            'span',
            { class: 'talk-preview' },
            [standing(p), p.images > 0 ? `${p.images} ${p.images === 1 ? 'photo' : 'photos'}` : '']
              .filter(Boolean)
              .join(' · '),
          ),
        ),
        h('time', { class: 'talk-time', datetime: p.updatedAt }, ago(Date.parse(p.updatedAt), this.#options.now())),
      ),
      this.#options.may && p.status !== 'published'
        ? h(
            'div',
            { class: 'talk-tools' },
            iconButton(archived ? `Bring back “${title}”` : `Archive “${title}”`, archived ? 'undo' : 'archive', {
              class: 'icon-button small',
              onclick: () => this.#archive(p, title, !archived),
            }),
          )
        : null,
    );
  }

  async #archive(p, title, archived) {
    try {
      await this.#projects.archive(p.code, archived);
      p.status = archived ? 'archived' : 'draft';
      this.#draw();
      this.#options.tell.done(archived ? `Archived “${title}”` : `“${title}” is back`, {
        label: 'Undo',
        act: () => this.#archive(p, title, !archived),
      });
    } catch (error) {
      if (error instanceof SessionEnded) return this.#options.ended(error);
      this.#options.tell.failed(error.message);
    }
    this.load();
  }

  #key(e) {
    if (e.key !== 'ArrowDown' && e.key !== 'ArrowUp') return;
    const rows = [...this.#list.querySelectorAll('.talk-open')];
    const at = rows.indexOf(e.target);
    if (at < 0) return;
    e.preventDefault();
    e.stopPropagation();
    rows[at + (e.key === 'ArrowDown' ? 1 : -1)]?.focus();
  }
}

// sentence begins with a capital letter.
function sentence(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
