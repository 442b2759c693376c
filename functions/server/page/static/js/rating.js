// What a person says of one answer, and whether the server knows it yet. It
// knows nothing of how it looks.

// What may be said to be wrong, in the server's words and in a person's.
export const reasons = [
  ['wrong', 'It is wrong'],
  ['incomplete', 'Something is missing'],
  ['unclear', 'It is unclear'],
  ['slow', 'It took too long'],
  ['unsafe', 'It is unsafe'],
  ['other', 'Something else'],
];

export const longest = 2000; // letters of a comment

const nothing = { rating: 'none' };

// Rating holds what is said: {rating: 'up'|'down'|'none', reason, comment}.
// Changes are sent one after another and each as a whole, so the last one is
// what the server keeps; what it refuses is taken back here, too.
export class Rating {
  #send;
  #changed;
  #known; // what the server knows
  #last = 0; // number of the last change
  #sending = Promise.resolve();
  said;
  failure = ''; // a sentence for the person, about the last change
  explaining = false; // the person is asked what was wrong

  // send(said) tells the server and may reject; changed() is called whenever
  // there is something new to show. said is what is known from before.
  constructor({ send, changed = () => {}, said = null }) {
    this.#send = send;
    this.#changed = changed;
    this.#known = this.said = said ?? nothing;
  }

  // choose takes a thumb; the thumb that is chosen already takes it back.
  choose(rating) {
    const same = this.said.rating === rating;
    return this.#say(same ? nothing : { rating }, !same && rating === 'down');
  }

  // explain says what was wrong; both may be empty.
  explain(reason, comment = '') {
    const words = comment.trim();
    return this.#say({ rating: 'down', ...(reason ? { reason } : {}), ...(words ? { comment: words } : {}) }, false);
  }

  // undo takes back what was said.
  undo() {
    return this.#say(nothing, false);
  }

  async #say(said, explaining) {
    const change = ++this.#last;
    Object.assign(this, { said, explaining, failure: '' });
    this.#changed();
    const sent = this.#sending.then(async () => {
      if (change !== this.#last) return; // something newer is said already
      await this.#send(said);
      this.#known = said;
    });
    this.#sending = sent.catch(() => {});
    try {
      await sent;
    } catch (error) {
      if (change === this.#last) {
        Object.assign(this, {
          said: this.#known,
          explaining: false,
          failure: error.message || 'That could not be sent.',
        });
        this.#changed();
      }
    }
  }
}
