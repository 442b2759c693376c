import { h, icon } from '../dom.js';
import { pendingCalls, statusOf, toolCalls } from '../aicontext.js';
import { readable } from '../answer.js';
import { duration } from '../format.js';

const marks = { waiting: 'clock', running: 'spinner', done: 'check', failed: 'alert', stopped: 'stop' };
const said = { waiting: 'not begun', running: 'running', done: 'done', failed: 'failed', stopped: 'stopped' };
let count = 0; // ids of panels, so that their buttons find them

// Steps shows how an answer comes about: one line that says what happens now,
// and a panel with everything, which stays shut until somebody opens it. So
// nothing moves under a reader while an answer is made.
export class Steps {
  #options;
  #summary = h('span', { class: 'steps-summary' });
  #time = h('span', { class: 'steps-time for-developers' });
  #state = h('span', { class: 'steps-state' });
  #list = h('ol', { class: 'steps-list' });
  #facts = h('div', { class: 'steps-foot' });
  #said = '[]'; // what the foot shows
  #shown = [];
  #open = false;

  // options: openTool(tool, arguments), which shows a tool's form filled as in
  // a call, and asked(answer), which shows what the model was sent; null where
  // nobody may see that.
  constructor(options) {
    this.#options = options;
    this.panel = h(
      'section',
      { class: 'steps-panel', id: `steps-${++count}`, 'aria-label': 'How this answer came about', hidden: true },
      this.#list,
      this.#facts,
    );
    this.#facts.hidden = true;
    this.element = h(
      'button',
      {
        type: 'button',
        class: 'steps',
        'aria-expanded': 'false',
        'aria-controls': this.panel.id,
        onclick: () => this.#turn(),
      },
      this.#state,
      this.#summary,
      this.#time,
      icon('chevron', 'turn'),
    );
  }

  #turn() {
    this.#open = !this.#open;
    this.element.setAttribute('aria-expanded', String(this.#open));
    this.panel.hidden = !this.#open;
  }

  update(answer) {
    const running = answer.state === 'running';
    this.element.hidden = answer.steps.length === 0 && !running;
    const current = answer.steps.findLast((s) => s.state === 'running');
    const text = running ? (current?.title ?? 'Starting') + '…' : finished(answer);
    if (this.#summary.textContent !== text) this.#summary.textContent = text;
    const time = !running && answer.ms > 0 ? ` · ${duration(answer.ms)}` : '';
    if (this.#time.textContent !== time) this.#time.textContent = time;
    const outcome = running ? 'running' : answer.state;
    if (this.#state.dataset.state !== outcome) {
      this.#state.dataset.state = outcome;
      this.#state.replaceChildren(icon(marks[outcome]));
    }
    // What the plan still has follows what was done.
    const rows = [
      ...answer.steps,
      ...pendingCalls(answer).map(({ name, purpose }) => ({
        kind: 'tool',
        state: 'waiting',
        title: readable(purpose || name),
      })),
    ];
    rows.forEach((step, i) => this.#row(step, i));
    while (this.#list.childNodes.length > rows.length) this.#list.lastChild.remove();
    this.#shown.length = rows.length;
    this.#end(answer);
  }

  #row(step, i) {
    const key = JSON.stringify(step);
    if (this.#shown[i] === key) return;
    this.#shown[i] = key;
    const facts = [];
    if (step.records !== undefined)
      facts.push(h('span', {}, step.records === 1 ? '1 record' : `${step.records} records`));
    if (step.ms > 0) facts.push(h('span', { class: 'for-developers' }, duration(step.ms)));
    const row = h(
      'li',
      {
        class: ['step', step.kind === 'route' && 'for-developers'],
        'data-state': step.state,
        'data-status': step.kind === 'tool' ? statusOf(step) : null,
      },
      h('span', { class: 'step-mark' }, icon(marks[step.state])),
      h(
        'div',
        { class: 'step-body' },
        h(
          'div',
          { class: 'step-head' },
          h('span', { class: 'step-title' }, step.title),
          h('span', { class: 'visually-hidden' }, said[step.state]),
          facts.length > 0 ? h('span', { class: 'step-facts' }, facts) : null,
        ),
        step.plain ? h('div', { class: 'step-detail' }, step.plain) : null,
        step.detail ? h('div', { class: ['step-detail', step.planned && 'for-developers'] }, step.detail) : null,
        // What a planned call said is the answer itself.
        step.message && !(step.planned && step.state === 'done')
          ? h('div', { class: 'step-message' }, step.message)
          : null,
        step.tool && statusOf(step) !== 'pending'
          ? h(
              'button',
              {
                type: 'button',
                class: 'step-open link',
                onclick: () => this.#options.openTool(step.tool, step.arguments),
              },
              'Change and run again',
            )
          : null,
      ),
    );
    const old = this.#list.childNodes[i];
    if (old) old.replaceWith(row);
    else this.#list.append(row);
  }

  // What the whole answer took, once that is known.
  #end(answer) {
    const facts = answer.state === 'running' ? [] : totals(answer);
    const key = JSON.stringify(facts);
    if (this.#said === key) return;
    this.#said = key;
    this.#facts.hidden = facts.length === 0;
    this.#facts.replaceChildren(
      h(
        'dl',
        {},
        facts.map(([name, value, everybody]) =>
          h('div', { class: everybody ? null : 'for-developers' }, h('dt', {}, name), h('dd', {}, value)),
        ),
      ),
    );
    if (answer.model && this.#options.asked) {
      this.#facts.append(
        h(
          'button',
          { type: 'button', class: 'link', onclick: () => this.#options.asked(answer) },
          'What the model was sent',
        ),
      );
    }
  }
}

// made says who answered, where that was no model.
const made = { fast: 'Our rules, without a model', cached: 'A kept answer, without a model' };

function totals({ ms, model, usage, path }) {
  const number = (n) => n.toLocaleString();
  const facts = [];
  if (ms > 0) facts.push(['Time', duration(ms)]);
  if (usage?.calls > 0) facts.push(['Model calls', number(usage.calls)]);
  if (usage?.input > 0)
    facts.push([
      'Tokens read',
      usage.cached > 0 ? `${number(usage.input)}, ${number(usage.cached)} of them cached` : number(usage.input),
    ]);
  if (usage?.output > 0) facts.push(['Tokens written', number(usage.output)]);
  if (model) facts.push(['Answered by', model, true]);
  else if (made[path]) facts.push(['Answered by', made[path], true]);
  return facts;
}

function finished(answer) {
  if (answer.state === 'failed') return 'Did not finish';
  if (answer.state === 'stopped') return 'Stopped';
  const tools = toolCalls(answer);
  const done = tools.filter((c) => c.status === 'complete').length;
  if (answer.writes.length > 0) return answer.writes.length === 1 ? '1 action' : `${answer.writes.length} actions`;
  if (answer.proposal) return 'Asks for your approval';
  if (tools.length > 0 && done === 0) return 'Could not be done';
  if (done === 0 && answer.path === 'cached') return 'Kept answer';
  return done === 0 ? 'Answered' : done === 1 ? '1 look-up' : `${done} look-ups`;
}
