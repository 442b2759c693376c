import { h, icon } from '../dom.js';
import { duration } from '../format.js';

const marks = { running: 'spinner', done: 'check', failed: 'alert', stopped: 'stop' };
const said = { running: 'running', done: 'done', failed: 'failed', stopped: 'stopped' };

// Steps shows how an answer comes about. It is open while work goes on and
// folds itself when the text begins, so that nothing jumps later on, unless
// somebody has touched it.
export class Steps {
  #touched = false;
  #open;
  #summary = h('span', { class: 'steps-summary' });
  #state = h('span', { class: 'steps-state' });
  #list = h('ol', { class: 'steps-list' });
  #shown = [];

  // open(tool, arguments) shows a tool's form, filled as in this call.
  constructor(open) {
    this.#open = open;
    const summary = h('summary', { onclick: () => (this.#touched = true) }, this.#state, this.#summary, icon('chevron', 'turn'));
    this.element = h('details', { class: 'steps' }, summary, this.#list);
  }

  update(answer) {
    const running = answer.state === 'running';
    this.element.hidden = answer.steps.length === 0 && !running;
    const working = (running || answer.state === 'failed') && answer.text === '';
    if (!this.#touched) this.element.open = working && answer.steps.length > 0;
    const current = answer.steps.findLast((s) => s.state === 'running');
    this.#summary.textContent = running ? (current?.title ?? 'Starting') + '…' : finished(answer);
    const outcome = running ? 'running' : answer.state;
    if (this.#state.dataset.state !== outcome) {
      this.#state.dataset.state = outcome;
      this.#state.replaceChildren(icon(marks[outcome]));
    }
    answer.steps.forEach((step, i) => this.#row(step, i));
    while (this.#list.childNodes.length > answer.steps.length) this.#list.lastChild.remove();
    this.#shown.length = answer.steps.length;
  }

  #row(step, i) {
    const key = JSON.stringify(step);
    if (this.#shown[i] === key) return;
    this.#shown[i] = key;
    const facts = [];
    if (step.records !== undefined) facts.push(step.records === 1 ? '1 record' : `${step.records} records`);
    if (step.ms > 0) facts.push(duration(step.ms));
    const row = h('li', { class: 'step', 'data-state': step.state },
      h('span', { class: 'step-mark' }, icon(marks[step.state])),
      h('div', { class: 'step-body' },
        h('div', { class: 'step-head' },
          h('span', { class: 'step-title' }, step.title),
          h('span', { class: 'visually-hidden' }, said[step.state]),
          facts.length > 0 ? h('span', { class: 'step-facts' }, facts.join(' · ')) : null,
        ),
        step.detail ? h('div', { class: 'step-detail' }, step.detail) : null,
        step.message ? h('div', { class: 'step-message' }, step.message) : null,
        step.tool && step.state !== 'running'
          ? h('button', { type: 'button', class: 'step-open', onclick: () => this.#open(step.tool, step.arguments) }, 'Change and run again') : null,
      ),
    );
    const old = this.#list.childNodes[i];
    if (old) old.replaceWith(row);
    else this.#list.append(row);
  }
}

function finished(answer) {
  if (answer.state === 'failed') return 'Did not finish';
  if (answer.state === 'stopped') return 'Stopped';
  const tools = answer.steps.filter((s) => s.kind === 'tool').length;
  const parts = [tools === 0 ? 'Answered' : tools === 1 ? '1 look-up' : `${tools} look-ups`];
  if (answer.writes.length > 0) parts[0] = tools <= 1 ? '1 action' : `${tools} actions`;
  else if (answer.proposal) parts[0] = 'Asks for your approval';
  if (answer.ms > 0) parts.push(duration(answer.ms));
  if (answer.tokens > 0) parts.push(`${answer.tokens.toLocaleString()} tokens`);
  return parts.join(' · ');
}
