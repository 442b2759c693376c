import { h, icon, button } from '../dom.js';
import { clock } from '../format.js';
import { figures } from './figures.js';

const tiers = {
  MEDIUM: 'Needs your approval',
  HIGH: 'High risk · check carefully',
  CRITICAL: 'Critical · type to approve',
};

const outcomes = {
  sending: { icon: 'spinner', text: 'Sending your decision…' },
  approved: { icon: 'check', text: 'Approved and carried out.' },
  rejected: { icon: 'cross', text: 'Rejected. Nothing was changed.' },
  superseded: { icon: 'info', text: 'A newer request has taken the place of this one.' },
  repeated: { icon: 'info', text: 'Your answer was not enough for this. It is asked again below.' },
  left: {
    icon: 'info',
    text: 'You went on to something else, so this question is closed. Nothing was changed.',
    again: true,
  },
  corrected: { icon: 'info', text: 'You corrected this, so a new question took its place. Nothing was changed.' },
  expired: {
    icon: 'info',
    text: 'The time to answer has passed. Nothing was changed; ask again for a new preview.',
    again: true,
  },
  closed: { icon: 'info', text: 'This question is settled. See the answer below.' },
  unsure: {
    icon: 'alert',
    text: 'Your decision was sent, but no outcome came back. Use “Try again” below: it is never done twice.',
  },
};

// ProposalCard asks for consent. It shows only what the server says will be
// done, and it is spent after one decision.
export class ProposalCard {
  #proposal;
  #options;
  #timer = 0;
  #shown = '';
  #time = h('span', { class: 'proposal-time' });
  #foot = h('div', { class: 'proposal-foot' });
  #status = h('div', { role: 'status' }); // stands from the start, so that readers hear what comes into it
  #approve;
  #reject;
  #correct = null;
  #yes = null; // the second button of a HIGH act, once the first was pressed
  #phrase = null;
  #busy = false;

  // options: decide(id, decision, phrase), now() in milliseconds, again(), which
  // asks the same once more when the question is closed, and correct(proposal),
  // which opens its call as a form; null where that is not known.
  constructor(proposal, options) {
    this.#options = options;
    this.#proposal = proposal;
    const { preview = {}, tier, code } = proposal;
    const title = `proposal-${proposal.id}`;
    this.element = h(
      'div',
      { class: 'proposal', role: 'group', 'data-tier': tier, 'aria-labelledby': title },
      h(
        'div',
        { class: 'proposal-head' },
        h('span', { class: 'proposal-icon' }, icon(tier === 'MEDIUM' ? 'hand' : 'alert')),
        h(
          'div',
          { class: 'proposal-heading' },
          h('p', { class: 'proposal-tier' }, tiers[tier] ?? tiers.MEDIUM),
          h('h3', { id: title }, figures(preview.title ?? 'Confirm this change')),
        ),
        code ? h('span', { class: 'proposal-code', title: 'The short name of this request' }, code) : null,
      ),
      differences(preview.changed ?? []),
      described(preview.lines ?? []),
      (preview.warnings ?? []).length > 0
        ? h(
            'ul',
            { class: 'proposal-warnings' },
            preview.warnings.map((w) => h('li', {}, icon('alert'), h('span', {}, figures(w)))),
          )
        : null,
      this.#foot,
      this.#status,
    );
    this.element.addEventListener('keydown', (e) => e.key === 'Escape' && this.#back());
  }

  get proposal() {
    return this.#proposal;
  }

  update(proposal, busy) {
    this.#proposal = proposal;
    this.#busy = busy;
    if (proposal.state === 'pending' && this.#left() <= 0) proposal.state = 'expired';
    this.element.dataset.state = proposal.state ?? 'waiting';
    if (this.#shown !== proposal.state) {
      this.#shown = proposal.state;
      if (proposal.state === 'pending' || proposal.state === undefined) this.#question();
      else this.#outcome();
    }
    this.#enable();
  }

  #left() {
    return Date.parse(this.#proposal.expiresAt) - this.#options.now();
  }

  #question() {
    const { tier, code } = this.#proposal;
    const decide = (decision) =>
      this.#options.decide(this.#proposal.id, decision, decision === 'approve' ? this.#phrase?.value.trim() : '');
    // A double click is one act: its second half must not answer what its first half has just asked.
    const once = (act) => (e) => e.detail < 2 && act();
    this.#approve =
      tier === 'HIGH'
        ? button('Approve…', { icon: 'check', class: 'primary', onclick: once(() => this.#sure()) })
        : button('Approve', { icon: 'check', class: 'primary', onclick: once(() => decide('approve')) });
    this.#reject = button('Reject', { class: 'quiet', onclick: once(() => decide('reject')) });
    this.#correct = this.#options.correct
      ? button('Correct…', { icon: 'pencil', class: 'quiet', onclick: () => this.#options.correct(this.#proposal) })
      : null;
    this.#yes = null;
    this.#phrase = null;
    const wanted = this.#wanted();
    let field = null;
    if (tier === 'CRITICAL') {
      const id = `phrase-${this.#proposal.id}`;
      this.#phrase = h('input', {
        id,
        class: 'field',
        type: 'text',
        autocomplete: 'off',
        autocapitalize: 'characters',
        spellcheck: 'false',
        oninput: () => this.#enable(),
        onkeydown: (e) => {
          if (e.key === 'Enter' && !this.#approve.disabled) decide('approve');
        },
      });
      field = h(
        'div',
        { class: 'proposal-phrase' },
        h('label', { for: id }, 'To approve, type ', h('kbd', {}, wanted)),
        this.#phrase,
      );
    }
    const hint =
      tier === 'CRITICAL' || !code
        ? null
        : h(
            'span',
            { class: 'proposal-hint' },
            'or answer ',
            h('kbd', {}, tier === 'MEDIUM' ? 'yes' : `yes ${code}`),
            tier === 'MEDIUM' ? null : '; “yes” alone is not enough',
          );
    this.#foot.replaceChildren(
      ...[
        field,
        h('div', { class: 'proposal-actions' }, this.#approve, this.#reject, this.#correct, hint, this.#time),
      ].filter(Boolean),
    );
    this.#run();
  }

  // What cannot be taken back easily is asked for twice, without typing. The
  // focus goes to the harmless button, so Enter twice does nothing.
  #sure() {
    const { id, preview = {} } = this.#proposal;
    this.#yes = button('Yes, do it', {
      icon: 'check',
      class: 'primary danger',
      onclick: (e) => e.detail < 2 && this.#options.decide(id, 'approve', ''),
    });
    const back = button('Back', { class: 'quiet', onclick: () => this.#back() });
    this.#foot.replaceChildren(
      h(
        'p',
        { class: 'proposal-sure', role: 'alert' },
        icon('alert'),
        h('span', {}, 'Really do this? ', h('strong', {}, preview.title ?? '')),
      ),
      h('div', { class: 'proposal-actions' }, back, this.#yes, this.#time),
    );
    this.#enable();
    back.focus();
  }

  #back() {
    if (this.#phrase) this.#phrase.value = '';
    if (this.#yes && this.#proposal.state === 'pending') {
      this.#question();
      this.#enable();
      this.#approve.focus();
    } else this.#enable();
  }

  #run() {
    this.#tick();
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#tick(), 1000);
  }

  #wanted() {
    return this.#proposal.phrase || `yes ${this.#proposal.code ?? ''}`.trim();
  }

  #enable() {
    if (!this.#approve) return;
    const open = this.#proposal.state === 'pending' && !this.#busy;
    const same = (a, b) => a.trim().replace(/\s+/g, ' ').toLowerCase() === b.toLowerCase();
    this.#approve.disabled = !open || (this.#phrase !== null && !same(this.#phrase.value, this.#wanted()));
    this.#reject.disabled = !open;
    if (this.#correct) this.#correct.disabled = !open;
    if (this.#yes) this.#yes.disabled = !open;
  }

  #tick() {
    if (!this.element.isConnected && this.#time.textContent !== '') return clearInterval(this.#timer);
    const left = this.#left();
    this.#time.textContent = `Expires in ${clock(left)}`;
    this.#time.classList.toggle('soon', left < 60_000);
    if (left <= 0 && this.#proposal.state === 'pending') this.update(this.#proposal, this.#busy);
  }

  #outcome() {
    clearInterval(this.#timer);
    const { icon: drawing, text, again } = outcomes[this.#proposal.state] ?? outcomes.closed;
    const mayAsk = again && this.#options.again;
    this.#yes = null;
    this.#foot.replaceChildren(
      h(
        'p',
        { class: 'proposal-outcome' },
        icon(drawing),
        h('span', {}, text),
        mayAsk ? button('Ask again', { icon: 'retry', class: 'small', onclick: () => this.#options.again() }) : null,
      ),
    );
    this.#status.replaceChildren(h('span', { class: 'visually-hidden' }, text));
  }
}

// Where a value comes from, if the person did not say it.
const origins = { turn: 'from the records', history: 'from the records', assistant: 'the assistant’s choice' };

// differences says what has changed since the person was asked before.
function differences(list) {
  if (list.length === 0) return null;
  return h(
    'div',
    { class: 'proposal-changed', role: 'note' },
    h('p', {}, icon('alert'), h('strong', {}, 'Nothing was done: this has changed since you were asked.')),
    h(
      'ul',
      {},
      list.map(({ label, before, after }) =>
        h(
          'li',
          {},
          `${label}: `,
          before ? ['was ', h('del', {}, figures(before)), ', now '] : 'now ',
          after ? h('ins', {}, figures(after)) : 'gone',
        ),
      ),
    ),
  );
}

// A line of a posting: its side, the account's code and name.
const side = /^(Dr|Cr) (\S+) (.+)$/;

// described shows the lines of a preview, and those of a posting as one.
function described(list) {
  const posted = list.filter((l) => side.test(l.label) && !l.before);
  const rest = list.filter((l) => !posted.includes(l));
  return [rest.length > 0 || posted.length === 0 ? lines(rest) : null, posted.length > 0 ? posting(posted) : null];
}

// posting shows the accounts with what is debited and what is credited.
function posting(list) {
  const sides = [
    ['Dr', 'Debit'],
    ['Cr', 'Credit'],
  ];
  return h(
    'div',
    { class: 'proposal-posting' },
    h(
      'table',
      {},
      h('caption', {}, 'Posting'),
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('th', { scope: 'col' }, 'Account'),
          sides.map(([, name]) => h('th', { scope: 'col' }, name)),
        ),
      ),
      h(
        'tbody',
        {},
        list.map(({ label, after }) => {
          const [, of, code, name] = side.exec(label);
          return h(
            'tr',
            {},
            h('th', { scope: 'row' }, name, ' ', h('small', {}, code)),
            sides.map(([short]) => h('td', { 'data-side': short }, short === of ? figures(after) : null)),
          );
        }),
      ),
    ),
  );
}

// lines shows what was and what will be; the column of old values is there
// only where something has one.
function lines(list) {
  const changes = list.some((l) => l.before);
  return h(
    'div',
    { class: ['proposal-lines', changes && 'changes'] },
    h(
      'table',
      {},
      h(
        'thead',
        { class: changes ? '' : 'visually-hidden' },
        h(
          'tr',
          {},
          h('th', { scope: 'col' }, h('span', { class: 'visually-hidden' }, 'What')),
          changes ? h('th', { scope: 'col' }, 'Now') : null,
          h('th', { scope: 'col' }, 'Then'),
        ),
      ),
      h(
        'tbody',
        {},
        list.map(({ label, before, after, origin }) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, label),
            changes ? h('td', { class: 'was' }, before ? h('del', {}, figures(before)) : null) : null,
            h(
              'td',
              {},
              h('ins', {}, figures(after)),
              origins[origin] ? h('small', { class: 'proposal-origin' }, origins[origin]) : null,
            ),
          ),
        ),
      ),
    ),
  );
}
