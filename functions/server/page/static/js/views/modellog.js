import { h, icon, iconButton } from '../dom.js';
import { duration } from '../format.js';
import { readCall, during } from '../modellog.js';

// ModelLogView shows what a development server saw of the talk with the model:
// every message, the tools that were offered, the answer, the tokens.
export class ModelLogView {
  #path;
  #title = h('h2', {}, 'Model log');
  #body = h('div', { class: 'drawer-body', 'aria-live': 'polite' });

  constructor(path) {
    this.#path = path;
    this.element = h(
      'dialog',
      { class: 'drawer', 'aria-label': 'What the model was sent' },
      h(
        'header',
        { class: 'drawer-head' },
        this.#title,
        iconButton('Close', 'cross', { onclick: () => this.element.close() }),
      ),
      this.#body,
    );
  }

  // open shows the calls of one answer, or all that are kept.
  async open(answer = null) {
    if (!this.element.open) this.element.showModal();
    this.#title.textContent = answer ? 'What the model was sent' : 'Model log';
    this.#body.replaceChildren(h('p', { class: 'form-help' }, 'Reading…'));
    try {
      const response = await fetch(this.#path, { headers: { Accept: 'application/json' }, cache: 'no-store' });
      if (!response.ok) throw new Error(`${this.#path}: ${response.status}`);
      const all = ((await response.json()) ?? []).map(readCall);
      const calls = answer ? during(all, answer).reverse() : all;
      this.#body.replaceChildren(
        calls.length === 0
          ? h(
              'div',
              { class: 'nothing' },
              icon('info'),
              h(
                'p',
                {},
                answer ? 'Nothing is kept of this answer any more.' : 'The model has not been asked anything yet.',
              ),
            )
          : h(
              'ol',
              { class: 'tools-list' },
              calls.map((c) => shown(c, calls.length === 1)),
            ),
      );
    } catch (error) {
      console.error(error);
      this.#body.replaceChildren(
        h('div', { class: 'failure', role: 'alert' }, icon('alert'), h('p', {}, 'The log cannot be read.')),
      );
    }
  }
}

function shown(call, open) {
  const facts = [
    call.model,
    call.ms > 0 ? duration(call.ms) : 'going on',
    tokens(call.usage),
    call.status >= 400 ? `status ${call.status}` : '',
  ];
  return h(
    'li',
    {},
    h(
      'details',
      { class: 'letter', open },
      h(
        'summary',
        { class: 'tools-item' },
        h('span', { class: 'tools-name' }, gist(call)),
        h('span', { class: 'tools-effect' }, new Date(call.at).toLocaleTimeString()),
        h('span', { class: 'tools-about' }, facts.filter(Boolean).join(' · ')),
      ),
      h(
        'div',
        { class: 'call' },
        call.cut ? h('p', { class: 'form-help' }, 'This was too long to be kept whole.') : null,
        call.messages.map((m) => said(m.role, m.text, m.calls)),
        call.tools.length > 0
          ? h(
              'details',
              { class: 'call-tools' },
              h(
                'summary',
                { class: 'link' },
                call.tools.length === 1 ? '1 tool was offered' : `${call.tools.length} tools were offered`,
              ),
              h(
                'dl',
                {},
                call.tools.map((t) => [h('dt', {}, h('code', {}, t.name)), h('dd', {}, t.description.split('\n')[0])]),
              ),
            )
          : null,
        said('answer', call.answer.text, call.answer.calls),
      ),
    ),
  );
}

function said(role, text, calls) {
  return h(
    'section',
    { class: 'call-part', 'data-role': role },
    h('h3', {}, role),
    text ? h('pre', { tabindex: '0' }, text) : null,
    calls.map((c) => h('pre', { tabindex: '0' }, `${c.name}(${c.arguments})`)),
  );
}

function gist({ answer, path }) {
  if (answer.calls.length > 0) return `Calls ${answer.calls.map((c) => c.name).join(', ')}`;
  const words = answer.text.trim().replace(/\s+/g, ' ');
  return words ? (words.length > 70 ? `${words.slice(0, 69)}…` : words) : path;
}

function tokens(usage) {
  if (!usage) return '';
  const cached = usage.cached > 0 ? ` (${usage.cached.toLocaleString()} cached)` : '';
  return `${usage.input.toLocaleString()}${cached} + ${usage.output.toLocaleString()} tokens`;
}
