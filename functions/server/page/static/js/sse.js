// Server-sent events over fetch. EventSource cannot send a POST or an
// Authorization header, so the stream is read by hand.

// SseParser turns pieces of text, cut anywhere, into events.
export class SseParser {
  #line = '';
  #afterReturn = false;
  #first = true;
  #data = [];
  #name = '';
  #id = '';

  // push adds a piece and returns the events that it completed, each as
  // {name, data, id}. An event without a name is a "message", as in the
  // standard; comments and unknown fields are skipped.
  push(piece) {
    const events = [];
    let text = piece;
    if (this.#first && text !== '') {
      this.#first = false;
      if (text.charCodeAt(0) === 0xfeff) text = text.slice(1);
    }
    let start = 0;
    for (let i = 0; i < text.length; i++) {
      const c = text[i];
      if (c !== '\n' && c !== '\r') {
        this.#afterReturn = false;
        continue;
      }
      // The second half of a CRLF, which may have come with the next piece.
      const half = c === '\n' && this.#afterReturn;
      this.#afterReturn = c === '\r';
      if (!half) {
        const event = this.#take(this.#line + text.slice(start, i));
        if (event) events.push(event);
        this.#line = '';
      }
      start = i + 1;
    }
    this.#line += text.slice(start);
    return events;
  }

  #take(line) {
    if (line === '') return this.#dispatch();
    if (line[0] === ':') return null;
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    let value = colon < 0 ? '' : line.slice(colon + 1);
    if (value[0] === ' ') value = value.slice(1);
    if (field === 'data') this.#data.push(value);
    else if (field === 'event') this.#name = value;
    else if (field === 'id' && !value.includes('\0')) this.#id = value;
    return null;
  }

  #dispatch() {
    const event =
      this.#data.length === 0 ? null : { name: this.#name || 'message', data: this.#data.join('\n'), id: this.#id };
    this.#data = [];
    this.#name = '';
    return event;
  }
}

// readEvents yields the events of a response body until it ends. Bytes of one
// character may come in two pieces. onBytes is called for every piece, also
// for heartbeats, so that a watchdog can tell a slow answer from a dead line.
export async function* readEvents(body, onBytes = () => {}) {
  const reader = body.getReader();
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const parser = new SseParser();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onBytes();
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    // Whoever stops reading early closes the connection with it.
    reader.cancel().catch(() => {});
  }
}
