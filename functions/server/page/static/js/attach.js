// Files that a person hands to an assistant: announced, sent straight to the
// file store, looked at by the server. No view here.

const most = 8; // files of one message
const types = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  md: 'text/markdown',
  txt: 'text/plain',
  json: 'application/json',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

// accepted is what a file dialogue offers; the server decides.
export const accepted = '.pdf,.csv,.tsv,.txt,.md,.json,.xlsx,image/png,image/jpeg,image/webp,image/gif';

// typeOf is a file's media type. Browsers do not know that of every name.
export function typeOf({ name, type }) {
  return type || types[name.split('.').at(-1).toLowerCase()] || 'application/octet-stream';
}

// size shows bytes as people say them: "48 KB", "1.2 MB".
export function size(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 999_500 ? `${Math.round(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

// Attachments are the files of the message that is being written. Each is
// {key, name, size, state, progress, id, what, reason}: state is 'sending' (with
// progress from 0 to 1), 'checking', 'ready' or 'refused'.
export class Attachments {
  #api;
  #put;
  #changed;
  #running = new Map(); // by file: what ends its upload
  list = [];

  // changed is called when anything has; put, which sends bytes, may be replaced
  // by tests.
  constructor(api, changed, put = send) {
    this.#api = api;
    this.#changed = changed;
    this.#put = put;
  }

  // ready are the files that a message can name, and waiting reports whether
  // others are still on their way.
  get ready() {
    return this.list
      .filter((f) => f.state === 'ready')
      .map(({ id, name, what, size: bytes }) => ({ id, name, what, size: bytes }));
  }

  get waiting() {
    return this.list.some((f) => f.state === 'sending' || f.state === 'checking');
  }

  // add uploads a file. It resolves when the file is ready or refused.
  async add(blob) {
    const file = {
      key: crypto.randomUUID(),
      name: blob.name || 'file',
      size: blob.size,
      state: 'sending',
      progress: 0,
      id: '',
      what: '',
      reason: '',
    };
    const full = this.list.length >= most;
    this.list.push(file);
    if (full) return this.#end(file, 'refused', `A message takes ${most} files. Remove one first.`);
    const control = new AbortController();
    this.#running.set(file, control);
    this.#changed();
    try {
      const announced = await this.#api.json('/api/uploads', { name: file.name, type: typeOf(blob), size: blob.size });
      if (control.signal.aborted) return;
      file.id = announced.id;
      await this.#put(announced, blob, control.signal, (progress) => {
        file.progress = progress;
        this.#changed();
      });
      file.state = 'checking';
      this.#changed();
      const found = await this.#api.json(`/api/uploads/${encodeURIComponent(file.id)}/complete`, {});
      if (control.signal.aborted) return this.#forget(file);
      file.name = found.name ?? file.name;
      file.what = found.what ?? '';
      this.#end(file, found.state === 'ready' ? 'ready' : 'refused', found.reason || 'This file cannot be read.');
    } catch (error) {
      if (control.signal.aborted) return this.#forget(file);
      if (error.name === 'SessionEnded') throw error;
      this.#end(file, 'refused', error.status === 404 && !error.code ? 'Files cannot be taken here.' : error.message);
    }
  }

  // keep takes up the files of an earlier message, which still names them.
  keep(files) {
    this.list = files.map((f) => ({ key: f.id, progress: 1, reason: '', state: 'ready', named: true, ...f }));
    this.#changed();
  }

  // remove gives a file up, on the server too unless a message names it.
  remove(file) {
    this.#running.get(file)?.abort();
    this.list = this.list.filter((f) => f !== file);
    if (file.state === 'ready' && !file.named) this.#forget(file);
    this.#changed();
  }

  // clear empties the list once its message was sent.
  clear() {
    for (const control of this.#running.values()) control.abort();
    this.list = [];
    this.#changed();
  }

  #end(file, state, reason) {
    this.#running.delete(file);
    file.state = state;
    file.reason = state === 'ready' ? '' : reason;
    this.#changed();
  }

  // What nobody wants any more goes by itself after a while, should this fail.
  #forget({ id }) {
    if (id) this.#api.json(`/api/uploads/${encodeURIComponent(id)}`, null, { method: 'DELETE' }).catch(() => {});
  }
}

// send puts bytes to the file store. XMLHttpRequest tells how far it is.
export function send({ uploadUrl, method, headers }, blob, signal, onProgress) {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest();
    const broken = () => failed(new Error('The file could not be sent. Please try again.'));
    request.open(method, uploadUrl);
    for (const [name, value] of Object.entries(headers ?? {})) request.setRequestHeader(name, value);
    request.upload.onprogress = (e) => e.lengthComputable && onProgress(e.loaded / e.total);
    request.onload = () => (request.status >= 200 && request.status < 300 ? done() : broken());
    request.onerror = broken;
    request.onabort = broken;
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(blob);
  });
}
