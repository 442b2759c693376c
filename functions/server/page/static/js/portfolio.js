// What the page has for an assistant that works on projects: their list, the panel with the
// page of one, photos that are added, and the profile of the business.

import { Projects } from './projects.js';
import { BusinessView } from './views/business.js';
import { ProjectList } from './views/projectlist.js';
import { ProjectPanel } from './views/project.js';

export class Portfolio {
  #options;
  #projects;
  #panel;
  #pending = null; // a page that is opened when its answer has ended
  assistant;
  list;
  business;
  context; // of ChatView, partView and ProjectBar

  // options: now(), tell {done, failed, working, clear}, failed(error), ended(error), go(id),
  // which opens a conversation and resolves when it is there, fresh(), chat(), the
  // conversation that is shown if it is one of this assistant, update(), which shows what
  // has changed, focus(), which goes back to the conversation, and close(), which closes
  // the list where it lies over the conversation.
  constructor(api, { name, mayChange }, options) {
    this.assistant = name;
    this.#options = options;
    this.#projects = new Projects(api, name);
    const common = { may: Boolean(mayChange), now: options.now, tell: options.tell, ended: options.ended };
    this.#panel = new ProjectPanel(this.#projects, {
      ...common,
      business: () => this.business.open(),
      changed: (what) => this.#changed(what),
    });
    this.list = new ProjectList(this.#projects, { ...common, open: (code) => this.#open(code), fresh: options.fresh });
    this.business = new BusinessView(this.#projects, api, {
      ...common,
      saved: () => this.#panel.open && this.#projects.draft(this.#panel.code).load(),
    });
    const panel = this.#panel;
    this.context = {
      may: common.may,
      photos: (code) => this.#projects.photos(code),
      draft: (code) => this.#projects.draft(code),
      link: (code, image, width) => this.#projects.link(code, image, width),
      open: (code, how) => panel.show(code, how),
      turn: (code) => (panel.code === code ? panel.close() : panel.show(code)),
      add: (code, files) => this.#add(code, files),
      get shown() {
        return panel.code;
      },
    };
  }

  // beside stands at the other side of the conversation; the others are laid over the page.
  get beside() {
    return this.#panel.element;
  }

  get dialogs() {
    return [this.#panel.dialog, this.business.element];
  }

  // part takes what an answer shows. A page that asks to be seen is opened at once where
  // there is room for it beside the conversation; elsewhere only the one to be edited is
  // opened, when the answer has ended.
  part(chat, { kind, data }) {
    if (kind !== 'page' || !data?.project) return;
    this.#projects.draft(data.project).take(data);
    if ((!data.open && !data.edit) || this.#options.chat() !== chat) return;
    const show = { edit: Boolean(data.edit), page: data, focus: false };
    if (this.#panel.wide) this.#panel.show(data.project, show);
    else if (data.edit) this.#pending = { chat, show };
  }

  // settled is called when an answer has ended.
  async settled(chat) {
    await this.#name(chat);
    const pending = this.#pending;
    this.#pending = null;
    if (pending?.chat === chat && this.#options.chat() === chat) this.#panel.show(chat.code, pending.show);
    if (chat.code) this.#projects.draft(chat.code).load();
    this.list.load();
  }

  // entered is called when another conversation is shown: the panel goes with it.
  async entered(chat) {
    await this.#name(chat);
    if (this.#options.chat() !== chat) return;
    this.list.mark(chat.code);
    if (!this.#panel.open || this.#panel.code === chat.code) return;
    if (chat.code) this.#panel.show(chat.code, { focus: false });
    else this.#panel.close();
  }

  // glance reads anew what others may have changed meanwhile.
  glance() {
    if (this.#panel.open) this.#projects.draft(this.#panel.code).load();
  }

  // left is called when no conversation of this assistant is shown any more.
  left() {
    this.#panel.close();
  }

  // A project is called by its code; the first answer of a conversation names it by its id.
  async #name(chat) {
    if (!chat.project || chat.code) return this.list.mark(chat.code);
    try {
      const project = await this.#projects.get(chat.project);
      chat.name(project.code);
      this.#projects.draft(project.code).have(project);
      if (this.#options.chat() === chat) this.list.mark(project.code);
      this.#options.update();
    } catch {
      // The conversation goes on without its page; the next answer tries again.
    }
  }

  #changed({ closed = false, status = false } = {}) {
    this.#options.update();
    if (status) this.list.load();
    if (closed) this.#options.focus();
  }

  // open goes to the conversation of a project, and shows its page where there is room.
  async #open(code) {
    try {
      if (this.#options.chat()?.code !== code) await this.#options.go(await this.#projects.conversation(code));
      else this.#options.close();
      const chat = this.#options.chat();
      if (!chat) return;
      if (chat.code !== code) chat.name(code);
      this.list.mark(code);
      this.#options.update();
      if (this.#panel.wide) this.#panel.show(code, { focus: false });
    } catch (error) {
      this.#options.failed(error);
    }
  }

  // add has photos for a project. Where there is none yet, they begin one.
  async #add(code, files) {
    if (code) {
      const draft = this.#projects.draft(code);
      if (!draft.project) await draft.load();
      return this.#projects.photos(code).add(files, Math.max(0, 30 - (draft.project?.images.length ?? 0)));
    }
    this.#options.tell.working('Beginning a project…');
    try {
      const project = await this.#projects.create(crypto.randomUUID());
      this.#projects.draft(project.code).have(project);
      this.#projects.photos(project.code).add(files, 30);
      await this.#options.go(await this.#projects.conversation(project.code));
      const chat = this.#options.chat();
      if (chat && !chat.code) chat.name(project.code);
      this.#options.update();
      this.#options.tell.clear();
      this.list.load();
    } catch (error) {
      this.#options.failed(error);
    }
  }
}
