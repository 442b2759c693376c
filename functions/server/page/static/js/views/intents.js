import { h, icon, button, iconButton } from '../dom.js';
import { SessionEnded } from '../auth.js';
import { scores, suspended } from '../intents.js';
import { intentForm } from './intentform.js';
import { partView } from './parts.js';

// IntentsView shows an administrator how many sentences find their agent without a
// model, which ones did not, and the phrases that are suggested from them, and edits the
// organisation's own. It is a dialog, so Escape and the place of the focus are the
// browser's business.
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
    this.element = h(
      'dialog',
      { class: 'drawer', 'aria-label': 'Intents' },
      h(
        'header',
        { class: 'drawer-head' },
        h('h2', {}, 'Intents'),
        iconButton('Close', 'cross', { onclick: () => this.element.close() }),
      ),
      this.#state,
      this.#body,
    );
  }

  async open(assistant) {
    this.#assistant = assistant;
    if (!this.element.open) this.element.showModal();
    this.#body.replaceChildren(h('p', { class: 'form-help' }, 'Reading…'));
    try {
      const about = `assistant=${encodeURIComponent(assistant)}`;
      const [figures, { suggestions }, known] = await Promise.all([
        this.#api.json(`/api/intents/analytics?${about}`),
        this.#api.json(`/api/intents/suggestions?${about}`),
        this.#api.json(`/api/intents?${about}`),
      ]);
      this.#body.replaceChildren(...this.#show(figures, suggestions, known));
    } catch (error) {
      this.#body.replaceChildren(this.#failure(error));
    }
  }

  #show(figures, suggestions, known) {
    const percent = (share) => (share === null ? '–' : `${(100 * share).toFixed(1)} %`);
    const doubtful = suspended(figures.buckets, (name) => known.agents.find((a) => a.name === name)?.label ?? name);
    return [
      h(
        'dl',
        { class: 'intents-figures' },
        figure('Turns in 30 days', String(figures.turns)),
        figure('Matched without a model', percent(figures.coverage)),
        figure('Of these, right', percent(figures.precision)),
      ),
      doubtful.length > 0
        ? h(
            'section',
            {},
            h('h3', {}, 'Not matched for now'),
            h(
              'ul',
              { class: 'intents-suspended' },
              doubtful.map((words) => h('li', {}, words)),
            ),
          )
        : '',
      ...figures.charts.map((part) => partView(part, {})),
      h(
        'section',
        {},
        h('h3', {}, 'Suggested phrases'),
        suggestions.length === 0
          ? h('p', { class: 'form-help' }, 'None. A sentence that needs a model ten times is suggested here.')
          : h(
              'ul',
              { class: 'tools-list' },
              suggestions.map((s) => this.#suggestion(s)),
            ),
      ),
      this.#trial(),
      this.#own(known),
    ];
  }

  // A suggestion is decided with one press, and says then what became of it.
  #suggestion({ code, phrase, label, occurrences, people }) {
    const says = h('p', { class: 'form-help', role: 'status' });
    const decide = async (decision) => {
      buttons.forEach((b) => (b.disabled = true));
      try {
        await this.#api.json(`/api/intents/suggestions/${encodeURIComponent(code)}`, {
          assistant: this.#assistant,
          decision,
        });
        const done = decision === 'approve' ? `Approved: ${label} answers it from now on.` : 'Rejected.';
        this.#state.textContent = done;
        acts.replaceChildren(icon(decision === 'approve' ? 'check' : 'cross'), h('span', {}, done));
        // An approved phrase is one of the own ones, unless somebody edits these just now.
        const own = this.#body.querySelector('.intents-own');
        if (decision === 'approve' && !own?.querySelector('details[open]')) await this.#draw(own);
      } catch (error) {
        if (error instanceof SessionEnded) return this.#ended(error);
        says.textContent = error.message;
        buttons.forEach((b) => (b.disabled = false));
      }
    };
    const buttons = [
      button('Approve', {
        class: 'small primary',
        icon: 'check',
        'aria-label': `Approve “${phrase}”`,
        onclick: () => decide('approve'),
      }),
      button('Reject', { class: 'small', 'aria-label': `Reject “${phrase}”`, onclick: () => decide('reject') }),
    ];
    const acts = h('div', { class: 'intents-acts' }, buttons);
    return h(
      'li',
      { class: 'intents-suggestion' },
      h('p', { class: 'tools-name' }, phrase),
      h(
        'p',
        { class: 'tools-about' },
        `${label} · ${occurrences} times, ${people === 1 ? 'one person' : `${people} people`}`,
      ),
      acts,
      says,
    );
  }

  // Draws the own phrases anew, as they are kept now.
  async #draw(section, note = '') {
    const fresh = this.#own(
      await this.#api.json(`/api/intents?assistant=${encodeURIComponent(this.#assistant)}`),
      note,
    );
    section?.replaceWith(fresh);
    return fresh;
  }

  // What the organisation keeps is edited where it stands; what is saved is drawn anew,
  // so that the version is the newest.
  #own({ agents, intents }, note = '') {
    const section = h('section', { class: 'intents-own' });
    const again = async (note) => {
      const fresh = await this.#draw(section, note);
      this.#state.textContent = note;
      fresh.querySelector('h3').focus();
    };
    const form = (intent) =>
      intentForm(intent, {
        agents,
        save: async (name, body) => {
          await this.#api.json(
            `/api/intents/${encodeURIComponent(name)}`,
            { assistant: this.#assistant, ...body },
            { method: 'PUT' },
          );
          await again(`${name} is saved. It counts in at most half a minute.`);
        },
        remove: async (name, version) => {
          await this.#api.json(
            `/api/intents/${encodeURIComponent(name)}?assistant=${encodeURIComponent(this.#assistant)}&version=${version}`,
            null,
            { method: 'DELETE' },
          );
          await again(`${name} is deleted.`);
        },
        failed: (error) => (error instanceof SessionEnded ? this.#ended(error) : error.message) ?? null,
      });
    const details = (title, intent) => {
      const fold = h('details', { class: 'intents-one' }, h('summary', {}, title));
      // The fields are drawn when they are looked at: a hundred intents have many.
      fold.addEventListener('toggle', () => fold.open && fold.children.length === 1 && fold.append(form(intent)));
      return fold;
    };
    section.append(
      h('h3', { tabindex: '-1' }, 'Own phrases'),
      note ? h('p', { class: 'own-saved' }, icon('check'), note) : '',
      intents.length === 0
        ? h('p', { class: 'form-help' }, 'None yet. A phrase of your own finds its agent without a model.')
        : '',
      ...intents.map((one) => details(`${one.name} → ${one.label} (${one.phrases.length})`, one)),
      details('New intent', { name: '', agent: agents[0]?.name, description: '', phrases: [], version: 0 }),
    );
    return section;
  }

  #trial() {
    const field = h('input', {
      class: 'field',
      id: 'intents-text',
      name: 'text',
      maxlength: '2000',
      autocomplete: 'off',
    });
    const out = h('div', { class: 'intents-tried', 'aria-live': 'polite' });
    const submit = async (event) => {
      event.preventDefault();
      try {
        const tried = await this.#api.json('/api/intents/try', { assistant: this.#assistant, text: field.value });
        out.replaceChildren(
          h('p', {}, tried.wouldHappen),
          h(
            'ul',
            { class: 'chart-list' },
            scores(tried).map(([name, value]) => row(name, value)),
          ),
        );
      } catch (error) {
        if (error instanceof SessionEnded) return this.#ended(error);
        out.replaceChildren(h('p', { role: 'alert' }, error.message));
      }
    };
    return h(
      'section',
      {},
      h('h3', {}, 'Try a sentence'),
      h(
        'form',
        { class: 'intents-try', onsubmit: submit },
        h('label', { for: 'intents-text', class: 'visually-hidden' }, 'Sentence'),
        field,
        h('button', { type: 'submit', class: 'button' }, 'Try'),
      ),
      out,
    );
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
