import { h, icon, button, iconButton } from '../dom.js';
import { publicLink } from '../page.js';
import { SessionEnded } from '../auth.js';
import { Editor } from './editor.js';
import { preview } from './preview.js';
import { ProposalCard } from './proposal.js';

const tabs = [
  ['preview', 'Preview'],
  ['edit', 'Edit'],
];

// ProjectPanel shows the page of one project, as it will look or to be edited. In enough
// room it stands beside the conversation; in less it is a drawer over it.
export class ProjectPanel {
  #projects;
  #options;
  #draft = null;
  #off = () => {};
  #tab = 'preview';
  #editor = null;
  #shown = null; // the page that the preview was made of
  #card = null;
  #news = '';
  #wide = matchMedia('(min-width: 1100px)');
  #title = h('h2', { tabindex: '-1' }, 'Page');
  #status = h('span', { class: 'project-status' });
  #saving = h('span', { class: 'project-saving', role: 'status' });
  #undo = iconButton('Undo the last change', 'undo', { onclick: () => this.#undoLast() });
  #tabs;
  #body = h('div', { class: 'project-body', id: 'project-body', role: 'tabpanel', tabindex: '0' });
  #failure = h('div', { class: 'project-failure', role: 'alert' });
  #missing = h('div', { class: 'project-missing' });
  #link = h('div', { class: 'project-link' });
  #slot = h('div', { class: 'project-card' });
  #publish = button('Publish', { icon: 'globe', class: 'primary', onclick: () => this.#draft.publish() });
  #back = button('Take it back', { class: 'quiet', onclick: () => this.#draft.unpublish() });
  #room;
  #dialog = h('dialog', { class: 'drawer project-drawer', 'aria-label': 'Page of the project' });
  element = h('aside', { class: 'project', id: 'project', 'aria-label': 'Page of the project', hidden: true });

  // options: may, whether the person may change anything, now(), tell {done, failed},
  // ended(error), and changed({closed, status}), called when it opens
  // or closes, or a project has another status.
  constructor(projects, options) {
    this.#projects = projects;
    this.#options = options;
    this.#tabs = h(
      'div',
      { class: 'project-tabs', role: 'tablist', 'aria-label': 'View' },
      tabs.map(([name, label]) =>
        h(
          'button',
          {
            type: 'button',
            role: 'tab',
            id: `project-tab-${name}`,
            'data-name': name,
            'aria-controls': 'project-body',
            onclick: () => this.#turn(name),
          },
          label,
        ),
      ),
    );
    this.#tabs.addEventListener('keydown', (e) => {
      if (e.key !== 'ArrowLeft' && e.key !== 'ArrowRight') return;
      e.preventDefault();
      this.#turn(this.#tab === 'edit' ? 'preview' : 'edit');
      this.#tabs.querySelector('[aria-selected="true"]').focus();
    });
    this.#room = h(
      'div',
      { class: 'project-room' },
      h(
        'header',
        { class: 'project-head' },
        h('div', { class: 'project-name' }, this.#title, this.#status),
        this.#undo,
        iconButton('Close the page', 'cross', { onclick: () => this.close() }),
      ),
      h('div', { class: 'project-bar' }, this.#tabs, this.#saving),
      this.#failure,
      this.#body,
      h(
        'footer',
        { class: 'project-foot' },
        this.#missing,
        this.#link,
        this.#slot,
        h('div', { class: 'project-do' }, this.#publish, this.#back),
      ),
    );
    this.#room.addEventListener('keydown', (e) => {
      if (e.key !== 'Escape' || !this.#wide.matches || e.defaultPrevented || e.target.closest('.proposal')) return;
      this.close();
    });
    this.#dialog.addEventListener('close', () => this.#wide.matches || this.#closed());
    this.#wide.addEventListener('change', () => this.open && this.#seat());
  }

  // dialog is to be put where it is not hidden with the panel.
  get dialog() {
    return this.#dialog;
  }

  get open() {
    return this.#draft !== null;
  }

  get code() {
    return this.#draft?.code ?? '';
  }

  // wide says whether there is room beside the conversation.
  get wide() {
    return this.#wide.matches;
  }

  // show opens a project, with edit to be edited. page is what is known of it. With focus
  // the panel takes it, as when somebody has pressed a button.
  show(code, { edit = false, page = null, focus = true } = {}) {
    if (this.#draft?.code !== code) {
      this.#off();
      this.#draft = this.#projects.draft(code);
      this.#off = this.#draft.on(() => this.#update());
      this.#editor = null;
      this.#shown = null;
      this.#card = null;
      this.#news = '';
      this.#tab = edit ? 'edit' : 'preview';
    } else if (edit) this.#tab = 'edit';
    if (page) this.#draft.take(page);
    this.#draft.load();
    this.#seat();
    this.#update();
    this.#options.changed();
    if (focus) this.#title.focus({ preventScroll: true });
  }

  #seat() {
    const wide = this.#wide.matches;
    this.element.hidden = !wide;
    if (wide) {
      this.element.append(this.#room);
      if (this.#dialog.open) this.#dialog.close();
    } else {
      this.#dialog.append(this.#room);
      if (!this.#dialog.open) this.#dialog.showModal();
    }
  }

  close() {
    if (!this.open) return;
    // What is being written is saved when it is left.
    if (this.#room.contains(document.activeElement)) document.activeElement.blur();
    if (this.#dialog.open) return this.#dialog.close(); // which says so
    this.#closed();
  }

  #closed() {
    if (this.#room.contains(document.activeElement)) document.activeElement.blur();
    this.#off();
    this.#off = () => {};
    this.#draft = null;
    this.element.hidden = true;
    this.#options.changed({ closed: true });
  }

  #turn(name) {
    if (this.#room.contains(document.activeElement) && this.#body.contains(document.activeElement))
      document.activeElement.blur();
    this.#tab = name;
    this.#update();
    this.#body.scrollTop = 0;
  }

  #update() {
    const draft = this.#draft;
    if (!draft) return;
    if (draft.failure instanceof SessionEnded) return this.#options.ended(draft.failure);
    const { page, project } = draft;
    this.#title.textContent = page?.title || 'Page without a title yet';
    const changed = project?.changedSincePublished;
    this.#status.dataset.status = page?.status ?? 'draft';
    this.#status.textContent =
      page?.status === 'published'
        ? changed
          ? 'Published · changed since'
          : 'Published'
        : page?.status === 'archived'
          ? 'Archived'
          : 'Draft';
    for (const tab of this.#tabs.children) {
      const own = tab.dataset.name === this.#tab;
      tab.setAttribute('aria-selected', String(own));
      tab.tabIndex = own ? 0 : -1;
    }
    this.#body.setAttribute('aria-labelledby', `project-tab-${this.#tab}`);
    this.#say(draft.busy > 0 ? 'Saving…' : this.#news);
    this.#undo.hidden = !this.#options.may;
    this.#undo.disabled = draft.busy > 0;
    this.#fail(draft);
    this.#content(draft);
    this.#advice(draft);
    this.#public(draft);
    this.#consent(draft);
  }

  #say(words) {
    if (this.#saving.textContent !== words) this.#saving.textContent = words;
    if (this.#draft.busy > 0) this.#news = 'Saved';
  }

  // News are told in the corner of the page, which a drawer covers.
  #done(words) {
    if (this.#wide.matches) return this.#options.tell.done(words);
    this.#news = words;
    this.#update();
  }

  #fail({ failure, page }) {
    if (!failure) return this.#failure.replaceChildren();
    const words =
      failure.code === 'changed' ? 'Somebody has changed this meanwhile. Here is how it is now.' : failure.message;
    this.#news = '';
    if (this.#failure.textContent === words) return;
    this.#failure.replaceChildren(
      h(
        'div',
        { class: 'failure' },
        icon('alert'),
        h('div', {}, h('p', {}, words)),
        page ? null : button('Try again', { class: 'small', icon: 'retry', onclick: () => this.#draft.load() }),
      ),
    );
  }

  #content(draft) {
    const { page, project } = draft;
    if (this.#tab === 'edit' && project) {
      this.#editor ??= new Editor(draft, {
        photos: this.#projects.photos(draft.code),
        link: (id, width) => this.#projects.link(draft.code, id, width),
        may: this.#options.may,
      });
      this.#editor.update();
      if (this.#body.firstChild !== this.#editor.element) this.#body.replaceChildren(this.#editor.element);
      this.#shown = null;
      return;
    }
    if (!page) {
      this.#shown = null;
      if (!draft.failure) this.#body.replaceChildren(h('p', { class: 'preview-none' }, 'Fetching the page…'));
      return;
    }
    const key = JSON.stringify(page);
    if (this.#shown === key) return;
    this.#shown = key;
    const { scrollTop } = this.#body;
    this.#body.replaceChildren(preview(page, (id, width) => this.#projects.link(draft.code, id, width)));
    this.#body.scrollTop = scrollTop;
  }

  // advice lists what keeps the page from being published, each with its way out.
  #advice(draft) {
    const { missing, page } = draft;
    const done = draft.checks.length - missing.length;
    const key = JSON.stringify([missing, done]);
    if (this.#missing.dataset.key === key) return;
    this.#missing.dataset.key = key;
    const open = this.#missing.querySelector('details')?.open ?? false;
    this.#missing.hidden = !page || (missing.length === 0 && draft.checks.length === 0);
    if (missing.length === 0) {
      this.#missing.replaceChildren(
        h(
          'p',
          { class: 'project-ready' },
          icon('check'),
          page?.status === 'published'
            ? 'All that a page needs is there.'
            : 'Nothing is missing: it can be published.',
        ),
      );
      return;
    }
    this.#missing.replaceChildren(
      h(
        'details',
        { open },
        h(
          'summary',
          {},
          icon('chevron'),
          h(
            'span',
            {},
            missing.length === 1
              ? '1 thing is missing before it can be published'
              : `${missing.length} things are missing before it can be published`,
          ),
        ),
        h(
          'ul',
          { class: 'checks' },
          missing.map((c) =>
            h(
              'li',
              {},
              icon('info'),
              h('div', {}, h('b', {}, c.reason), c.mend ? h('span', {}, c.mend) : null),
              c.field && this.#options.may && c.field !== 'business'
                ? button('Go there', {
                    class: 'small quiet',
                    'aria-label': `Go there: ${c.reason}`,
                    onclick: () => this.#lead(c.field),
                  })
                : null,
            ),
          ),
        ),
      ),
    );
  }

  #lead(field) {
    if (/^(business|profile)/.test(field)) return this.#options.business();
    this.#turn('edit');
    this.#editor?.show(field.split('.')[0]);
  }

  #public({ page, busy, project, missing }) {
    const may = this.#options.may && page && page.status !== 'archived';
    const live = page?.status === 'published';
    this.#publish.hidden = !may || (live && project?.changedSincePublished === false);
    this.#publish.disabled = busy > 0;
    this.#publish.classList.toggle('primary', missing.length === 0);
    this.#publish.querySelector('span').textContent = live ? 'Publish the changes' : 'Publish';
    this.#back.hidden = !may || !live;
    this.#back.disabled = busy > 0;
    const address = live ? publicLink(page.url, location.href) : '';
    if (this.#link.dataset.address === address) return;
    this.#link.dataset.address = address;
    this.#link.hidden = address === '';
    if (address === '') return this.#link.replaceChildren();
    const own = new URL(address).origin === location.origin;
    this.#link.replaceChildren(
      h(
        'p',
        { class: 'project-address' },
        icon('globe'),
        own
          ? h(
              'a',
              { class: 'link', href: address, target: '_blank', rel: 'noopener' },
              address.replace(/^https?:\/\//, ''),
            )
          : h('span', {}, address.replace(/^https?:\/\//, '')),
      ),
      h(
        'div',
        { class: 'project-share' },
        button('Copy the link', { class: 'small', icon: 'copy', onclick: () => this.#copy(address) }),
        navigator.share
          ? button('Share', {
              class: 'small',
              icon: 'share',
              onclick: () => navigator.share({ title: page.title, url: address }).catch(() => {}),
            })
          : null,
      ),
    );
  }

  async #copy(address) {
    try {
      await navigator.clipboard.writeText(address);
      this.#done('The link is copied.');
    } catch {
      this.#done('It could not be copied: choose the address above.');
    }
  }

  #consent(draft) {
    const { proposal, busy } = draft;
    if (!proposal) {
      if (!this.#card) return;
      this.#slot.replaceChildren();
      this.#card = null;
      if (document.activeElement === document.body) this.#title.focus({ preventScroll: true });
      return;
    }
    if (this.#card?.proposal.id !== proposal.id) {
      this.#card = new ProposalCard(proposal, {
        now: this.#options.now,
        again: () => draft.again(),
        decide: (id, decision, phrase) => this.#decide(id, decision, phrase),
      });
      this.#slot.replaceChildren(this.#card.element);
      // The button that asked is hidden while the question is open.
      this.#card.element.tabIndex = -1;
      this.#card.element.focus({ preventScroll: true });
    }
    this.#card.update(proposal, busy > 0);
  }

  async #decide(id, decision, phrase) {
    const draft = this.#draft;
    const before = draft.page?.status;
    await draft.decide(id, decision, phrase);
    if (draft.failure || draft !== this.#draft) return;
    const now = draft.page?.status;
    if (decision === 'reject') this.#done('Nothing was changed.');
    else if (now === 'published') this.#done('The page is public.');
    else if (before === 'published') this.#done('The page is no longer public.');
    this.#options.changed({ status: true });
  }

  async #undoLast() {
    const draft = this.#draft;
    if (await draft.undo()) this.#done('The last change was taken back.');
  }
}
