import { h, icon, button, iconButton } from '../dom.js';
import { readable } from '../answer.js';
import { stateAfter } from '../chat.js';
import { SessionEnded } from '../auth.js';
import { parse } from '../markdown.js';
import { renderInto } from './markdown.js';
import { form } from './form.js';
import { Choices } from '../choices.js';
import { partView } from './parts.js';
import { ProposalCard } from './proposal.js';

const asking = new Set(['changes', 'destroys', 'critical']);
const effects = {
  reads: 'looks up',
  writes: 'small change',
  changes: 'asks first',
  destroys: 'asks twice',
  critical: 'asks for words',
};

// ToolsView lets a person run an assistant's tools by forms, with no model in
// between. It is a dialog, so Escape and the place of the focus are the
// browser's business.
export class ToolsView {
  #api;
  #options;
  #tools = null; // those that the person may run
  #choices = null;
  #shown = 0; // forms that were opened, so that a slow one does not come late
  #instead = '';
  #corrected = null;
  #assistant = '';
  #card = null;
  #title = h('h2', {}, 'Tools');
  #body = h('div', { class: 'drawer-body' });

  // options: now(), sign(id), onSessionEnded(error), and for parts of results projects(assistant),
  // travellers(assistant), planning(assistant) and file(path, name).
  constructor(api, options) {
    this.#api = api;
    this.#options = options;
    this.element = h(
      'dialog',
      { class: 'drawer', 'aria-label': 'Tools' },
      h(
        'header',
        { class: 'drawer-head' },
        this.#title,
        iconButton('Close', 'cross', { onclick: () => this.element.close() }),
      ),
      this.#body,
    );
  }

  // open shows an assistant's tools, or one of them filled with arguments; with
  // run, one that only looks something up does so at once, and one that asks
  // before it does anything asks, where nothing is missing; with now, a small change
  // is made, too. instead is the id of a
  // question that the new one corrects: it is turned down, and corrected() called,
  // as soon as the new one is asked.
  async open(assistant, name = '', values = {}, { run = false, now = false, instead = '', corrected = null } = {}) {
    if (!this.element.open) this.element.showModal();
    if (this.#assistant !== assistant) this.#tools = null;
    this.#assistant = assistant;
    this.#instead = instead;
    this.#corrected = corrected;
    try {
      if (!this.#tools) {
        const { tools, choices = {} } = await this.#api.json(`/api/tools/${encodeURIComponent(assistant)}`);
        this.#tools = tools.filter((t) => t.allowed !== false);
        this.#choices = new Choices(choices, (tool) =>
          this.#api.json(`/api/tools/${encodeURIComponent(assistant)}/${encodeURIComponent(tool)}`, {}),
        );
      }
    } catch (error) {
      return this.#body.replaceChildren(this.#failure(error));
    }
    const tool = this.#tools.find((t) => t.name === name);
    if (!tool) return this.#all();
    await this.#one(tool, values, run && tool.effect === 'reads');
    const filled = this.#body.querySelector('.tools-form');
    if (
      run &&
      (tool.effect === 'reads' ||
        ((asking.has(tool.effect) || (now && tool.effect === 'writes')) && filled.checkValidity()))
    )
      filled.requestSubmit();
  }

  #all() {
    this.#shown++;
    this.#title.textContent = 'Tools';
    const items = this.#tools.map((t) =>
      h(
        'li',
        { 'data-words': `${t.name} ${readable(t.name)} ${t.description}`.toLowerCase() },
        h(
          'button',
          { type: 'button', class: 'tools-item', onclick: () => this.#one(t, {}) },
          h('span', { class: 'tools-name' }, readable(t.name)),
          h('span', { class: 'tools-effect', 'data-effect': t.effect }, effects[t.effect] ?? t.effect),
          h('span', { class: 'tools-about' }, this.#about(t)),
        ),
      ),
    );
    const none = h('p', { class: 'form-help', hidden: true }, 'No tool has these words.');
    const find = h('input', {
      class: 'field',
      type: 'search',
      'aria-label': 'Find a tool',
      placeholder: 'Find a tool',
      oninput: () => {
        const wanted = find.value.toLowerCase().split(/\s+/).filter(Boolean);
        for (const item of items) item.hidden = !wanted.every((w) => item.dataset.words.includes(w));
        none.hidden = items.some((item) => !item.hidden);
      },
    });
    this.#body.replaceChildren(find, h('ul', { class: 'tools-list' }, items), none);
    find.focus();
  }

  // one shows the form of a tool. With folded the form stands closed above what is
  // looked up with it, which was the wish; it opens where something is missing.
  async #one(tool, values, folded = false) {
    this.#title.textContent = readable(tool.name);
    const own = ++this.#shown;
    const offers = await this.#choices.of(tool.parameters);
    if (own !== this.#shown) return; // another was chosen meanwhile
    const fields = form(tool.parameters, values, offers);
    const result = h('div', { class: 'tools-result', 'aria-live': 'polite' });
    const run = button('Run', { icon: 'arrow', class: 'primary', type: 'submit' });
    // An act keeps its name until an answer has come, so that asking again
    // after a lost connection does nothing twice.
    let act = { sent: '', key: '' };
    const submit = async (e) => {
      e.preventDefault();
      if (run.disabled) return;
      const sent = JSON.stringify(fields.read());
      if (act.sent !== sent) act = { sent, key: crypto.randomUUID() };
      run.disabled = true;
      try {
        const path = `/api/tools/${encodeURIComponent(this.#assistant)}/${encodeURIComponent(tool.name)}`;
        const answer = await this.#api.json(path, JSON.parse(sent), { key: act.key });
        act = { sent: '', key: '' };
        if (answer.confirmation) {
          this.#ask(answer.confirmation, result);
          await this.#replace();
        } else result.replaceChildren(...shown(answer, this.#context()));
        if (more && answer.table?.title) this.#title.textContent = answer.table.title;
      } catch (error) {
        if (!error.sameTurn) act = { sent: '', key: '' };
        // A question that was not asked of the right one shows how it is answered.
        result.replaceChildren(this.#failure(error), ...(error.parts ?? []).map((p) => partView(p, this.#context())));
      }
      run.disabled = false;
      if (!more) result.scrollIntoView({ block: 'nearest' });
    };
    const filled = h(
      'form',
      { class: 'tools-form', onsubmit: submit },
      fields.element,
      h('div', { class: 'tools-run' }, run),
    );
    const about = h('p', { class: 'tools-about' }, this.#about(tool));
    const more =
      folded && filled.checkValidity()
        ? h('details', { class: 'form-more' }, h('summary', {}, 'Look up something else'), about, filled)
        : null;
    this.#body.replaceChildren(
      button('All tools', { class: 'quiet small', onclick: () => this.#all() }),
      ...(more ? [more] : [about, filled]),
      result,
    );
    if (more) return;
    (this.#body.querySelector('.tools-form :is(input, select, textarea)') ?? run).focus();
  }

  // about is what a tool is for, with the names of other tools as people read them.
  #about(tool) {
    return tool.description
      .split('\n')[0]
      .replace(/\b[a-z]+(?:_[a-z]+)+\b/g, (name) =>
        this.#tools.some((t) => t.name === name) ? `“${readable(name)}”` : name,
      );
  }

  // replace turns down the question that the new one corrects.
  async #replace() {
    const [id, corrected] = [this.#instead, this.#corrected];
    if (!id) return;
    this.#instead = '';
    try {
      await this.#api.json(`/api/confirmations/${encodeURIComponent(id)}`, { decision: 'reject' });
    } catch (error) {
      if (error instanceof SessionEnded) throw error;
      if (!stateAfter(error.code)) return; // it stays open, and can be turned down on its card
    }
    corrected?.();
  }

  #ask(proposal, result) {
    const note = h('div', { 'aria-live': 'polite' });
    const decide = async (id, decision, phrase) => {
      if (proposal.state !== 'pending') return;
      proposal.state = 'sending';
      this.#card.update(proposal, true);
      note.replaceChildren();
      try {
        const { result: receipt } = await this.#api.json(`/api/confirmations/${encodeURIComponent(id)}`, {
          decision,
          ...(phrase ? { phrase } : {}),
        });
        proposal.state = decision === 'approve' ? 'approved' : 'rejected';
        if (receipt) note.replaceChildren(...shown(receipt, this.#context()));
      } catch (error) {
        if (error.confirmation) {
          // What was shown has changed: nothing was done, and this asks anew.
          this.#ask(error.confirmation, result);
          return;
        }
        // A decision may be sent again: its effect is bound to the proposal.
        proposal.state = stateAfter(error.code) ?? 'pending';
        note.replaceChildren(this.#failure(error));
      }
      this.#card.update(proposal, false);
    };
    const again = () => this.#body.querySelector('.tools-form')?.requestSubmit();
    this.#card = new ProposalCard(proposal, { decide, again, now: this.#options.now });
    this.#card.update(proposal, false);
    result.replaceChildren(this.#card.element, note);
  }

  // context lets parts of a result open further tools here.
  #context() {
    return {
      run: (name, values) => this.open(this.#assistant, name, values, { run: true }),
      act: (name, values) => this.open(this.#assistant, name, values, { run: true, now: true }),
      sign: this.#options.sign,
      projects: this.#options.projects?.(this.#assistant) ?? null,
      file: this.#options.file ?? null,
      travellers: this.#options.travellers?.(this.#assistant) ?? null,
      ...this.#planning(),
      now: this.#options.now,
      may: this.#tools.some((t) => asking.has(t.effect)),
    };
  }

  #planning() {
    const { plans = null, shares = null } = this.#options.planning?.(this.#assistant) ?? {};
    return { plans, shares };
  }

  #failure(error) {
    if (error instanceof SessionEnded) {
      this.element.close();
      this.#options.onSessionEnded(error);
    }
    return h(
      'div',
      { class: 'failure', role: 'alert' },
      icon('alert'),
      h(
        'div',
        {},
        h('p', {}, error.message),
        // A refusal says all there is; only a fault is looked up in the log.
        error.requestId && error.status >= 500
          ? h('p', { class: 'reference' }, 'Reference ', h('code', {}, error.requestId))
          : null,
      ),
    );
  }
}

// shown lays a result out: its text where that is a sentence, its table, which
// is whole, and its other parts.
function shown({ table: found, parts = [], text }, context) {
  const list = [];
  if (text && (!found || !text.includes('\n'))) {
    const prose = h('div', { class: 'prose' });
    renderInto(prose, parse(text));
    list.push(prose);
  }
  list.push(...parts.filter((p) => p.kind !== 'table').map((p) => partView(p, context)));
  if (found) list.push(partView({ kind: 'table', data: found, text }, context));
  return list;
}
