// Stand-ins for what a browser has: a storage, and a server that answers from
// a script.

export class Storage {
  #map = new Map();
  room = Infinity;
  get length() {
    return this.#map.size;
  }
  key(i) {
    return [...this.#map.keys()][i] ?? null;
  }
  getItem(k) {
    return this.#map.get(k) ?? null;
  }
  removeItem(k) {
    this.#map.delete(k);
  }
  setItem(k, v) {
    if (String(v).length > this.room) throw new DOMException('full', 'QuotaExceededError');
    this.#map.set(k, String(v));
  }
}

// sse returns a streamed response with these events, [name, data] each.
export function sse(events, { cut = false } = {}) {
  const text = events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join('');
  const body = new ReadableStream({
    start(c) {
      c.enqueue(new TextEncoder().encode(text));
      if (cut) setTimeout(() => c.error(new TypeError('network error')));
      else c.close();
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
}

export function json(status, body, headers = {}) {
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } });
}

// script returns a fetch that answers with the given responses in turn (or
// functions of the request) and keeps the requests.
export function script(...answers) {
  const requests = [];
  const fetch = async (url, init = {}) => {
    const request = {
      url,
      method: init.method,
      headers: init.headers,
      body: init.body ? JSON.parse(init.body) : undefined,
    };
    requests.push(request);
    const answer = answers.shift();
    if (answer === undefined) throw new Error(`unexpected request: ${url}`);
    if (answer instanceof Error) throw answer;
    return typeof answer === 'function' ? answer(request, init) : answer;
  };
  return { fetch, requests };
}
