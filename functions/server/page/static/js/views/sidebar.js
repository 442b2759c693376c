import { h, icon, button, iconButton } from '../dom.js';
import { ago, dayOf } from '../format.js';
import { SessionEnded } from '../auth.js';
import { pageSize } from '../conversations.js';

const pause = 250; // milliseconds after the last letter until a search begins
const fresh = 5000; // milliseconds for which a list is not read again unasked

// Sidebar lists the kept conversations of one assistant: to search, open, name,
// delete and bring back. It hides itself where the server keeps none.
export class Sidebar {
  #talks;
  #options;
  #assistant = '';
  #current = '';
  #deleted = false;
  #found = [];
  #next = null;
  #read = 0; // the latest request, so that an older one says nothing any more
  #readAt = 0;
  #asked = ''; // what the list that is shown was asked for by
  #timer = 0;
  #title = h('h2', {}, 'Conversations');
  #search = h('input', {
    class: 'field',
    type: 'search',
    placeholder: 'Search',
    'aria-label': 'Search conversations',
    maxlength: '200',
  });
  #list = h('ul', { class: 'talks' });
  #body = h('div', { class: 'sidebar-body' });
  #more = button('Show more', { class: 'small', hidden: true, onclick: () => this.#load(true) });
  #status = h('div', { class: 'visually-hidden', role: 'status' });
  #available = false;
  #open = false;
  #projects = null; // the list of projects, of an assistant that has some
  #kinds = h(
    'div',
    { class: 'sidebar-kinds', role: 'group', 'aria-label': 'What is listed', hidden: true },
    [
      ['projects', 'Projects'],
      ['talks', 'Conversations'],
    ].map(([kind, name]) =>
      h('button', { type: 'button', class: 'tab', 'data-kind': kind, onclick: () => this.#choose(kind) }, name),
    ),
  );
  #bin = h('button', { type: 'button', class: 'sidebar-bin', onclick: () => this.#turn() });

  // options: now(), open(conversation), gone(id) when one was deleted, close(),
  // tell {done, failed} for news, ended(error) when nobody is signed in any more,
  // and available(yes) when it is known whether the server keeps conversations.
  constructor(talks, options) {
    this.#talks = talks;
    this.#options = options;
    this.element = h(
      'aside',
      { class: 'sidebar', id: 'sidebar', 'aria-label': 'Conversations', hidden: true },
      h(
        'header',
        { class: 'sidebar-head' },
        this.#title,
        this.#kinds,
        iconButton('Close the list', 'cross', { class: 'icon-button sidebar-close', onclick: () => options.close() }),
      ),
      h('div', { class: 'sidebar-search' }, this.#search),
      this.#body,
      this.#status,
      h('footer', { class: 'sidebar-foot' }, this.#bin),
    );
    this.#body.append(this.#list, this.#more);
    this.#search.addEventListener('input', () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#load(), pause);
    });
    this.element.addEventListener('keydown', (e) => this.#key(e));
  }

  // open says whether it is to be seen, if there is anything to see.
  set open(yes) {
    this.#open = yes;
    this.#place();
  }

  get open() {
    return !this.element.hidden;
  }

  #place() {
    this.element.hidden = !this.#open || !this.#available;
  }

  #offer(yes) {
    if (this.#available === yes && this.#readAt > 0) return;
    this.#available = yes;
    this.#place();
    this.#options.available(yes);
  }

  // show lists the conversations of an assistant; current is the open one. projects is
  // the list of its projects, where it has some; that is shown first.
  show(assistant, current, projects = null) {
    const other = this.#assistant !== assistant;
    this.#assistant = assistant;
    if (other) this.#take(projects);
    this.#mark(current);
    if (!other) return this.refresh();
    this.#deleted = false;
    this.#search.value = '';
    this.#found = [];
    this.#next = null;
    this.#draw('', false);
    this.#projects?.load();
    this.#load();
  }

  #take(projects) {
    this.#projects?.element.remove();
    this.#projects = projects;
    this.#kinds.hidden = projects === null;
    this.#title.hidden = projects !== null;
    if (projects) this.#body.before(projects.element);
    this.#choose(projects ? 'projects' : 'talks');
  }

  #choose(kind) {
    const listed = kind === 'projects';
    for (const tab of this.#kinds.children) tab.setAttribute('aria-pressed', String(tab.dataset.kind === kind));
    if (this.#projects) this.#projects.element.hidden = !listed;
    for (const part of [this.#body, this.#search.parentNode, this.#bin.parentNode]) part.hidden = listed;
  }

  // refresh reads the list again, quietly, and marks the open conversation.
  // Whoever is typing a name is not disturbed.
  refresh(current = this.#current) {
    this.#mark(current);
    this.#projects?.load();
    if (this.#assistant && !this.#list.querySelector('.talk-name')) this.#load();
  }

  // glance refreshes a list that may have grown old, as when somebody comes
  // back from another tab.
  glance() {
    if (Date.now() - this.#readAt > fresh) this.refresh();
  }

  focus() {
    if (this.#search.parentNode.hidden) this.#kinds.firstChild.focus();
    else this.#search.focus();
  }

  async #load(more = false) {
    const own = ++this.#read;
    const wanted = { query: this.#search.value.trim(), deleted: this.#deleted, cursor: more ? this.#next : '' };
    this.#more.disabled = true;
    try {
      const { conversations, next } = await this.#talks.list(this.#assistant, wanted);
      if (own !== this.#read) return;
      this.#offer(true);
      this.#readAt = Date.now();
      const same = this.#asked === JSON.stringify({ ...wanted, cursor: '' });
      this.#asked = JSON.stringify({ ...wanted, cursor: '' });
      if (more) this.#found = [...this.#found, ...conversations];
      // Pages that were read already stay below the first, which is read anew.
      else if (same && this.#found.length > pageSize)
        this.#found = [...conversations, ...rest(this.#found, conversations)];
      else this.#found = conversations;
      if (more || this.#found.length === conversations.length) this.#next = next;
      this.#draw(wanted.query);
      if (wanted.query)
        this.#status.textContent =
          this.#found.length === 1 ? '1 conversation found' : `${this.#found.length} conversations found`;
    } catch (error) {
      if (own !== this.#read) return;
      if (error instanceof SessionEnded) return this.#options.ended(error);
      if (error.status === 404) return this.#offer(false);
      // What was there stays; a list that never came says so.
      if (this.#found.length === 0) {
        this.#offer(true);
        this.#list.replaceChildren(
          h(
            'li',
            { class: 'talks-none' },
            h('p', {}, error.message),
            button('Try again', { icon: 'retry', class: 'small', onclick: () => this.#load() }),
          ),
        );
      }
    }
    this.#more.disabled = false;
  }

  #draw(query = '', loaded = true) {
    const held = document.activeElement?.closest?.('.talk')?.dataset.id;
    this.#title.textContent = this.#deleted ? 'Deleted' : 'Conversations';
    this.#bin.replaceChildren(
      icon(this.#deleted ? 'chevron' : 'bin', this.#deleted ? 'back' : ''),
      this.#deleted ? 'Back to all conversations' : 'Deleted conversations',
    );
    this.#list.replaceChildren(...this.#days());
    if (this.#found.length === 0 && loaded)
      this.#list.append(h('li', { class: 'talks-none' }, h('p', {}, nothing(query, this.#deleted))));
    this.#more.hidden = !this.#next;
    if (held) this.#list.querySelector(`.talk[data-id="${CSS.escape(held)}"] .talk-open`)?.focus();
  }

  // days returns the rows, grouped by the day of their last message.
  #days() {
    const days = [];
    for (const c of this.#found) {
      const name = dayOf(Date.parse(c.lastMessageAt ?? c.updatedAt), this.#options.now());
      if (days.at(-1)?.name !== name) days.push({ name, rows: [] });
      days.at(-1).rows.push(this.#row(c));
    }
    return days.map(({ name, rows }) => h('li', { class: 'talks-day' }, h('h3', {}, name), h('ul', {}, rows)));
  }

  #row(c) {
    const title = c.title || 'New conversation';
    const others = (c.people ?? []).length > 1 ? `${c.people.length} people · ` : '';
    const text = [
      h('span', { class: 'talk-title' }, title),
      h('span', { class: 'talk-preview' }, h('span', { class: 'talk-code' }, c.code), ` ${others}${c.preview ?? ''}`),
      h(
        'time',
        { class: 'talk-time', datetime: c.lastMessageAt ?? c.updatedAt },
        ago(Date.parse(c.lastMessageAt ?? c.updatedAt), this.#options.now()),
      ),
    ];
    const row = h('li', { class: 'talk', 'data-id': c.id });
    if (this.#deleted) {
      row.append(
        h('div', { class: 'talk-open' }, text),
        h(
          'div',
          { class: 'talk-tools' },
          iconButton(`Restore “${title}”`, 'undo', { class: 'icon-button small', onclick: () => this.#restore(c) }),
        ),
      );
      return row;
    }
    row.append(
      h(
        'button',
        {
          type: 'button',
          class: 'talk-open',
          'aria-current': c.id === this.#current ? 'true' : null,
          onclick: () => this.#options.open(c),
        },
        text,
      ),
      h(
        'div',
        { class: 'talk-tools' },
        iconButton(`Rename “${title}”`, 'pencil', { class: 'icon-button small', onclick: () => this.#rename(c, row) }),
        iconButton(`Delete “${title}”`, 'bin', { class: 'icon-button small', onclick: () => this.#remove(c) }),
      ),
    );
    return row;
  }

  #mark(current) {
    this.#current = current;
    for (const row of this.#list.querySelectorAll('.talk')) {
      const open = row.querySelector('button.talk-open');
      if (row.dataset.id === current) open?.setAttribute('aria-current', 'true');
      else open?.removeAttribute('aria-current');
    }
  }

  #rename(c, row) {
    const field = h('input', {
      class: 'field talk-name',
      value: c.title,
      maxlength: '120',
      'aria-label': 'Name of the conversation',
    });
    let over = false;
    const end = async (keep) => {
      if (over) return;
      over = true;
      const title = field.value.trim();
      if (keep && title && title !== c.title) {
        await this.#act(async () => {
          await this.#talks.rename(c, title);
          c.title = title;
        });
      }
      this.#draw();
      this.#list.querySelector(`.talk[data-id="${CSS.escape(c.id)}"] .talk-open`)?.focus();
      this.refresh();
    };
    field.addEventListener('keydown', (e) => {
      if (e.key === 'Enter' && !e.isComposing) end(true);
      else if (e.key === 'Escape') end(false);
      else return;
      e.preventDefault();
      e.stopPropagation();
    });
    field.addEventListener('blur', () => end(true));
    row.replaceChildren(field);
    field.focus();
    field.select();
  }

  async #remove(c) {
    const at = this.#found.indexOf(c);
    const gone = await this.#act(() => this.#talks.remove(c.id));
    if (!gone) return this.refresh();
    this.#found = this.#found.filter((x) => x.id !== c.id);
    this.#draw();
    (this.#list.querySelectorAll('.talk-open')[Math.min(at, this.#found.length - 1)] ?? this.#search).focus();
    this.#options.gone(c.id);
    this.#options.tell.done(`Deleted “${c.title || 'New conversation'}”`, {
      label: 'Undo',
      act: () => this.#restore(c),
    });
    // A list that was asked for before may come now and would bring it back.
    this.#load();
  }

  async #restore(c) {
    if (await this.#act(() => this.#talks.restore(c.id)))
      this.#options.tell.done(`“${c.title || 'The conversation'}” is back`);
    this.#load();
  }

  async #act(act) {
    try {
      await act();
      return true;
    } catch (error) {
      if (error instanceof SessionEnded) this.#options.ended(error);
      else
        this.#options.tell.failed(
          error.code === 'changed'
            ? 'Somebody has changed this conversation meanwhile. Here is how it is now.'
            : error.message,
        );
      return false;
    }
  }

  #turn() {
    this.#deleted = !this.#deleted;
    this.#found = [];
    this.#next = null;
    this.#search.value = '';
    this.#draw('', false);
    this.#load();
  }

  // The arrows walk through the list; F2 names and Delete deletes, as in lists
  // of files.
  #key(e) {
    if (e.key === 'Escape') {
      if (this.#search.value && e.target === this.#search) return;
      return this.#options.close();
    }
    const rows = [...this.#list.querySelectorAll('button.talk-open')];
    const at = rows.indexOf(e.target);
    if (e.key === 'ArrowDown' && (at >= 0 || e.target === this.#search))
      rows[Math.min(at + 1, rows.length - 1)]?.focus();
    else if (e.key === 'ArrowUp' && at >= 0) (rows[at - 1] ?? this.#search).focus();
    else if (at >= 0 && (e.key === 'F2' || e.key === 'Delete')) {
      const row = e.target.closest('.talk');
      const c = this.#found.find((x) => x.id === row.dataset.id);
      if (e.key === 'F2') this.#rename(c, row);
      else this.#remove(c);
    } else return;
    e.preventDefault();
  }
}

// rest is what a longer list has after a newly read first page.
function rest(found, first) {
  const ids = new Set(first.map((c) => c.id));
  return found.slice(pageSize).filter((c) => !ids.has(c.id));
}

function nothing(query, deleted) {
  if (query) return 'No conversation has these words.';
  if (deleted) return 'Nothing was deleted.';
  return 'What you talk about is kept here.';
}
