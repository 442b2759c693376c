// Starts the page: reads the configuration, then shows the sign-in or the chat.

import { Auth, SessionEnded } from './auth.js';
import { Api } from './api.js';
import { Chat } from './chat.js';
import { Store } from './store.js';
import { Prefs, dress } from './prefs.js';
import { Conversations } from './conversations.js';
import { h, button, icon } from './dom.js';
import { Shell } from './views/shell.js';
import { ChatView } from './views/chat.js';
import { Toasts } from './views/toast.js';
import { save } from './files.js';
import { ToolsView } from './views/tools.js';
import { MailView } from './views/mail.js';
import { ModelLogView } from './views/modellog.js';
import { Sidebar } from './views/sidebar.js';
import { signInView } from './views/signin.js';

const root = document.getElementById('app');
const prefs = new Prefs();
const worthwhile = 12; // messages below which a summary is not asked for

async function load(path) {
  const response = await fetch(path, { headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}

async function start() {
  dress(prefs.get('look'));
  let config;
  try {
    config = await load('/config.json');
  } catch (error) {
    console.error(error);
    return show(h('main', { class: 'signin' }, h('div', { class: 'signin-card' },
      h('p', { class: 'signin-alert', role: 'alert' }, icon('alert'), 'Bellhop cannot be reached at the moment.'),
      button('Try again', { class: 'primary wide', icon: 'retry', onclick: () => location.reload() }))));
  }
  // Only a development server has demo people; without them one signs in by password.
  const dev = config.dev ? await load('/dev.json').catch(() => null) : null;
  const auth = new Auth({ url: dev?.supabase?.url || config.supabaseUrl, key: dev?.supabase?.publishableKey || config.publishableKey });
  new App({ config, dev, auth }).open();
}

class App {
  #config;
  #dev;
  #auth;
  #api;
  #store = new Store();
  #shell = null;
  #view = null;
  #tools = null;
  #sidebar = null;
  #narrow = matchMedia('(max-width: 900px)');
  #log = null; // what the model was sent, in development
  #toasts = new Toasts();
  #talks;
  #rested = ''; // what was last told to be left
  #chats = new Map(); // by assistant; an answer goes on while another tab is shown
  #away = new Map(); // by thread: chats that are still being answered while another is open

  constructor({ config, dev, auth }) {
    this.#config = config;
    this.#dev = dev;
    this.#auth = auth;
    this.#api = new Api({ auth });
    this.#talks = new Conversations(this.#api);
    addEventListener('hashchange', () => this.#shell && location.hash.startsWith('#/') && this.#choose(this.#wanted()));
    document.addEventListener('visibilitychange', () => (document.visibilityState === 'visible' ? this.#sidebar?.glance() : this.#rest()));
    this.#narrow.addEventListener('change', () => this.#shell && this.#seat());
  }

  open(message = '') {
    this.#leave({ keep: true });
    if (!this.#auth.user) {
      document.title = 'Sign in – Bellhop';
      const demo = this.#dev?.users?.length > 0 ? this.#dev.users : null;
      return show(signInView({ auth: this.#auth, demo, message, signedIn: () => this.open() }));
    }
    this.#toasts.clear();
    // Only paths of this server: the policy allows no other.
    const mail = this.#dev?.mail ? new MailView(this.#dev.mail) : null;
    this.#log = this.#dev?.modelLog ? new ModelLogView(this.#dev.modelLog) : null;
    this.#sidebar = this.#newSidebar();
    this.#shell = new Shell({
      assistants: this.#config.assistants,
      person: this.#person(),
      model: this.#dev?.modelNote || this.#dev?.model,
      mail: mail && (() => mail.open()),
      asked: this.#log && (() => this.#log.open()),
      choose: (name) => (location.hash = `#/${encodeURIComponent(name)}`),
      tools: () => this.#tools.open(this.#view.assistant.name),
      save: (format) => this.#saveChat(format),
      fresh: () => this.#fresh(),
      signOut: () => this.#signOut(),
      sidebar: this.#sidebar,
      turnSidebar: () => this.#turnSidebar(),
      look: prefs.get('look'),
      dress: (look) => {
        prefs.set('look', look);
        dress(look);
      },
    });
    this.#tools = new ToolsView(this.#api, { now: () => this.#api.now(), onSessionEnded: (error) => this.open(error.message) });
    for (const part of [this.#tools, mail, this.#log, this.#toasts]) if (part) this.#shell.element.append(part.element);
    show(this.#shell.element);
    this.#seat();
    this.#choose(this.#wanted());
  }

  // The address names the assistant, so that a reload and a bookmark keep it.
  #wanted() {
    const name = decodeURIComponent(location.hash.replace(/^#\/?/, ''));
    return this.#config.assistants.find((a) => a.name === name) ?? this.#config.assistants[0];
  }

  #choose(assistant) {
    if (!assistant || this.#view?.assistant.name === assistant.name) return;
    if (!this.#chats.has(assistant.name)) this.#chats.set(assistant.name, this.#newChat(assistant));
    this.#enter(assistant);
    this.#sidebar.show(assistant.name, this.#chats.get(assistant.name).thread);
  }

  #newChat(assistant, kept = null) {
    return new Chat({
      api: this.#api,
      store: this.#store,
      user: this.#auth.user.id,
      assistant: assistant.name,
      kept,
      onSessionEnded: (error) => this.open(error.message),
      onSettled: () => this.#sidebar?.refresh(),
    });
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
      openTool: (name, values) => this.#tools.open(assistant.name, name, values),
      transcribe: (blob, signal) => this.#api.bytes('/api/transcribe', blob, signal),
      failed: (error) => this.#tell(error),
      earlier: (chat) => this.#talks.earlier(chat.thread, chat.before),
      saveTable: (table, format) => this.#save(`/api/export/table?format=${format}`, table, `table.${format}`),
    });
    this.#shell.show(assistant.name, this.#view.element);
    this.#view.focus();
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
    this.#shell.setSidebar(!this.#narrow.matches && prefs.get('sidebar', 'open') === 'open', false);
  }

  #turnSidebar() {
    const open = !this.#sidebar.open;
    if (!this.#narrow.matches) prefs.set('sidebar', open ? 'open' : 'shut');
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
  async #go({ id }) {
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
          return this.#tell(error);
        }
      }
      if (this.#view?.assistant !== assistant || this.#chats.get(assistant.name) !== before) return; // somebody went on
      this.#swap(assistant, chat);
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

  #fresh() {
    const { assistant } = this.#view;
    const chat = this.#chats.get(assistant.name);
    if (chat.busy) {
      const other = this.#newChat(assistant, { thread: crypto.randomUUID(), items: [], before: null });
      this.#swap(assistant, other);
    } else chat.clear();
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
    if (!chat.whole && chat.kept) return this.#save(`/api/export/${encodeURIComponent(chat.kept)}?format=${name}`, null, `conversation.${name}`, label);
    return this.#save(`/api/export?format=${name}`, { id: chat.thread, assistant: chat.assistant, messages }, `conversation.${name}`, label);
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

  // The window is opened at the click: later, browsers would not.
  async #openFile(id) {
    const tab = open('', '_blank');
    if (tab) tab.opener = null;
    try {
      const { download } = await this.#api.json(`/api/uploads/${encodeURIComponent(id)}?link=1`);
      if (tab) tab.location = download.url;
    } catch (error) {
      tab?.close();
      this.#tell(error);
    }
  }

  #tell(error) {
    if (error instanceof SessionEnded) return this.open(error.message);
    this.#toasts.failed(error.message);
  }

  // The desk may be shared: what was said leaves with the person.
  #signOut() {
    this.#leave({ keep: false });
    this.#store.forget(this.#auth.user.id);
    this.#auth.signOut();
    this.open();
  }

  #leave({ keep }) {
    this.#view?.close();
    for (const chat of this.#chats.values()) chat.close({ keep });
    for (const chat of this.#away.values()) chat.close({ keep: false });
    this.#chats.clear();
    this.#away.clear();
    this.#view = null;
    this.#shell = null;
    this.#sidebar = null;
  }

  #person() {
    const user = this.#auth.user;
    const known = this.#dev?.users?.find((u) => u.email === user.email);
    return { name: known?.name || user.name, email: user.email, org: known?.org ?? '', role: known?.role ?? '' };
  }
}

function show(element) {
  root.replaceChildren(element);
}

start();
