// The doors of the server. Every failure leaves here as a Failure, with a sentence for
// people and a word on whether the same turn may be sent again.

import { readEvents } from './sse.js';
import { SessionEnded } from './auth.js';
import { named } from './files.js';

const patience = 90_000; // milliseconds that a file may take to be made
const silence = 45_000; // heartbeats come every 15 seconds; after three missed ones the line is dead

// Failure has kind ('network' | 'problem' | 'stream'), status, code, message,
// requestId, retryAfter (seconds) and sameTurn: whether a retry should bear
// the same turn id, so that work already done is replayed, not done again.
// confirmation is the question that takes the place of one that is no longer so, and
// report what keeps a project from being published. fields says what is wrong with which
// field of a form: [{field, text}]; parts show how a question is answered.
export class Failure extends Error {
  constructor(
    message,
    {
      kind,
      status = 0,
      code = '',
      requestId = '',
      retryAfter = 0,
      sameTurn = false,
      confirmation = null,
      report = null,
      fields = [],
      parts = [],
    },
  ) {
    super(message);
    Object.assign(this, {
      name: 'Failure',
      kind,
      status,
      code,
      requestId,
      retryAfter,
      sameTurn,
      confirmation,
      report,
      fields,
      parts,
    });
  }
}

export class Api {
  #auth;
  #fetch;
  #skew = 0;

  constructor({ auth, fetch = globalThis.fetch.bind(globalThis) }) {
    this.#auth = auth;
    this.#fetch = fetch;
  }

  // now is the server's time in milliseconds, as far as its Date header tells.
  now() {
    return Date.now() + this.#skew;
  }

  // chat sends a turn and calls onEvent(name, data) for each event. It returns
  // after the terminal event 'complete' and throws a Failure otherwise, a
  // SessionEnded, or an AbortError when signal ends it.
  async chat(assistant, body, how) {
    const path = `/api/chat/${encodeURIComponent(assistant)}`;
    await this.#stream((signal) => this.#post(path, body, signal, 'text/event-stream'), how);
  }

  // follow reads a turn that runs, or has just ended, from its beginning, as chat
  // does. It returns false where there is none.
  async follow(assistant, thread, turn, how) {
    const path = `/api/chat/${encodeURIComponent(assistant)}/${encodeURIComponent(thread)}/stream?turn=${encodeURIComponent(turn)}`;
    return this.#stream((signal) => this.#ask('GET', path, null, signal, 'text/event-stream'), how);
  }

  // stream reads the events of what ask answers with; false for an answer without
  // content.
  async #stream(ask, { signal, onEvent }) {
    const control = new AbortController();
    const stop = () => control.abort(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    let timer;
    let dead = false;
    const alive = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        dead = true;
        control.abort();
      }, silence);
    };
    try {
      alive();
      const response = await ask(control.signal);
      alive();
      if (!response.ok) throw await problem(response);
      if (response.status === 204) return false;
      await this.#consume(response, onEvent, alive);
      return true;
    } catch (error) {
      if (signal.aborted) throw new DOMException('stopped', 'AbortError');
      if (error instanceof Failure || error instanceof SessionEnded) throw error;
      throw lost(dead);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    }
  }

  async #consume(response, onEvent, alive) {
    const type = response.headers.get('Content-Type') ?? '';
    if (type.includes('json')) {
      const answer = await response.json();
      return onEvent('complete', answer);
    }
    for await (const event of readEvents(response.body, alive)) {
      let data;
      try {
        data = JSON.parse(event.data);
      } catch {
        continue; // an event that we do not understand does not end the answer
      }
      if (event.name === 'error') throw streamFailure(data?.error ?? {});
      onEvent(event.name, data);
      if (event.name === 'complete') return;
    }
    // A stream that ends without a terminal event was cut.
    throw lost(false);
  }

  // stop asks the server to end the thread's running turn between two steps.
  async stop(assistant, thread) {
    try {
      const path = `/api/chat/${encodeURIComponent(assistant)}/${encodeURIComponent(thread)}/stop`;
      await this.#post(path, {}, AbortSignal.timeout(5000), 'application/json');
    } catch {
      // The connection is closed as well, so a failure here changes little.
    }
  }

  // json asks a door that answers with one document, and returns it. body null
  // makes it a GET; key names the act, so that it is not done twice when the
  // answer was lost. It throws a Failure or SessionEnded.
  async json(path, body = null, { key = '', method = body === null ? 'GET' : 'POST' } = {}) {
    const response = await this.#answer(
      method,
      path,
      body,
      AbortSignal.timeout(silence),
      'application/json',
      key ? { 'Idempotency-Key': key } : {},
    );
    return response.status === 204 ? null : this.#whole(() => response.json());
  }

  // assistants lists those that the person's organisation has: {name, title,
  // greeting, suggestions}. The first is shown first.
  async assistants() {
    const { data } = await this.json('/api/v1/models');
    return data.map(({ id, bellhop }) => ({ name: id, ...bellhop }));
  }

  // passing asks for something when the page may be gone before the answer
  // comes, and wants none. What becomes of it is the server's business.
  async passing(path, body) {
    try {
      const token = await this.#auth.token();
      await this.#fetch(path, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        keepalive: true,
      });
    } catch {
      // Nobody is there to be told.
    }
  }

  // file asks a door that answers with a file: {blob, name}. body null makes it
  // a GET.
  async file(path, body, otherwise) {
    const response = await this.#answer(
      body === null ? 'GET' : 'POST',
      path,
      body,
      AbortSignal.timeout(patience),
      '*/*',
    );
    return {
      blob: await this.#whole(() => response.blob()),
      name: named(response.headers.get('Content-Disposition'), otherwise),
    };
  }

  // bytes sends a Blob as it is, and returns the document that answers it. An
  // AbortError comes when signal ends it.
  async bytes(path, blob, signal) {
    const response = await this.#answer('POST', path, blob, signal, 'application/json');
    return this.#whole(() => response.json());
  }

  async #answer(...asked) {
    return this.#whole(async () => {
      const response = await this.#ask(...asked);
      if (!response.ok) throw await problem(response);
      return response;
    });
  }

  // whole turns everything that breaks off on the way into a Failure.
  async #whole(read) {
    try {
      return await read();
    } catch (error) {
      if (error instanceof Failure || error instanceof SessionEnded || error.name === 'AbortError') throw error;
      throw lost(false);
    }
  }

  #post(path, body, signal, accept) {
    return this.#ask('POST', path, body, signal, accept);
  }

  async #ask(method, path, body, signal, accept, more = {}) {
    const raw = body instanceof Blob;
    const sent = body === null ? undefined : raw ? body : JSON.stringify(body);
    const send = async (renew) => {
      const token = await this.#auth.token({ renew });
      return this.#fetch(path, {
        method,
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': (raw && body.type) || 'application/json',
          Accept: accept,
          ...more,
        },
        body: sent,
        signal,
        cache: 'no-store',
      });
    };
    let response = await send(false);
    if (response.status === 401) {
      await response.body?.cancel();
      response = await send(true);
      if (response.status === 401) {
        this.#auth.forget();
        throw new SessionEnded();
      }
    }
    const date = Date.parse(response.headers.get('Date') ?? '');
    // The header counts whole seconds; smaller differences mean nothing.
    if (!Number.isNaN(date)) this.#skew = Math.abs(date - Date.now()) > 2000 ? date - Date.now() : 0;
    return response;
  }
}

function lost(dead) {
  const message = dead
    ? 'The answer stopped arriving. Nothing is lost: try again to pick it up.'
    : 'The connection was lost. Nothing is done twice when you try again.';
  return new Failure(message, { kind: 'network', sameTurn: true });
}

function streamFailure({ code = '', message = '', requestId = '' }) {
  return new Failure(message || 'Something went wrong on our side.', { kind: 'stream', code, requestId });
}

// Statuses after which the turn may still be running, or never began.
const passing = new Set([408, 425, 429, 500, 502, 503, 504]);

async function problem(response) {
  const { status } = response;
  const body = await response.json().catch(() => ({}));
  const retryAfter = Number(response.headers.get('Retry-After')) || 0;
  const inFlight = status === 409 && response.headers.has('Retry-After');
  return new Failure(body.detail || body.title || sentence(status), {
    kind: 'problem',
    status,
    code: body.code ?? '',
    requestId: body.requestId ?? response.headers.get('X-Request-Id') ?? '',
    retryAfter,
    sameTurn: inFlight || passing.has(status),
    confirmation: body.confirmation ?? null,
    parts: body.parts ?? [],
    report: body.report ?? null,
    fields: Array.isArray(body.fields) ? body.fields : [],
  });
}

function sentence(status) {
  if (status === 403) return 'You may not do this.';
  if (status === 404) return 'This is not available here.';
  if (status === 413) return 'This chat has grown too long to send. Please start a new one.';
  if (status === 429) return 'That was a lot at once. Please wait a moment.';
  if (status >= 500) return 'The service has a problem. Please try again shortly.';
  return 'The request was not accepted.';
}
