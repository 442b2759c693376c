// One project as its page is shown and edited: how it is on the server, and the edits
// that are on their way. Every edit is a call of a tool, one after another, so that an
// undo leads back to what was there before. No view here.

import { pageOf } from './page.js';

const pause = 3000; // milliseconds until a photo that is being read is asked for again
const most = 40; // how often

export class Draft {
  #doors;
  #last = Promise.resolve();
  #listeners = new Set();
  #loading = null;
  #checking = null;
  #timer = 0;
  #waits = 0;
  #stale = false; // whether the checks are of an older version
  #own = ''; // the pieces as this tab has saved them last
  #part = null; // the page that an answer has brought, where it is newer than the project
  code;
  project = null;
  checks = []; // {id, ok, reason, mend, field}
  busy = 0; // edits that are on their way
  failure = null; // of the latest edit, or of loading
  proposal = null; // a question that waits for a decision

  constructor(doors, code) {
    this.#doors = doors;
    this.code = code;
  }

  // on calls changed() when anything has; it returns what ends that.
  on(changed) {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  // page is what is to be shown, or null before anything is known.
  get page() {
    if (this.#part && this.#part.version > (this.project?.version ?? -1)) return this.#part;
    return this.project ? pageOf(this.project) : this.#part;
  }

  // missing are the checks that fail; sentences of an answer stand for them before they
  // were read.
  get missing() {
    if (this.checks.length > 0) return this.checks.filter((c) => !c.ok);
    return (this.#part?.missing ?? []).map((reason) => ({ id: reason, ok: false, reason, mend: '', field: '' }));
  }

  // load reads the project, and what keeps it from being published.
  load() {
    this.#loading ??= this.#load().finally(() => (this.#loading = null));
    return this.#loading;
  }

  async #load() {
    try {
      const project = await this.#doors.get(this.code);
      if (project.version >= (this.project?.version ?? 0)) this.project = project;
      this.failure = null;
      this.#tell();
      this.#await();
    } catch (error) {
      this.failure = error;
      return this.#tell();
    }
    await this.#check();
  }

  // The checks are advice here: who may not publish, or where they cannot be read, goes
  // on without.
  // A photo that is being read is asked for again, while there is hope and it is looked at.
  #await() {
    clearTimeout(this.#timer);
    if (!this.project.images?.some((i) => i.state === 'reading')) this.#waits = 0;
    else if (this.#listeners.size > 0 && this.#waits++ < most) this.#timer = setTimeout(() => this.load(), pause);
  }

  // Several changes that come meanwhile are checked together afterwards.
  #check() {
    this.#stale = true;
    this.#checking ??= this.#checkAll().finally(() => (this.#checking = null));
    return this.#checking;
  }

  async #checkAll() {
    while (this.#stale) {
      this.#stale = false;
      try {
        this.checks = await this.#doors.checks(this.code, this.project.version);
      } catch (error) {
        if (error.code !== 'changed') this.checks = [];
      }
    }
    this.#tell();
  }

  // have takes the project as a door has returned it.
  have(project) {
    if (project.code !== this.code || project.version < (this.project?.version ?? 0)) return;
    this.project = project;
    this.#tell();
    this.#check();
  }

  // take takes the page that an answer shows. An older one is left aside.
  take(page) {
    if (this.#accept(page) && page.version > (this.project?.version ?? 0)) this.load();
  }

  #accept(page) {
    if (page.project !== this.code || page.version < Math.max(this.project?.version ?? 0, this.#part?.version ?? 0))
      return false;
    this.#part = page;
    this.#tell();
    return true;
  }

  // edit calls a tool when those before it have ended. It resolves to whether it was
  // done; what went wrong is in failure. args may be a function, which is called then.
  edit(tool, args = {}) {
    this.busy++;
    this.#tell();
    const run = this.#last.then(() => this.#run(tool, args));
    this.#last = run;
    return run;
  }

  async #run(tool, args) {
    let done = false;
    try {
      const answer = await this.#doors.tool(tool, {
        project: this.code,
        ...(typeof args === 'function' ? args() : args),
      });
      this.failure = null;
      if (answer.confirmation) this.proposal = { ...answer.confirmation, state: 'pending' };
      else await this.#took(answer);
      done = true;
    } catch (error) {
      this.failure = error;
      if (error.code === 'changed') await this.#reload();
    }
    this.busy--;
    this.#tell();
    return done;
  }

  // took reads what an edit has made of the project. An answer that is too long is cut,
  // so the project itself is read.
  async #took(answer) {
    const page = answer.parts?.findLast((p) => p.kind === 'page')?.data;
    if (page) this.#accept(page);
    await this.#reload();
  }

  // What is being read may be older than the edit.
  async #reload() {
    await this.#loading;
    const { failure } = this;
    await this.load();
    this.failure ??= failure;
  }

  // decide answers the question. It returns the answer of the tool, or null.
  async decide(id, decision, phrase) {
    const asked = this.proposal;
    if (asked?.id !== id || asked.state !== 'pending') return null;
    asked.state = 'sending';
    this.busy++;
    this.#tell();
    let result = null;
    try {
      ({ result } = await this.#doors.decide(id, decision, phrase));
      asked.state = decision === 'approve' ? 'approved' : 'rejected';
      this.proposal = null;
      this.failure = null;
      await this.#took(result ?? {});
    } catch (error) {
      this.failure = error;
      // What was shown has changed: nothing was done, and this asks anew.
      if (error.confirmation) this.proposal = { ...error.confirmation, state: 'pending' };
      else if (error.code?.startsWith('proposal_')) this.proposal = null;
      else asked.state = 'pending';
    }
    this.busy--;
    this.#tell();
    return result;
  }

  // again asks once more what could not be answered in time.
  again() {
    return this.edit(this.proposal.tool);
  }

  // The edits, each by the tool that makes it.

  setField(field, value) {
    return this.edit('updateField', Array.isArray(value) ? { field, values: value } : { field, value });
  }

  // setBlocks puts other pieces in the place of those that are seen. Where somebody else
  // has changed these meanwhile it is refused.
  async setBlocks(blocks) {
    const { version, descriptionBlocks } = this.project;
    const seen = JSON.stringify(descriptionBlocks);
    const done = await this.edit('updateDescriptionBlocks', () => {
      const now = JSON.stringify(this.project.descriptionBlocks);
      return { blocks, version: now === seen || now === this.#own ? this.project.version : version };
    });
    if (done) this.#own = JSON.stringify(this.project.descriptionBlocks);
    return done;
  }

  rewrite(section) {
    return this.edit('regenerateSection', { section });
  }

  order(ids) {
    return this.edit('reorderImages', { order: ids });
  }

  hero(id) {
    return this.edit('reorderImages', { hero: id });
  }

  // describe says of a photo what is to be seen (alt), or when it was taken (stage).
  describe(id, change) {
    return this.edit('describePhoto', { photo: id, ...change });
  }

  remove(id) {
    return this.edit('removePhoto', { photo: id });
  }

  answerPrivacy(answers) {
    return this.edit('confirmPhotoPrivacy', answers);
  }

  undo() {
    return this.edit('undoChange');
  }

  publish() {
    return this.edit('publishProject');
  }

  unpublish() {
    return this.edit('unpublishProject');
  }

  #tell() {
    for (const changed of this.#listeners) changed();
  }
}
