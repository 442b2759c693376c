import { h, icon, button, iconButton } from '../dom.js';
import { Rating, reasons, longest } from '../rating.js';

// FeedbackView lets a person rate one answer: two thumbs, and below them, after
// a thumb down, what was wrong. buttons and panel are its elements.
export class FeedbackView {
  #rating;
  #up;
  #down;
  #reason = '';
  #chips;
  #comment;
  #form;
  #status = h('span', { class: 'feedback-said', role: 'status' });
  #undo = h('button', { type: 'button', class: 'link', hidden: true, onclick: () => this.#takeBack() }, 'Undo');

  // rate(said) tells the server; said is what the person said before, or null.
  constructor(rate, said) {
    this.#rating = new Rating({ send: rate, said, changed: () => this.#show() });
    const thumb = (rating, label, drawing) =>
      iconButton(label, drawing, {
        class: 'icon-button small thumb',
        'aria-pressed': 'false',
        onclick: () => this.#choose(rating),
      });
    this.#up = thumb('up', 'Good answer', 'thumb-up');
    this.#down = thumb('down', 'Bad answer', 'thumb-down');
    this.buttons = h(
      'div',
      { class: 'feedback', role: 'group', 'aria-label': 'Rate this answer' },
      this.#up,
      this.#down,
      this.#status,
      this.#undo,
    );

    this.#chips = reasons.map(([reason, words]) =>
      h(
        'button',
        {
          type: 'button',
          class: 'reason',
          'aria-pressed': 'false',
          'data-reason': reason,
          onclick: () => this.#pick(reason),
        },
        words,
      ),
    );
    this.#comment = h('input', {
      class: 'field',
      maxlength: longest,
      'aria-label': 'What was wrong, in your words',
      placeholder: 'In your words, if you like',
    });
    this.#form = h(
      'form',
      {
        class: 'feedback-why',
        'aria-label': 'What was wrong with this answer?',
        hidden: true,
        onsubmit: (e) => this.#submit(e),
        onkeydown: (e) => e.key === 'Escape' && this.#close(e),
      },
      h('p', {}, 'What was wrong with it?'),
      h('div', { class: 'reasons', role: 'group', 'aria-label': 'Reason' }, this.#chips),
      h('div', { class: 'feedback-words' }, this.#comment, button('Send', { class: 'small', type: 'submit' })),
    );
    this.panel = this.#form;
    this.#show();
  }

  // update says whether the answer can be rated at all.
  update(ratable) {
    this.buttons.hidden = !ratable;
    if (!ratable) this.#form.hidden = true;
  }

  #choose(rating) {
    this.#rating.choose(rating);
    if (this.#rating.explaining) this.#chips[0].focus();
  }

  #pick(reason) {
    this.#reason = this.#reason === reason ? '' : reason;
    for (const chip of this.#chips) chip.setAttribute('aria-pressed', String(chip.dataset.reason === this.#reason));
  }

  #submit(event) {
    event.preventDefault();
    this.#rating.explain(this.#reason, this.#comment.value);
    this.#down.focus();
  }

  #takeBack() {
    this.#rating.undo();
    this.#up.focus();
  }

  // The thumb stays; only the question is put away.
  #close(event) {
    event.stopPropagation();
    this.#rating.explaining = false;
    this.#show();
    this.#down.focus();
  }

  #show() {
    const { said, failure, explaining } = this.#rating;
    this.#up.setAttribute('aria-pressed', String(said.rating === 'up'));
    this.#down.setAttribute('aria-pressed', String(said.rating === 'down'));
    this.#form.hidden = !explaining;
    if (said.rating === 'none') {
      this.#pick('');
      this.#comment.value = '';
    }
    const thanked = said.rating !== 'none' && !explaining;
    this.#undo.hidden = !thanked;
    this.#status.replaceChildren(
      failure ? h('span', { class: 'feedback-failed' }, icon('alert'), failure) : thanked ? 'Thank you.' : '',
    );
  }
}
