// The page after the start: who is signed in, which assistant and conversation is
// shown, and what its parts do together.

import { SessionEnded } from './auth.js';
import { Api } from './api.js';
import { Chat } from './chat.js';
import { Cards } from './cards.js';
import { Store } from './store.js';
import { developer, dress } from './prefs.js';
import { Conversations } from './conversations.js';
import { button } from './dom.js';
import { Shell } from './views/shell.js';
import { ChatView } from './views/chat.js';
import { Toasts } from './views/toast.js';
import { save } from './files.js';
import { Panel } from './views/panel.js';
import { Portfolio } from './portfolio.js';
import { Travelling } from './travelling.js';
import { Planning } from './planning.js';
import { toExport } from './parts.js';
import { ToolsView } from './views/tools.js';
import { IntentsView } from './views/intents.js';
import { MailView } from './views/mail.js';
import { ModelLogView } from './views/modellog.js';
import { Sidebar } from './views/sidebar.js';
import { notice, show } from './views/notice.js';
import { signInView } from './views/signin.js';

const pause = 5000; // milliseconds for which a stored conversation is not read again
const worthwhile = 12; // messages below which a summary is not asked for

// App is the page of one browser tab. dev is what a development server offers, or
// null.
export class App {
  #prefs;
  #dev;
  #auth;
  #api;
  #store = new Store();
  #shell = null;
  #view = null;
  #tools = null;
  #intents = null;
  #panel = new Panel();
  #travelling = null; // of the assistant that plans trips, if there is one
  #planning = null; // of the assistant that plans from a sentence, if there is one
  #portfolio = null; // of the assistant that works on projects, if there is one
  #sidebar = null;
  #narrow = matchMedia('(max-width: 900px)');
  #assistants = []; // those that the person's organisation has
  #joining = false;
  #looked = 0; // when the stored conversation was last read for turns of other devices
  #visits = 0; // how often the page was opened
  #log = null; // what the model was sent, in development
  #toasts = new Toasts();
  #talks;
  #rested = ''; // what was last told to be left
  #chats = new Map(); // by assistant; an answer goes on while another tab is shown
  #tabs;
  #missed = new Set(); // threads with a turn in another tab while one runs here
  #away = new Map(); // by thread: chats that are still being answered while another is open

  constructor({ prefs, dev, auth, tabs }) {
    this.#prefs = prefs;
    this.#dev = dev;
    this.#tabs = tabs;
    this.#auth = auth;
    this.#api = new Api({ auth });
    this.#talks = new Conversations(this.#api);
    addEventListener('hashchange', () => this.#shell && location.hash.startsWith('#/') && this.#follow());
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState !== 'visible') return this.#rest();
      this.#sidebar?.glance();
      this.#portfolio?.glance();
      this.#planning?.plans.expire();
      if (!this.#view || Date.now() - this.#looked < pause) return;
      this.#looked = Date.now();
      this.#catchUp(this.#chats.get(this.#view.assistant.name));
    });
    tabs.on('said', ({ user, thread }) => user === auth.user?.id && this.#heard(thread));
    tabs.on('out', ({ user }) => user === auth.user?.id && this.#signedOut());
    tabs.on('session', async () => {
      if (auth.user || this.#joining) return;
      this.#joining = true; // one of several tabs answers first
      await auth.join();
      this.#joining = false;
      if (auth.user) this.open();
    });
    this.#narrow.addEventListener('change', () => this.#shell && this.#seat());
  }

  async open(message = '') {
    const visit = ++this.#visits;
    this.#leave({ keep: true });
    if (!this.#auth.user) {
      document.title = 'Sign in – Bellhop';
      const demo = this.#dev?.users?.length > 0 ? this.#dev.users : null;
      return show(signInView({ auth: this.#auth, demo, message, signedIn: () => this.open() }));
    }
    try {
      this.#assistants = await this.#api.assistants();
    } catch (error) {
      if (visit !== this.#visits) return; // somebody signed in or out meanwhile
      if (error instanceof SessionEnded) return this.open(error.message);
      return notice(
        error.message,
        button('Try again', { class: 'primary wide', icon: 'retry', onclick: () => this.open() }),
        this.#leaveButton(),
      );
    }
    if (visit !== this.#visits) return;
    if (this.#assistants.length === 0) return notice('Your organisation has no assistant yet.', this.#leaveButton());
    this.#toasts.clear();
    // Only paths of this server: the policy allows no other.
    const mail = this.#dev?.mail ? new MailView(this.#dev.mail) : null;
    this.#log = this.#dev?.modelLog ? new ModelLogView(this.#dev.modelLog) : null;
    this.#sidebar = this.#newSidebar();
    this.#portfolio = this.#newPortfolio(this.#assistants.find((a) => a.projects));
    this.#travelling = this.#newTravelling(this.#assistants.find((a) => a.name === 'travel'));
    this.#planning = this.#newPlanning(this.#assistants.find((a) => a.name === 'planner'));
    this.#shell = new Shell({
      assistants: this.#assistants,
      person: this.#person(),
      model: this.#dev?.modelNote || this.#dev?.model,
      mail: mail && (() => mail.open()),
      asked: this.#log && (() => this.#log.open()),
      choose: (name) => (location.hash = `#/${encodeURIComponent(name)}`),
      tools: () => this.#tools.open(this.#view.assistant.name),
      save: (format) => this.#saveChat(format),
      fresh: () => this.#fresh(),
      intents: ['', 'admin'].includes(this.#person().role) && (() => this.#intents.open(this.#view.assistant.name)),
      signOut: () => this.#signOut(),
      sidebar: this.#sidebar,
      beside: this.#portfolio?.beside,
      business: this.#portfolio && (() => this.#portfolio.business.open()),
      own: [...(this.#planning?.entries ?? []), ...(this.#travelling?.entries ?? [])],
      turnSidebar: () => this.#turnSidebar(),
      look: this.#prefs.get('look'),
      dress: (look) => {
        this.#prefs.set('look', look);
        dress(look);
      },
      developer: this.#prefs.get('developer') === 'yes',
      setDeveloper: (on) => {
        this.#prefs.set('developer', on ? 'yes' : '');
        developer(on);
      },
    });
    this.#tools = new ToolsView(this.#api, {
      now: () => this.#api.now(),
      sign: (id) => this.#signed(id),
      projects: (name) => this.#projectsOf(name),
      file: (path, name) => this.#save(path, null, name),
      travellers: (name) => this.#travellersOf(name),
      planning: (name) => this.#planningOf(name),
      onSessionEnded: (error) => this.open(error.message),
    });
    this.#tools.element.addEventListener('close', () => {
      this.#view?.refresh();
      this.#planning?.plans.expire();
    });
    this.#intents = new IntentsView(this.#api, { onSessionEnded: (error) => this.open(error.message) });
    const over = [this.#tools, this.#intents, this.#panel, mail, this.#log, this.#toasts]
      .filter(Boolean)
      .map((part) => part.element);
    this.#shell.element.append(
      ...(this.#portfolio?.dialogs ?? []),
      ...(this.#travelling?.dialogs ?? []),
      ...(this.#planning?.dialogs ?? []),
      ...over,
    );
    show(this.#shell.element);
    this.#seat();
    this.#follow();
  }

  // The address names the assistant and the conversation, so that a reload, a
  // bookmark and the way back lead there.
  #wanted() {
    const [name, id = ''] = location.hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);
    return { assistant: this.#assistants.find((a) => a.name === name) ?? this.#assistants[0], id };
  }

  // follow shows what the address names.
  #follow() {
    const { assistant, id } = this.#wanted();
    const other = this.#view?.assistant !== assistant;
    this.#choose(assistant);
    const chat = this.#chats.get(assistant.name);
    if (id && id !== chat.thread) this.#go({ id }, { address: false });
    else if (!id && chat.kept && !other) this.#fresh({ address: false });
    else this.#address();
  }

  // address writes where one is into the address; with go it is a step that the
  // way back undoes.
  #address({ go = false } = {}) {
    const chat = this.#chats.get(this.#view.assistant.name);
    const to = `#/${encodeURIComponent(this.#view.assistant.name)}${chat.kept ? `/${encodeURIComponent(chat.kept)}` : ''}`;
    if (location.hash === to) return;
    if (go) history.pushState(null, '', to);
    else history.replaceState(null, '', to);
  }

  // heard handles the message of another tab that a turn of a conversation has ended.
  #heard(thread) {
    this.#sidebar?.refresh();
    for (const chat of this.#chats.values()) if (chat.thread === thread) this.#catchUp(chat);
  }

  async #catchUp(chat) {
    if (!chat?.kept || chat.thread !== chat.kept || this.#chats.get(chat.assistant) !== chat) return;
    if (chat.busy) return this.#missed.add(chat.thread);
    try {
      chat.catchUp(await this.#talks.open(chat.thread));
    } catch (error) {
      if (error instanceof SessionEnded) this.open(error.message);
      // What is here stays; the next turn says what is wrong.
    }
  }

  #settled(chat) {
    this.#sidebar?.refresh();
    if (chat.assistant === this.#portfolio?.assistant) this.#portfolio.settled(chat);
    if (chat.assistant === this.#planning?.assistant) this.#planning.plans.expire();
    if (!chat.kept) return;
    if (this.#view && this.#chats.get(this.#view.assistant.name) === chat) this.#address();
    this.#tabs.tell('said', { user: this.#auth.user?.id, thread: chat.thread });
    if (this.#missed.delete(chat.thread)) queueMicrotask(() => this.#catchUp(chat));
  }

  #choose(assistant) {
    if (!assistant || this.#view?.assistant.name === assistant.name) return;
    if (!this.#chats.has(assistant.name)) this.#chats.set(assistant.name, this.#newChat(assistant));
    this.#enter(assistant);
    this.#sidebar.show(
      assistant.name,
      this.#chats.get(assistant.name).thread,
      this.#projectsOf(assistant.name) && this.#portfolio.list,
    );
  }

  #projectsOf(assistant) {
    return assistant === this.#portfolio?.assistant ? this.#portfolio.context : null;
  }

  #travellersOf(assistant) {
    return assistant === this.#travelling?.assistant ? this.#travelling.travellers : null;
  }

  #planningOf(assistant) {
    return assistant === this.#planning?.assistant ? this.#planning : null;
  }

  #newPlanning(assistant) {
    return assistant
      ? new Planning(this.#api, assistant, {
          now: () => this.#api.now(),
          panel: (title, element) => this.#panel.open(title, element),
          run: (tool, values) => this.#tools.open(assistant.name, tool, values, { run: true }),
          file: (path, name) => this.#save(path, null, name),
          ended: (error) => this.open(error.message),
        })
      : null;
  }

  #newTravelling(assistant) {
    return assistant
      ? new Travelling(this.#api, assistant, {
          now: () => this.#api.now(),
          run: (tool, values) => this.#tools.open(assistant.name, tool, values, { run: true }),
          file: (path, name) => this.#save(path, null, name),
          ended: (error) => this.open(error.message),
        })
      : null;
  }

  #newPortfolio(assistant) {
    const shown = () => (this.#view?.assistant === assistant ? this.#chats.get(assistant.name) : null);
    return assistant
      ? new Portfolio(this.#api, assistant, {
          now: () => this.#api.now(),
          tell: this.#toasts,
          failed: (error) => this.#tell(error),
          ended: (error) => this.open(error.message),
          go: (id) => this.#go({ id }),
          close: () => this.#narrow.matches && this.#sidebar.open && this.#turnSidebar(),
          fresh: () => this.#fresh(),
          chat: shown,
          update: () => this.#view?.update(),
          focus: () => this.#view?.focus(),
        })
      : null;
  }

  #newChat(assistant, kept = null) {
    const chat = new Chat({
      api: this.#api,
      store: this.#store,
      user: this.#auth.user.id,
      assistant: assistant.name,
      kept,
      onSessionEnded: (error) => this.open(error.message),
      onSettled: () => this.#settled(chat),
      onPart: (part) => assistant.name === this.#portfolio?.assistant && this.#portfolio.part(chat, part),
    });
    chat.readOn();
    return chat;
  }

  // enter shows the conversation that an assistant's tab is at.
  #enter(assistant) {
    this.#view?.close();
    this.#view = new ChatView(this.#chats.get(assistant.name), assistant, {
      api: this.#api,
      now: () => this.#api.now(),
      openFile: (id) => this.#openFile(id),
      asked: this.#log && ((answer) => this.#log.open(answer)),
      storeFull: () => this.#store.full,
      openTool: (name, values, more) => this.#tools.open(assistant.name, name, values, more),
      run: (name, values) => this.#tools.open(assistant.name, name, values, { run: true }),
      act: (name, values) => this.#act(assistant.name, name, values),
      look: async (name) =>
        (await this.#api.json(`/api/tools/${encodeURIComponent(assistant.name)}/${encodeURIComponent(name)}`, {}))
          .parts ?? [],
      sign: (id) => this.#signed(id),
      projects: this.#projectsOf(assistant.name),
      cards: new Cards(this.#api, assistant.name),
      file: (path, name) => this.#save(path, null, name),
      travellers: this.#travellersOf(assistant.name),
      planning: this.#planningOf(assistant.name),
      locate: assistant.name === this.#travelling?.assistant,
      openPanel: (title, element) => this.#panel.open(title, element),
      transcribe: (blob, signal) => this.#api.bytes('/api/transcribe', blob, signal),
      failed: (error) => this.#tell(error),
      earlier: (chat) => this.#talks.earlier(chat.thread, chat.before),
      saveTable: (table, format) => this.#save(`/api/export/table?format=${format}`, table, `table.${format}`),
    });
    this.#shell.show(assistant.name, this.#view.element);
    if (this.#projectsOf(assistant.name)) this.#portfolio.entered(this.#chats.get(assistant.name));
    else this.#portfolio?.left();
    this.#view.focus();
  }

  // act makes a small change that a button says in full, and offers the way back.
  async #act(assistant, name, values) {
    try {
      const done = await this.#api.json(
        `/api/tools/${encodeURIComponent(assistant)}/${encodeURIComponent(name)}`,
        values,
        { key: crypto.randomUUID() },
      );
      if (done.confirmation) return await this.#tools.open(assistant, name, values, { run: true }); // here it asks
      const back = (done.parts ?? [])
        .flatMap((p) => p.data?.choices ?? [])
        .find((c) => c.now && c.label.startsWith('Undo'));
      this.#toasts.done(
        done.text || 'Done.',
        back ? { label: 'Undo', act: () => this.#act(assistant, back.tool, back.arguments) } : null,
      );
    } catch (error) {
      this.#tell(error);
    }
    this.#view?.refresh();
  }

  #newSidebar() {
    return new Sidebar(this.#talks, {
      now: () => this.#api.now(),
      open: (conversation) => this.#go(conversation),
      gone: (id) => this.#chats.get(this.#view.assistant.name).thread === id && this.#fresh(),
      close: () => this.#narrow.matches && this.#sidebar.open && this.#turnSidebar(),
      tell: this.#toasts,
      ended: (error) => this.open(error.message),
      available: (yes) => this.#shell.offerSidebar(yes),
    });
  }

  // seat places the sidebar: beside the conversation as the person left it, and
  // out of the way where it would lie over it.
  #seat() {
    this.#shell.setSidebar(!this.#narrow.matches && this.#prefs.get('sidebar', 'open') === 'open', false);
  }

  #turnSidebar() {
    const open = !this.#sidebar.open;
    if (!this.#narrow.matches) this.#prefs.set('sidebar', open ? 'open' : 'shut');
    this.#shell.setSidebar(open, this.#narrow.matches);
    if (open) this.#sidebar.glance();
  }

  // awaitSummary says that a conversation is being summed up, until it is.
  async #awaitSummary(id) {
    this.#toasts.working('This conversation is being summed up…');
    const done = await this.#talks.summed(id, (ms) => new Promise((go) => setTimeout(go, ms))).catch(() => false);
    if (done) this.#toasts.done('The summary is ready.');
    else this.#toasts.clear();
  }

  // go opens a kept conversation. One that is being answered meanwhile goes on.
  async #go({ id }, { address = true } = {}) {
    const { assistant } = this.#view;
    const before = this.#chats.get(assistant.name);
    if (before.thread !== id) {
      let chat = this.#away.get(id);
      if (chat) chat.resume();
      else {
        try {
          const found = await this.#talks.open(id);
          chat = this.#newChat(assistant, found);
          if (found.summing) this.#awaitSummary(id);
        } catch (error) {
          if (this.#view) this.#address();
          return this.#tell(error);
        }
      }
      if (this.#view?.assistant !== assistant || this.#chats.get(assistant.name) !== before) return; // somebody went on
      this.#swap(assistant, chat);
      if (address) this.#address({ go: true });
    }
    if (this.#narrow.matches && this.#sidebar.open) this.#turnSidebar();
    this.#sidebar.refresh(id);
    this.#view.focus();
  }

  #swap(assistant, chat) {
    const before = this.#chats.get(assistant.name);
    if (before.busy) {
      before.part();
      this.#away.set(before.thread, before);
    } else before.close({ keep: false });
    this.#away.delete(chat.thread);
    this.#chats.set(assistant.name, chat);
    this.#enter(assistant);
  }

  #fresh({ address = true } = {}) {
    const { assistant } = this.#view;
    const chat = this.#chats.get(assistant.name);
    if (chat.busy) {
      const other = this.#newChat(assistant, { thread: crypto.randomUUID(), items: [], before: null });
      this.#swap(assistant, other);
    } else chat.clear();
    if (this.#projectsOf(assistant.name)) this.#portfolio.entered(this.#chats.get(assistant.name));
    if (address) this.#address({ go: true });
    if (this.#narrow.matches && this.#sidebar.open) this.#turnSidebar();
    this.#sidebar.refresh(this.#chats.get(assistant.name).thread);
    this.#view.focus();
  }

  // rest tells the server that a conversation is left, so that it may sum it up
  // before the next visit. It decides whether that is worth while.
  #rest() {
    const chat = this.#view && this.#chats.get(this.#view.assistant.name);
    const said = `${chat?.kept} ${chat?.items.length}`;
    if (!chat?.kept || chat.items.length < worthwhile || this.#rested === said) return;
    this.#rested = said;
    this.#api.passing(`/api/summarize/${encodeURIComponent(chat.kept)}`, { reason: 'hidden' });
  }

  // What is not all here is saved as the server keeps it.
  #saveChat({ name, label }) {
    const chat = this.#chats.get(this.#view.assistant.name);
    const messages = chat.history();
    if (messages.length === 0) return this.#toasts.failed('There is nothing to save yet.');
    if (!chat.whole && chat.kept)
      return this.#save(
        `/api/export/${encodeURIComponent(chat.kept)}?format=${name}`,
        null,
        `conversation.${name}`,
        label,
      );
    return this.#save(
      `/api/export?format=${name}`,
      { id: chat.thread, assistant: chat.assistant, messages, parts: toExport(chat.items) },
      `conversation.${name}`,
      label,
    );
  }

  async #save(path, body, otherwise, label = 'file') {
    this.#toasts.working(`Preparing the ${label}…`);
    try {
      const file = await this.#api.file(path, body, otherwise);
      save(file);
      this.#toasts.done(`Saved as ${file.name}`);
    } catch (error) {
      this.#tell(error);
    }
  }

  // An address of a file of the person's, valid for some minutes.
  async #signed(id) {
    const { download } = await this.#api.json(`/api/uploads/${encodeURIComponent(id)}?link=1`);
    return download.url;
  }

  // The window is opened at the click: later, browsers would not.
  async #openFile(id) {
    const tab = open('', '_blank');
    if (tab) tab.opener = null;
    try {
      const address = await this.#signed(id);
      if (tab) tab.location = address;
    } catch (error) {
      tab?.close();
      this.#tell(error);
    }
  }

  #tell(error) {
    if (error instanceof SessionEnded) return this.open(error.message);
    this.#toasts.failed(error.message);
  }

  #leaveButton() {
    return button('Sign out', { class: 'wide', onclick: () => this.#signOut() });
  }

  // The desk may be shared: what was said leaves with the person.
  #signOut() {
    this.#leave({ keep: false });
    this.#store.forget(this.#auth.user.id);
    this.#auth.signOut();
    history.replaceState(null, '', '#/');
    this.open();
  }

  // signedOut ends this tab's session after a sign-out in another tab.
  #signedOut() {
    this.#leave({ keep: false });
    this.#store.forget(this.#auth.user.id);
    this.#auth.forget();
    this.open('You have signed out in another tab.');
  }

  #leave({ keep }) {
    this.#view?.close();
    for (const chat of this.#chats.values()) chat.close({ keep });
    for (const chat of this.#away.values()) chat.close({ keep: false });
    this.#chats.clear();
    this.#away.clear();
    this.#view = null;
    this.#portfolio?.left();
    this.#portfolio = null;
    this.#travelling = null;
    this.#shell = null;
    this.#sidebar = null;
  }

  #person() {
    const user = this.#auth.user;
    const known = this.#dev?.users?.find((u) => u.email === user.email);
    return { name: known?.name || user.name, email: user.email, org: known?.org ?? '', role: known?.role ?? '' };
  }
}
