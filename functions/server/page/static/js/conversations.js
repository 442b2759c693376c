// The kept conversations of a person, as the server lists and loads them.

import { newAnswer } from './answer.js';

export const pageSize = 30;

export class Conversations {
  #api;

  constructor(api) {
    this.#api = api;
  }

  // list returns {conversations, next} of an assistant: all, those that a
  // search finds, or the deleted ones. cursor is next of the page before.
  list(assistant, { query = '', deleted = false, cursor = '' } = {}) {
    const q = new URLSearchParams({ assistant, limit: String(pageSize) });
    if (query) q.set('q', query);
    if (deleted) q.set('deleted', 'true');
    if (cursor) q.set('cursor', cursor);
    return this.#api.json(`/api/conversations?${q}`);
  }

  // open loads a conversation to go on with: {thread, title, items, before, project},
  // where before, if it is not null, leads to what was said earlier, and project is the
  // code of what it is about.
  async open(id) {
    const found = await this.#api.json(`${address(id)}/context?mode=ui`);
    const items = found.messages.map((m) => itemOf(m, found.parts?.[m.id]));
    // A question that is still open is a card again.
    if (found.confirmation && items.length) items.at(-1).proposal = found.confirmation;
    if (found.summary) items.unshift({ kind: 'summary', id: found.summary.id ?? 'summary', message: found.summary });
    return {
      thread: found.conversation.id,
      assistant: found.conversation.assistant,
      title: found.conversation.title,
      items,
      before: found.hasMore ? found.before : null,
      project: found.project?.code ?? '',
      summing: underWay(found.conversation.summaryState),
    };
  }

  // summed waits until a summary that is being made is there, and returns whether
  // it is. wait(ms) passes the time.
  async summed(id, wait) {
    for (let n = 0; n < 60; n++) {
      await wait(2000);
      const { state } = await this.#api.json(`/api/summarize/${encodeURIComponent(id)}`);
      if (!underWay(state)) return state === 'done';
    }
    return false;
  }

  // earlier returns {items, before}: messages to be read, but not sent again,
  // since a summary stands for them or nothing does.
  async earlier(id, before) {
    const { messages, parts = {}, next } = await this.#api.json(`${address(id)}/messages?before=${before}&limit=40`);
    return { items: messages.map((m) => ({ ...itemOf(m, parts[m.id]), past: true })), before: next ?? null };
  }

  rename({ id, version }, title) {
    return this.#api.json(address(id), { version, title }, { method: 'PATCH' });
  }

  remove(id) {
    return this.#api.json(address(id), null, { method: 'DELETE' });
  }

  restore(id) {
    return this.#api.json(`${address(id)}/restore`, {});
  }
}

const underWay = (state) => state === 'queued' || state === 'running';

const address = (id) => `/api/conversations/${encodeURIComponent(id)}`;

// itemOf is a kept message as a chat has it. The message itself is left as it
// came, seal included, because it goes back to the server.
// parts are what an answer showed besides its text.
function itemOf(message, parts = []) {
  if (message.role === 'user')
    return {
      kind: 'user',
      id: message.id,
      message,
      by: message.mine === false ? message.name || 'Somebody else' : '',
    };
  return {
    ...newAnswer({ id: message.id, turn: message.id, now: 0 }),
    state: 'done',
    finish: 'stop',
    text: message.content,
    agent: message.agent ?? '',
    label: message.label ?? '',
    message,
    tables: parts.filter((p) => p.kind === 'table').map((p) => ({ ...p.data, id: p.id })),
    parts: parts.filter((p) => p.kind !== 'table'),
  };
}
