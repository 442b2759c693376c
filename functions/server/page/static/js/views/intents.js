import { h, icon, button, iconButton } from '../dom.js';
import { SessionEnded } from '../auth.js';
import { partView } from './parts.js';

// IntentsView shows an administrator how many sentences find their agent without a
// model, which ones did not, and the phrases that are suggested from them. It is a
// dialog, so Escape and the place of the focus are the browser's business.
export class IntentsView {
  #api;
  #ended;
  #assistant = '';
  #body = h('div', { class: 'drawer-body intents' });
  #state = h('p', { class: 'visually-hidden', role: 'status' });

  // onSessionEnded(error) is called when the person is signed out.
  constructor(api, { onSessionEnded }) {
    this.#api = api;
    this.#ended = onSessionEnded;
    this.element = h('dialog', { class: 'drawer', 'aria-label': 'Intents' },
      h('header', { class: 'drawer-head' }, h('h2', {}, 'Intents'), iconButton('Close', 'cross', { onclick: () => this.element.close() })),
      this.#state, this.#body);
  }

  async open(assistant) {
    this.#assistant = assistant;
    if (!this.element.open) this.element.showModal();
    this.#body.replaceChildren(h('p', { class: 'form-help' }, 'Reading…'));
    try {
      const about = `assistant=${encodeURIComponent(assistant)}`;
      const [figures, { suggestions }, known] = await Promise.all([this.#api.json(`/api/intents/analytics?${about}`),
        this.#api.json(`/api/intents/suggestions?${about}`), this.#api.json(`/api/intents?${about}`)]);
      this.#body.replaceChildren(...this.#show(figures, suggestions, known));
    } catch (error) {
      this.#body.replaceChildren(this.#failure(error));
    }
  }

  #show(figures, suggestions, known) {
    const percent = (share) => (share === null ? '–' : `${(100 * share).toFixed(1)} %`);
    return [
      h('dl', { class: 'intents-figures' },
        figure('Turns in 30 days', String(figures.turns)),
        figure('Matched without a model', percent(figures.coverage)),
        figure('Of these, right', percent(figures.precision))),
      ...figures.charts.map((part) => partView(part, {})),
      h('section', {}, h('h3', {}, 'Suggested phrases'),
        suggestions.length === 0 ? h('p', { class: 'form-help' }, 'None. A sentence that needs a model ten times is suggested here.')
          : h('ul', { class: 'tools-list' }, suggestions.map((s) => this.#suggestion(s)))),
      this.#trial(),
      h('section', {}, h('h3', {}, 'Own phrases'),
        known.intents.length === 0 ? h('p', { class: 'form-help' }, 'None yet.')
          : known.intents.map((one) => h('details', { class: 'intents-own' }, h('summary', {}, `${one.name} → ${one.label} (${one.phrases.length})`),
            h('ul', {}, one.phrases.map((p) => h('li', {}, p.phrase)))))),
    ];
  }

  // A suggestion is decided with one press, and says then what became of it.
  #suggestion({ code, phrase, label, occurrences, people }) {
    const says = h('p', { class: 'form-help', role: 'status' });
    const decide = async (decision) => {
      buttons.forEach((b) => (b.disabled = true));
      try {
        await this.#api.json(`/api/intents/suggestions/${encodeURIComponent(code)}`, { assistant: this.#assistant, decision });
        const done = decision === 'approve' ? `Approved: ${label} answers it from now on.` : 'Rejected.';
        this.#state.textContent = done;
        acts.replaceChildren(icon(decision === 'approve' ? 'check' : 'cross'), h('span', {}, done));
      } catch (error) {
        if (error instanceof SessionEnded) return this.#ended(error);
        says.textContent = error.message;
        buttons.forEach((b) => (b.disabled = false));
      }
    };
    const buttons = [
      button('Approve', { class: 'small primary', icon: 'check', 'aria-label': `Approve “${phrase}”`, onclick: () => decide('approve') }),
      button('Reject', { class: 'small', 'aria-label': `Reject “${phrase}”`, onclick: () => decide('reject') }),
    ];
    const acts = h('div', { class: 'intents-acts' }, buttons);
    return h('li', { class: 'intents-suggestion' }, h('p', { class: 'tools-name' }, phrase),
      h('p', { class: 'tools-about' }, `${label} · ${occurrences} times, ${people === 1 ? 'one person' : `${people} people`}`), acts, says);
  }

  #trial() {
    const field = h('input', { class: 'field', id: 'intents-text', name: 'text', maxlength: '2000', autocomplete: 'off' });
    const out = h('div', { class: 'intents-tried', 'aria-live': 'polite' });
    const submit = async (event) => {
      event.preventDefault();
      try {
        const tried = await this.#api.json('/api/intents/try', { assistant: this.#assistant, text: field.value });
        out.replaceChildren(h('p', {}, tried.wouldHappen),
          h('ul', { class: 'chart-list' }, tried.best.map((b) => row(b.label, `${(100 * b.score).toFixed(1)} %`)),
            row('Text alone', tried.literal.score.toFixed(2)), tried.entities.map((e) => row(e.kind, e.text))));
      } catch (error) {
        if (error instanceof SessionEnded) return this.#ended(error);
        out.replaceChildren(h('p', { role: 'alert' }, error.message));
      }
    };
    return h('section', {}, h('h3', {}, 'Try a sentence'),
      h('form', { class: 'intents-try', onsubmit: submit }, h('label', { for: 'intents-text', class: 'visually-hidden' }, 'Sentence'), field,
        h('button', { type: 'submit', class: 'button' }, 'Try')), out);
  }

  #failure(error) {
    if (error instanceof SessionEnded) {
      this.#ended(error);
      return '';
    }
    return h('div', { class: 'failure', role: 'alert' }, icon('alert'), h('p', {}, error.message));
  }
}

const figure = (name, value) => h('div', {}, h('dt', {}, name), h('dd', {}, value));

const row = (name, value) => h('li', {}, h('span', {}, name), h('b', {}, value));
