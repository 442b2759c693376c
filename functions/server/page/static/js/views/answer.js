import { h, icon, button, iconButton } from '../dom.js';
import { parse, words } from '../markdown.js';
import { renderInto } from './markdown.js';
import { Steps } from './steps.js';
import { ProposalCard } from './proposal.js';
import { FeedbackView } from './feedback.js';
import { withoutPreview, withoutQuestions } from '../preview.js';
import { partView } from './parts.js';
import { researchView } from './research.js';
import { researchOf } from '../plans.js';
import { arrange } from '../parts.js';
import { source } from '../files.js';

// AnswerView shows one answer and grows with it.
export class AnswerView {
  #options;
  #badge = h('h2', { class: 'answer-who' });
  #steps;
  #text = h('div', { class: 'prose' });
  #research = h('div', { class: 'answer-research', 'aria-live': 'polite', hidden: true });
  #parts = h('div', { class: 'parts', hidden: true });
  #receipts = h('ul', { class: 'receipts' });
  #hints = h('div', { class: 'hints' });
  #end = h('div', { class: 'answer-end' });
  #copier = iconButton('Copy answer', 'copy', { class: 'icon-button small copy', onclick: () => this.#copy() });
  #anew = iconButton('Answer anew', 'retry', {
    class: 'icon-button small anew',
    hidden: true,
    onclick: () => this.#options.regenerate(this.answer),
  });
  #feedback;
  #card = null;
  #slot = h('div', { class: 'answer-card' });
  #last = { text: null, tables: -1, parts: '', who: null };

  // options: name of the assistant, now, and what buttons do: decide, retry,
  // again, say(text), answer(text) to a form, regenerate, mayRegenerate, openTool(name, arguments),
  // rate(answer, said), saveTable(table, format), openPanel(title, element), run(tool, arguments),
  // correct(proposal, arguments), asked(answer), which may be null, projects, which
  // is null for an assistant that has none, remake, which is again of partView, and its file, travellers, planning and may.
  constructor(answer, options) {
    this.#options = options;
    this.#steps = new Steps(options);
    this.#feedback = new FeedbackView((said) => options.rate(answer, said), answer.rated);
    this.element = h(
      'article',
      { class: 'answer', 'aria-label': 'Answer' },
      h('div', { class: 'answer-head' }, this.#badge, this.#steps.element),
      this.#steps.panel,
      this.#research,
      this.#text,
      this.#parts,
      this.#receipts,
      this.#slot,
      this.#hints,
      this.#end,
      h('div', { class: 'answer-tools' }, this.#copier, this.#anew, this.#feedback.buttons),
      this.#feedback.panel,
    );
    this.answer = answer;
  }

  // update shows the answer as it is now. last says that nothing follows it,
  // busy that some answer is being made.
  update({ last, busy }) {
    const a = this.answer;
    this.element.dataset.state = a.state;
    this.#who(a);
    this.#steps.update(a);
    this.#researched(a);
    this.#prose(a);
    // Only the last answer's forms can still be answered.
    for (const form of this.element.querySelectorAll('.ask > fieldset'))
      form.disabled = !last || busy || a.state !== 'done';
    // What the answer says itself is not said twice.
    const unsaid = a.writes.filter((w) => !a.text.includes(w.text));
    this.#receipts.replaceChildren(...unsaid.map((w) => h('li', {}, icon('check'), h('span', {}, w.text))));
    this.#receipts.hidden = unsaid.length === 0;
    this.#proposal(a, busy);
    this.#hint(a);
    this.#ending(a, last && !busy);
    this.#feedback.update(a.state === 'done' && Boolean(a.message?.seal));
    this.#copier.hidden = a.state !== 'done' || this.#text.hidden || !navigator.clipboard;
  }

  // words returns the answer for a screen reader.
  words() {
    const blocks = withoutPreview(parse(this.answer.text), this.answer.proposal, false);
    const question = this.answer.proposal
      ? `Your approval is needed: ${this.answer.proposal.preview?.title ?? ''}.`
      : '';
    return [this.#options.name, words(blocks), question].filter(Boolean).join('\n');
  }

  #who(a) {
    const who = a.label || this.#options.name;
    if (this.#last.who === who + a.agent) return;
    this.#last.who = who + a.agent;
    this.#badge.replaceChildren(
      ...(a.label
        ? [
            h(
              'span',
              { class: 'badge for-developers', 'data-hue': hue(a.agent) },
              h('span', { class: 'badge-dot' }),
              a.label,
            ),
            h('span', { class: 'badge plain not-for-developers' }, this.#options.name),
          ]
        : [h('span', { class: 'badge plain' }, who)]),
    );
  }

  // researched shows what the specialists of a plan bring, and keeps it above the answer.
  #researched(a) {
    const found = researchOf(a);
    const key = JSON.stringify(found);
    if (this.#last.research === key) return;
    this.#last.research = key;
    this.#research.hidden = found.length === 0;
    this.#research.replaceChildren(...(found.length > 0 ? [researchView(found)] : []));
  }

  #prose(a) {
    const growing = a.state === 'running';
    this.#text.classList.toggle('growing', growing && a.text !== '');
    const stamp = a.proposal?.id ?? '';
    const others = a.parts ?? []; // an answer that was kept before there were parts has none
    if (
      this.#last.text === a.text &&
      this.#last.tables === a.tables.length &&
      this.#last.stamp === stamp &&
      this.#last.parts === others.length + a.state
    )
      return;
    this.#last = { ...this.#last, text: a.text, tables: a.tables.length, stamp, parts: others.length + a.state };
    const all = withoutPreview(parse(a.text), a.proposal, growing);
    const { beside, rest } = arrange(
      others,
      all.filter((b) => b.type === 'table').map((b) => source(b, a.tables)),
    );
    const blocks = growing
      ? all
      : withoutQuestions(
          all,
          rest.flatMap((part) => (part.data?.questions ?? []).map((q) => q.title)),
        );
    const context = {
      open: this.#options.openPanel,
      say: this.#options.say,
      answer: this.#options.answer,
      run: this.#options.run,
      act: this.#options.act,
      save: this.#options.saveTable,
      sign: this.#options.sign,
      projects: this.#options.projects ?? null,
      again: this.#options.remake ?? null,
      file: this.#options.file ?? null,
      travellers: this.#options.travellers ?? null,
      shares: this.#options.planning?.shares ?? null,
      plans: this.#options.planning?.plans ?? null,
      now: this.#options.now,
      may: this.#options.may ?? true,
      research: false,
      said: a.text,
    };
    const view = (part) => {
      const shown = partView(part, context);
      // The question stands above its form already.
      if (part.kind === 'clarification' && a.text.trimEnd().endsWith(part.data.question ?? '?'))
        shown.querySelector('.ask-title')?.classList.add('visually-hidden');
      const { title } = part.data ?? {};
      if (part.kind === 'choices' && title && a.text.trimEnd().endsWith(title))
        shown.querySelector('.choices > p')?.classList.add('visually-hidden');
      return shown;
    };
    renderInto(this.#text, blocks, {
      tables: a.tables,
      saveTable: this.#options.saveTable,
      answer: this.#options.answer,
      parts: others.length,
      run: this.#options.run,
      beside: (id) => (beside.get(id) ?? []).map(view),
    });
    this.#text.hidden = blocks.length === 0;
    // What has no place in the text follows it, when that is known to be all.
    // While a question is open, nothing else is offered.
    const asked = a.proposal?.state === 'pending';
    this.#parts.replaceChildren(
      ...(growing ? [] : rest.filter((part) => !(asked && part.kind === 'choices')).map(view)),
    );
    this.#parts.hidden = this.#parts.childElementCount === 0;
  }

  #proposal(a, busy) {
    if (!a.proposal) {
      if (this.#card) this.#slot.replaceChildren();
      this.#card = null;
      return;
    }
    if (this.#card?.proposal.id !== a.proposal.id) {
      const asked = a.steps.findLast((s) => s.tool === a.proposal.tool && s.arguments);
      this.#card = new ProposalCard(a.proposal, {
        ...this.#options,
        again: () => this.#options.again(a),
        correct:
          asked && this.#options.correct ? (proposal) => this.#options.correct(proposal, asked.arguments) : null,
      });
      this.#slot.replaceChildren(this.#card.element);
    }
    // Until the answer is complete the question is not yet asked.
    this.#card.update(a.proposal, busy || a.state === 'running');
  }

  #hint(a) {
    const hints = [];
    if (a.unverified) {
      const n = a.unverified.count;
      hints.push(
        hint(
          'info',
          n === 1
            ? 'One earlier message could not be verified, so it was read as plain text.'
            : `${n || 'Some'} earlier messages could not be verified, so they were read as plain text.`,
          a.unverified.reasons.join(' · '),
        ),
      );
    }
    // That some messages have no authority is said above already, and how a
    // model failed says no more to people than that it did.
    for (const d of a.degraded)
      if (d !== 'history_unverified' && (losses[d] || a.finish !== 'error')) hints.push(hint('info', skipped(d)));
    if (finishes[a.finish]) hints.push(hint('info', finishes[a.finish]));
    this.#hints.replaceChildren(...hints);
    this.#hints.hidden = hints.length === 0;
  }

  #ending(a, mayRetry) {
    const failure = a.failure ?? {};
    // A question that is settled or gone is not answered by sending the same again.
    const again = (label) =>
      mayRetry && !failure.code?.startsWith('proposal_')
        ? button(label, { icon: 'retry', class: 'small', onclick: () => this.#options.retry(a) })
        : null;
    const parts = [];
    if (a.state === 'failed') {
      parts.push(
        h(
          'div',
          { class: 'failure', role: 'alert' },
          icon('alert'),
          h(
            'div',
            {},
            h('p', {}, a.failure.message),
            a.failure.requestId && showsReference(a.failure)
              ? h('p', { class: 'reference' }, 'Reference ', h('code', {}, a.failure.requestId))
              : null,
          ),
          again('Try again'),
        ),
      );
    } else if (a.state === 'stopped') {
      parts.push(h('div', { class: 'stopped' }, h('span', {}, 'You stopped this answer.'), again('Ask again')));
    }
    const goOn = mayRetry && a.state === 'done' && ['rounds', 'deadline'].includes(a.finish);
    this.#anew.hidden = !mayRetry || goOn || !this.#options.mayRegenerate(a);
    if (goOn)
      parts.push(button('Go on', { icon: 'arrow', class: 'small', onclick: () => this.#options.say('go on') }));
    const key = `${a.state}${mayRetry}${goOn}${failure.message ?? ''}`;
    if (this.#last.ending === key) return;
    this.#last.ending = key;
    this.#end.replaceChildren(...parts);
    const first = this.#end.querySelector('.button');
    if (first && a.state === 'failed' && failure.retryAfter > 0)
      rest(first, Date.now() + Math.min(failure.retryAfter, 120) * 1000);
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(this.#text.innerText);
    } catch {
      return;
    }
    this.#copier.replaceChildren(icon('check'));
    setTimeout(() => this.#copier.replaceChildren(icon('copy')), 1500);
  }
}

// A refusal says all there is; only a fault is looked up in the log.
function showsReference({ status }) {
  return !(status >= 400 && status < 500);
}

// rest keeps a button back for as long as the server asked, and counts down.
function rest(again, until) {
  const label = again.querySelector('span');
  const words = label.textContent;
  const tick = () => {
    const left = Math.ceil((until - Date.now()) / 1000);
    again.disabled = left > 0;
    label.textContent = left > 0 ? `${words} in ${left} s` : words;
    if (left > 0) setTimeout(tick, 1000);
  };
  tick();
}

const finishes = {
  rounds: 'There was more to do than fits in one answer.',
  deadline: 'The time for one answer was used up.',
  budget: 'The budget for answers is used up, so this one ends early.',
  error: 'The model failed part of the way; the answer says what was done.',
};

const losses = {
  answer_resumed: 'The model broke off once and was asked to go on.',
  answer_cut: 'The answer was too long and was cut.',
  answer_withheld: 'A part of the answer was held back.',
  parts_left_out: 'There was more to show than one answer may hold.',
  history_shortened: 'The beginning of this long conversation was not read again.',
  unsupported_facts: 'The answer names a price, a date or a code that no record shows.',
  unbacked_claim: 'The answer speaks of something done that was not done here.',
  facts_incomplete: 'Some facts about the company could not be read, so the answer goes without them.',
  run_failed: 'A part of the answer is missing.',
  act_not_run: 'One thing was not done, because another was asked for first. Ask for it again.',
  not_recorded: 'This turn could not be kept: it may be missing when the conversation is opened again.',
  results_summarised: 'Long results are kept in short with this conversation.',
};

// failings are why something was missing. An answer that ended by one says so itself.
const failings = {
  model_unavailable: 'The language model could not be reached, so this was answered without it.',
  no_books: 'No books are connected, so there are no figures.',
  server_off: 'The connection to the books is switched off.',
  server_not_reviewed: 'The connection to the books is not approved yet: an administrator can approve it.',
  server_secret: 'The connection to the books lacks its key: an administrator can set it.',
  unavailable: 'A service could not be reached.',
  upstream: 'A service gave an answer that could not be read.',
  timeout: 'A service took too long to answer.',
  rate_limited: 'A service takes no more questions at the moment. Try again in a while.',
  internal_error: 'Something went wrong on our side.',
};

// What an answer had to do without, in words; unknown codes are shown readably.
function skipped(code) {
  return losses[code] ?? failings[code] ?? `Limited: ${code.replaceAll('_', ' ')}.`;
}

function hint(drawing, text, more = '') {
  return h('p', { class: 'hint', title: more || null }, icon(drawing), h('span', {}, text));
}

// hue gives every specialist its own quiet colour, the same each time.
function hue(agent) {
  let sum = 0;
  for (const c of agent) sum = (sum * 31 + c.codePointAt(0)) % 997;
  return String(sum % 8);
}
