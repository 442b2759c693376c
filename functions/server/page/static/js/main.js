// Starts the page: reads the configuration, then shows the sign-in or the chat.

import { Auth, SessionEnded } from './auth.js';
import { Api } from './api.js';
import { Chat } from './chat.js';
import { Store } from './store.js';
import { Prefs, dress } from './prefs.js';
import { h, button, icon } from './dom.js';
import { Shell } from './views/shell.js';
import { ChatView } from './views/chat.js';
import { Toasts } from './views/toast.js';
import { save } from './files.js';
import { ToolsView } from './views/tools.js';
import { MailView } from './views/mail.js';
import { ModelLogView } from './views/modellog.js';
import { signInView } from './views/signin.js';

const root = document.getElementById('app');
const prefs = new Prefs();

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
  #log = null; // what the model was sent, in development
  #toasts = new Toasts();
  #chats = new Map(); // by assistant; an answer goes on while another tab is shown

  constructor({ config, dev, auth }) {
    this.#config = config;
    this.#dev = dev;
    this.#auth = auth;
    this.#api = new Api({ auth });
    addEventListener('hashchange', () => this.#shell && location.hash.startsWith('#/') && this.#choose(this.#wanted()));
  }

  open(message = '') {
    this.#leave({ keep: true });
    if (!this.#auth.user) {
      document.title = 'Sign in – Bellhop';
      const demo = this.#dev?.users?.length > 0 ? this.#dev.users : null;
      return show(signInView({ auth: this.#auth, demo, message, signedIn: () => this.open() }));
    }
    // Only a path of this server: the policy allows no other.
    const mail = this.#dev?.mail ? new MailView(this.#dev.mail) : null;
    this.#log = this.#dev?.modelLog ? new ModelLogView(this.#dev.modelLog) : null;
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
      look: prefs.get('look'),
      dress: (look) => {
        prefs.set('look', look);
        dress(look);
      },
    });
    this.#tools = new ToolsView(this.#api, { now: () => this.#api.now(), onSessionEnded: (error) => this.open(error.message) });
    this.#shell.element.append(this.#tools.element);
    if (mail) this.#shell.element.append(mail.element);
    if (this.#log) this.#shell.element.append(this.#log.element);
    this.#toasts.clear();
    this.#shell.element.append(this.#toasts.element);
    show(this.#shell.element);
    this.#choose(this.#wanted());
  }

  // The address names the assistant, so that a reload and a bookmark keep it.
  #wanted() {
    const name = decodeURIComponent(location.hash.replace(/^#\/?/, ''));
    return this.#config.assistants.find((a) => a.name === name) ?? this.#config.assistants[0];
  }

  #choose(assistant) {
    if (!assistant || this.#view?.assistant.name === assistant.name) return;
    this.#view?.close();
    const chat = this.#chats.get(assistant.name) ?? new Chat({
      api: this.#api,
      store: this.#store,
      user: this.#auth.user.id,
      assistant: assistant.name,
      onSessionEnded: (error) => this.open(error.message),
    });
    this.#chats.set(assistant.name, chat);
    this.#view = new ChatView(chat, assistant, {
      now: () => this.#api.now(),
      asked: this.#log && ((answer) => this.#log.open(answer)),
      storeFull: () => this.#store.full,
      openTool: (name, values) => this.#tools.open(assistant.name, name, values),
      transcribe: (blob, signal) => this.#api.bytes('/api/transcribe', blob, signal),
      failed: (error) => this.#tell(error),
      saveTable: (table, format) => this.#save(`/api/export/table?format=${format}`, table, `table.${format}`),
    });
    this.#shell.show(assistant.name, this.#view.element);
    this.#view.focus();
  }

  #saveChat({ name, label }) {
    const chat = this.#chats.get(this.#view.assistant.name);
    const messages = chat.history();
    if (messages.length === 0) return this.#toasts.failed('There is nothing to save yet.');
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

  #tell(error) {
    if (error instanceof SessionEnded) return this.open(error.message);
    this.#toasts.failed(error.message);
  }

  #fresh() {
    this.#chats.get(this.#view?.assistant.name)?.clear();
    this.#view?.focus();
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
    this.#chats.clear();
    this.#view = null;
    this.#shell = null;
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
