// One conversation: what was said, what is being answered, and the rules of
// sending. It knows the door and the store, and nothing of how it looks.

import { newAnswer, restart, apply, fail, halt } from './answer.js';
import { Failure } from './api.js';
import { SessionEnded } from './auth.js';
import { changed } from './cards.js';

const patience = 2000; // milliseconds that a stopped turn gets to end by itself
const waits = 5; // how often a turn that still runs elsewhere is asked for
const code = /^[A-Z0-9][A-Z0-9-]{0,31}$/; // of a project
const closed = 'The page was closed before the answer had arrived.';

export class Chat {
  #api;
  #store;
  #user;
  #uuid;
  #forgotten = false;
  #run = null; // {control, answer, stopping} of the turn in progress
  #locations = new WeakMap(); // where the person was, by answer
  #left = null; // the answer that was coming when the page was left
  project; // the project that it is about, by its code or its id; '' for none

  // onChange(answer), set by whoever shows the chat, is called when one answer
  // has grown, and onChange(null) when the list has changed. onSessionEnded is called when nobody is signed in
  // any more.
  //
  // kept, where given, is a conversation to go on with: {thread, items, before, project};
  // else the one of this tab is taken up again. onSettled is called when an
  // answer has come or failed, and onPart(part) when one shows something.
  constructor({
    api,
    store,
    user,
    assistant,
    onSessionEnded,
    kept = null,
    onChange = () => {},
    onSettled = () => {},
    onPart = () => {},
    uuid = () => crypto.randomUUID(),
  }) {
    this.#api = api;
    this.#store = store;
    this.#user = user;
    this.#uuid = uuid;
    this.assistant = assistant;
    this.onChange = onChange;
    this.onSessionEnded = onSessionEnded;
    this.onSettled = onSettled;
    this.onPart = onPart;
    const found = kept ?? store.load(user, assistant);
    this.thread = found?.thread ?? uuid();
    this.items = found?.items ?? [];
    this.before = found?.before ?? null; // leads to what was said earlier
    this.project = found?.project ?? '';
    for (const item of this.items) this.#recover(item);
    if (kept) this.#save();
  }

  // An answer that was still coming when the page was left can be asked for
  // again under its own turn.
  #recover(item) {
    if (item.kind !== 'answer' || item.state !== 'running') return;
    this.#show(item);
    this.#left = item;
    fail(item, { message: closed, sameTurn: true }, item.startedAt);
    const card = this.#proposal(item.confirm?.id);
    if (card?.state === 'sending') card.state = 'unsure';
  }

  // readOn reads the answer that was still coming when the page was left, where the
  // server still makes it or has just made it.
  readOn() {
    const answer = this.#left;
    this.#left = null;
    if (this.busy || !answer || this.items.at(-1) !== answer || answer.state !== 'failed') return;
    restart(answer, answer.startedAt);
    const proposal = this.#proposal(answer.confirm?.id);
    if (proposal?.state === 'unsure') proposal.state = 'sending';
    this.#go(answer, { reading: true });
  }

  get busy() {
    return this.#run !== null;
  }

  get stopping() {
    return this.#run?.stopping ?? false;
  }

  // code is that of the project, '' where only its id is known, or nothing.
  get code() {
    return code.test(this.project) ? this.project : '';
  }

  // name says the code of the project that the conversation is about.
  name(project) {
    this.project = project;
    this.#save();
    this.onChange(null);
  }

  // history is what the server gets: messages in their received form only.
  // before, an item, limits it to what was said before that item.
  history(before = null) {
    const end = before ? this.items.indexOf(before) : this.items.length;
    return this.items
      .slice(0, end)
      .filter((i) => !i.past)
      .map((i) => i.message)
      .filter(Boolean);
  }

  // send says something. source marks words that nobody typed, such as
  // 'speech', in the history too: the server reads them, but takes them for no
  // consent. replaces names the message whose place it takes; attachments are
  // files that were uploaded, {id, name, what}. location, {lat, lon}, goes with this
  // request alone: neither the history nor the store of this tab has it.
  send(text, { source = '', replaces = '', attachments = [], location = null } = {}) {
    const content = text.trim();
    if (content === '' || this.busy) return false;
    const id = this.#uuid();
    this.items.push({
      kind: 'user',
      id,
      message: {
        id,
        role: 'user',
        content,
        ...(source ? { source } : {}),
        ...(attachments.length > 0 ? { attachments } : {}),
      },
    });
    this.#begin(null, replaces, location);
    return true;
  }

  // fillIn says what was filled into an assistant's form. Its labels are the
  // assistant's words: while a question of consent is open, they must not
  // answer that.
  fillIn(text) {
    const asked = this.items.some((i) => i.proposal?.state === 'pending');
    return this.send(text, { source: asked ? 'form' : '' });
  }

  // decide answers a proposal by its buttons. It does nothing for one that is
  // already answered, so a second click is harmless.
  decide(id, decision, phrase) {
    const proposal = this.#proposal(id);
    if (this.busy || proposal?.state !== 'pending') return false;
    proposal.state = 'sending';
    proposal.decision = decision;
    this.#begin({ id, decision, ...(phrase ? { phrase } : {}) });
    return true;
  }

  // retry sends a failed or stopped answer's turn again, under the same id
  // where work may already have been done for it.
  retry(answer) {
    if (this.busy || !['failed', 'stopped'].includes(answer.state) || this.items.at(-1) !== answer) return false;
    if (!answer.failure?.sameTurn) answer.turn = this.#uuid();
    restart(answer, this.#api.now());
    const proposal = this.#proposal(answer.confirm?.id);
    if (proposal) proposal.state = 'sending';
    this.#go(answer);
    return true;
  }

  // again says once more what led to an answer, as a new message.
  again(answer) {
    // A question that was repeated follows a "yes"; the request that led to it came earlier.
    const first = this.items.find((i) => answer.proposal && i.proposal?.id === answer.proposal.id) ?? answer;
    const said = this.items.slice(0, this.items.indexOf(first)).findLast((i) => i.kind === 'user' && !i.quiet);
    return said
      ? this.send(said.message.content, { source: said.message.source, attachments: said.message.attachments })
      : false;
  }

  // rerun makes a part of an answer again with other arguments, by its tool or another: a
  // turn of the conversation for which no model is asked (S1-17). Where the tool shows such
  // a part again, that takes the place of the old one and is returned; the turn is then
  // only in the history. Anything else, such as a question, is shown as an answer. A turn
  // that fails is taken back, and its failure thrown.
  async rerun(item, part, values, tool = part.tool) {
    if (this.busy) throw new Failure('An answer is being made. Wait until it is complete.', { kind: 'busy' });
    const id = this.#uuid();
    const said = {
      kind: 'user',
      id,
      quiet: true,
      message: {
        id,
        role: 'user',
        content: changed(tool, tool === part.tool ? (part.arguments ?? {}) : {}, values),
        source: 'form',
      },
    };
    const answer = {
      ...newAnswer({ id: this.#uuid(), turn: this.#uuid(), now: this.#api.now() }),
      quiet: true,
      run: { tool, arguments: values },
    };
    this.items.push(said, answer);
    await this.#go(answer);
    if (!this.items.includes(answer)) throw new Failure('This conversation was closed.', { kind: 'busy' });
    if (answer.state === 'done') {
      const next = this.noteCard({ item, part, answer });
      if (next) return next;
      throw new Failure('This found something else: see the answer at the end.', { kind: 'other' });
    }
    const message = answer.failure?.message ?? 'This was stopped.';
    this.items.splice(this.items.indexOf(said), 2);
    this.#save();
    this.onChange(null);
    throw new Failure(message, { kind: 'problem', ...answer.failure });
  }

  // noteCard puts what an answer to a card shows in the place of the card, and returns
  // it. The messages of that turn stay in the history, so the conversation knows of the
  // change. Without such a part the turn is shown, and null returned.
  noteCard({ item, part, answer }) {
    const next = answer.parts.find((p) => p.kind === part.kind) ?? null;
    if (next && !answer.proposal) {
      item.parts = item.parts.map((p) => (p === part ? next : p));
      answer.parts = []; // they are shown, and saved, in one place
    } else this.#show(answer);
    this.#save();
    this.onChange(null);
    return answer.proposal ? null : next;
  }

  // show has a turn shown that was only in the history.
  #show(answer) {
    if (!answer.quiet) return;
    const at = this.items.indexOf(answer);
    for (const item of this.items.slice(Math.max(0, at - 1), at + 1)) item.quiet = false;
  }

  // rewrite puts new words in the place of a message. What followed it is left
  // out of the history, so open questions there are void on the server too.
  rewrite(said, text, how = {}) {
    const at = this.items.indexOf(said);
    if (this.busy || at < 0 || text.trim() === '') return false;
    this.items.length = at;
    return this.send(text, { ...how, replaces: said.message.id ?? '' });
  }

  // regenerate asks for another answer to the last message, unless the answer
  // that is there has changed something, or asks for consent.
  regenerate(answer) {
    if (this.busy || !this.mayRegenerate(answer)) return false;
    this.items.pop();
    this.#begin(null, answer.message?.id ?? '');
    return true;
  }

  mayRegenerate(answer) {
    return (
      this.items.at(-1) === answer &&
      answer.state === 'done' &&
      !answer.confirm &&
      !answer.proposal &&
      answer.writes.length === 0 &&
      this.items.at(-2)?.kind === 'user'
    );
  }

  // rate tells the server what the person says of an answer, and remembers it.
  async rate(answer, said) {
    await this.#api.json('/api/feedback', {
      ...said,
      assistant: this.assistant,
      id: this.thread,
      messages: [...this.history(answer), answer.message],
    });
    answer.rated = said;
    this.#save();
  }

  // stop ends the turn. The server gets a moment to end it in order, so that
  // what it has said so far comes back sealed; then the line is cut.
  stop() {
    const run = this.#run;
    if (!run || run.stopping) return;
    run.stopping = true;
    this.#api.stop(this.assistant, this.thread);
    run.timer = setTimeout(() => run.control.abort(), run.answer.steps.length === 0 ? 0 : patience);
    this.onChange(run.answer);
  }

  // clear begins a new conversation.
  clear() {
    if (this.busy) this.#api.stop(this.assistant, this.thread);
    this.#run?.control.abort();
    this.thread = this.#uuid();
    this.items = [];
    this.before = null;
    this.project = '';
    this.#save();
    this.onChange(null);
  }

  // kept is the id under which the server keeps the conversation, or ''.
  get kept() {
    return (
      this.items.findLast((i) => i.conversation)?.conversation.id ??
      (this.items.some((i) => i.message?.createdAt) ? this.thread : '')
    );
  }

  // whole reports whether everything that was said is here.
  get whole() {
    return this.before === null && !this.items.some((i) => i.past || i.kind === 'summary');
  }

  // prepend puts what was said earlier before what is there.
  prepend(items, before) {
    this.items.unshift(...items);
    this.before = before;
    this.onChange(null);
  }

  // catchUp merges turns of other windows and devices: it takes the messages as the
  // server has them now, and keeps the steps and cards that are known here.
  catchUp({ items, before }) {
    const last = this.items.at(-1);
    if (this.busy || (last?.kind === 'answer' && last.state !== 'done')) return;
    const names = (list) =>
      list
        .filter((i) => !i.past && i.kind !== 'summary')
        .map((i) => i.turn ?? i.id)
        .join();
    if (names(items) === names(this.items)) return;
    const here = new Map(this.items.map((i) => [i.turn ?? i.id, i]));
    this.items = items.map((item) => {
      const known = here.get(item.turn ?? item.id);
      if (!known || known.kind !== item.kind) return item;
      // The question was answered in another window.
      if (known.proposal?.state === 'pending' && !item.proposal) known.proposal.state = 'closed';
      return Object.assign(known, { message: item.message });
    });
    for (const item of this.items) if (item.proposal) item.proposal.state ??= 'pending';
    this.before = before;
    this.#save();
    this.onChange(null);
  }

  // part lets the tab go on with another conversation while this one is still
  // being answered: it goes on, but no longer as the tab's own.
  part() {
    this.#forgotten = true;
    this.onChange = () => {};
  }

  // resume makes it the tab's own again.
  resume() {
    this.#forgotten = false;
    this.#save();
  }

  // close ends the chat and cuts a running answer, which can be asked for
  // again when the chat is opened next. With keep false nothing is stored from
  // here on.
  close({ keep }) {
    this.#forgotten = !keep;
    this.onChange = () => {};
    this.#run?.control.abort();
  }

  #begin(confirm, replaces = '', location = null) {
    const answer = newAnswer({ id: this.#uuid(), turn: this.#uuid(), confirm, replaces, now: this.#api.now() });
    if (location) this.#locations.set(answer, location);
    this.items.push(answer);
    this.#go(answer);
  }

  // With reading the turn is only read, and not sent again.
  async #go(answer, { reading = false } = {}) {
    const run = { control: new AbortController(), answer, stopping: false, timer: 0 };
    this.#run = run;
    this.#save();
    this.onChange(null);
    let ended = null;
    try {
      await this.#ask(answer, run, reading);
      this.#settle(answer);
    } catch (error) {
      ended = error instanceof SessionEnded ? error : null;
      this.#broke(answer, error);
    }
    clearTimeout(run.timer);
    if (this.#run === run) this.#run = null;
    if (!this.items.includes(answer)) return; // cleared meanwhile
    this.#save();
    this.onSettled(answer);
    this.onChange(answer);
    this.onChange(null);
    if (ended) this.onSessionEnded(ended);
  }

  async #ask(answer, run, reading) {
    const body = { messages: this.history(answer), id: this.thread, turn: answer.turn, resumable: true };
    if (answer.confirm) body.confirm = answer.confirm;
    if (answer.run) body.run = answer.run;
    if (this.#locations.has(answer)) body.location = this.#locations.get(answer);
    if (answer.replaces) body.messageId = answer.replaces;
    if (this.project) body.projectId = this.project;
    const onEvent = (name, data) => {
      apply(answer, name, data, this.#api.now());
      if (name === 'part') this.#part(data);
      if (name === 'route_classified' && data.how !== 'confirm' && !answer.confirm) this.#leave(answer);
      this.onChange(answer);
    };
    const how = { signal: run.control.signal, onEvent };
    for (let attempt = 1, again = reading; ; attempt++) {
      try {
        if (again && (await this.#api.follow(this.assistant, this.thread, answer.turn, how))) return;
        if (reading) throw new Failure(closed, { kind: 'network', sameTurn: true });
        return await this.#api.chat(this.assistant, body, how);
      } catch (error) {
        // The same turn is still at work, for instance after a reload: wait
        // for it instead of bothering the person.
        const working = error.status === 409 && error.sameTurn;
        // One lost connection is mended silently; the turn id makes it safe.
        const dropped = error.kind === 'network' && attempt === 1 && error.message !== closed;
        again = true;
        if (!(working && attempt < waits) && !dropped) throw error;
        await pause(working ? Math.min(error.retryAfter || 2, 10) * 1000 : 1000, run.control.signal);
        restart(answer, answer.startedAt);
        this.onChange(answer);
      }
    }
  }

  #broke(answer, error) {
    const now = this.#api.now();
    if (error.name === 'AbortError') halt(answer, now);
    else if (error instanceof SessionEnded) fail(answer, { message: error.message, sameTurn: true }, now);
    else if (error.name === 'Failure') fail(answer, error, now);
    else {
      fail(answer, { message: 'This page could not read the answer.', sameTurn: true }, now);
      console.error(error);
    }
    if (answer.state === 'stopped' && answer.confirm) answer.failure = { sameTurn: true };
    const proposal = this.#proposal(answer.confirm?.id);
    // A refusal leaves the question open; silence leaves the outcome open.
    if (proposal) proposal.state = stateAfter(error.code) ?? (answer.failure?.sameTurn ? 'unsure' : 'pending');
  }

  // A part of a project names it by its code, which people know.
  #part(part) {
    if (['page', 'photos'].includes(part.kind) && part.data?.project && !this.code) this.project = part.data.project;
    this.onPart(part);
  }

  // settle brings earlier proposals in line with what an answer has done.
  #settle(answer) {
    // The first answer says which project it has begun.
    this.project ||= answer.conversation?.projectId ?? '';
    const own = answer.proposal;
    if (own) own.state ??= 'pending';
    let decided = this.#proposal(answer.confirm?.id, answer);
    if (!decided && answer.how === 'confirm') {
      decided = this.items.findLast((i) => i !== answer && i.proposal?.state === 'pending')?.proposal;
    }
    if (decided && own?.id === decided.id)
      decided.state = 'repeated'; // as for a bare yes that is not enough
    else if (decided) {
      // "Carried out" is said only of what the server reports as recorded.
      if (answer.writes.length > 0) decided.state = 'approved';
      else decided.state = decided.decision === 'reject' ? 'rejected' : 'closed';
    }
    if (answer.how !== 'confirm' && !answer.confirm) this.#leave(answer);
    if (!own) return;
    // As on the server, a newer proposal of a tool ends the older ones.
    for (const item of this.items) {
      const p = item.proposal;
      if (
        item !== answer &&
        (p?.state === 'pending' || p?.leftBy === answer.turn) &&
        (p.tool === own.tool || p.id === own.id)
      )
        p.state = 'superseded';
    }
  }

  // leave closes questions that are still open when the next turn is about something
  // else, as the server does.
  #leave(answer) {
    for (const item of this.items) {
      if (item !== answer && item.proposal?.state === 'pending') {
        Object.assign(item.proposal, { state: 'left', leftBy: answer.turn });
        this.onChange(item);
      }
    }
  }

  // settled puts the outcome of a question that was answered elsewhere on its card.
  settled(id, state) {
    const proposal = this.#proposal(id);
    if (!['pending', 'unsure'].includes(proposal?.state)) return;
    proposal.state = state;
    this.#save();
    this.onChange(null);
  }

  #proposal(id, except = null) {
    return id ? (this.items.findLast((i) => i !== except && i.proposal?.id === id)?.proposal ?? null) : null;
  }

  #save() {
    if (this.#forgotten) return;
    this.#store.save(this.#user, this.assistant, {
      thread: this.thread,
      items: this.items,
      before: this.before,
      ...(this.project ? { project: this.project } : {}),
    });
  }
}

// stateAfter says what a refusal by the server means for the proposal.
export function stateAfter(code) {
  switch (code) {
    case 'proposal_expired':
      return 'expired';
    case 'proposal_superseded':
      return 'superseded';
    case 'proposal_rejected':
      return 'rejected';
    case 'proposal_consumed':
      return 'approved';
    case 'proposal_changed':
    case 'proposal_mismatch':
    case 'proposal_closed':
    case 'proposal_unknown':
      return 'closed';
  }
  return null;
}

function pause(ms, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        reject(new DOMException('stopped', 'AbortError'));
      },
      { once: true },
    );
  });
}
