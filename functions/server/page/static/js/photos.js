// Photos of a project on their way: announced, sent straight to the file store, looked
// at by the server, and attached to the project. No view here.

import { send, typeOf } from './attach.js';

const together = 3; // photos that are sent at once
const largest = 15_000_000; // bytes

const kinds = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  heic: 'image/heic',
  heif: 'image/heif',
};

// photoTypes is what a file dialogue offers; the server decides.
export const photoTypes = 'image/jpeg,image/png,image/webp,image/heic,image/heif,.heic,.heif';

// photoType is a photo's media type, or '' for what is none. Browsers do not know that of
// every name.
export function photoType(file) {
  const type = kinds[(file.name ?? '').split('.').at(-1).toLowerCase()] ?? typeOf(file);
  return Object.values(kinds).includes(type) ? type : '';
}

// PhotoUploads are the photos that are being added to one project. Each is {key, name,
// size, state, progress, id, reason, blob, again}: state is 'waiting', 'sending' (with
// progress from 0 to 1), 'checking', 'attaching', 'ready' or 'refused'; again says that
// it may be tried once more.
export class PhotoUploads {
  #api;
  #options;
  #put;
  #running = new Map(); // by photo: what ends its upload
  #listeners = new Set();
  #attaching = null;
  list = [];

  // options: attach(ids), which makes uploads photos of the project and returns it,
  // attached(project), and put, which sends bytes.
  constructor(api, { put = send, ...options }) {
    this.#api = api;
    this.#options = options;
    this.#put = put;
  }

  // on calls changed() when anything has; it returns what ends that.
  on(changed) {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  get busy() {
    return this.list.some((p) => p.state !== 'ready' && p.state !== 'refused');
  }

  // added counts the photos that have become part of the project.
  get added() {
    return this.list.filter((p) => p.state === 'ready').length;
  }

  // add takes photos, as many as there is room for, and each file once.
  add(files, room = Infinity) {
    for (const blob of files) {
      const mark = `${blob.name}/${blob.size}/${blob.lastModified}`;
      if (this.list.some((p) => p.mark === mark && p.state !== 'refused')) continue;
      const photo = {
        key: crypto.randomUUID(),
        mark,
        name: blob.name || 'photo',
        size: blob.size,
        state: 'waiting',
        progress: 0,
        id: '',
        reason: '',
        again: false,
        blob,
      };
      const used = this.list.filter((p) => p.state !== 'refused' && p.state !== 'ready').length;
      this.list = this.list.filter((p) => p.mark !== mark); // an earlier attempt makes place
      this.list.push(photo);
      if (used >= room) this.#refuse(photo, 'The project has as many photos as it may have.');
      else if (!photoType(blob)) this.#refuse(photo, 'This is not a photo: JPEG, PNG, WebP and HEIC are taken.');
      else if (blob.size === 0) this.#refuse(photo, 'This file is empty.');
      else if (blob.size > largest) this.#refuse(photo, 'A photo may have at most 15 MB.');
    }
    this.#next();
    this.#tell();
  }

  // retry sends a photo once more that could not be sent.
  retry(photo) {
    if (photo.state !== 'refused' || !photo.again) return;
    Object.assign(photo, { state: 'waiting', progress: 0, reason: '', id: '', again: false });
    this.#next();
    this.#tell();
  }

  // remove gives a photo up that is not part of the project yet.
  remove(photo) {
    this.#running.get(photo)?.abort();
    this.list = this.list.filter((p) => p !== photo);
    this.#next();
    this.#tell();
  }

  #next() {
    for (const photo of this.list) {
      if (this.#running.size >= together) return;
      if (photo.state === 'waiting') this.#send(photo);
    }
  }

  async #send(photo) {
    const control = new AbortController();
    this.#running.set(photo, control);
    photo.state = 'sending';
    try {
      const announced = await this.#api.json('/api/uploads', {
        name: photo.name,
        type: photoType(photo.blob),
        size: photo.size,
        purpose: 'photo',
      });
      photo.id = announced.id;
      if (control.signal.aborted) throw new DOMException('given up', 'AbortError');
      await this.#put(announced, photo.blob, control.signal, (progress) => {
        photo.progress = progress;
        this.#tell();
      });
      photo.state = 'checking';
      this.#tell();
      const found = await this.#api.json(`/api/uploads/${encodeURIComponent(photo.id)}/complete`, {});
      if (control.signal.aborted) throw new DOMException('given up', 'AbortError');
      if (found.state === 'refused') this.#refuse(photo, found.reason || 'This photo cannot be read.');
      else photo.state = 'attaching';
    } catch (error) {
      if (control.signal.aborted) this.#forget(photo);
      else
        this.#refuse(
          photo,
          error.status === 404 && !error.code ? 'Photos cannot be taken here.' : error.message,
          !(error.status >= 400 && error.status < 500),
        );
    }
    this.#running.delete(photo);
    this.#next();
    this.#tell();
    this.#attach();
  }

  // attach hands over all that have arrived, one call at a time.
  async #attach() {
    const arrived = this.list.filter((p) => p.state === 'attaching');
    if (arrived.length === 0 || this.#attaching) return;
    this.#attaching = arrived;
    try {
      const project = await this.#options.attach(arrived.map((p) => p.id));
      for (const photo of arrived) Object.assign(photo, { state: 'ready', blob: null });
      this.#options.attached(project);
    } catch (error) {
      // Where one of several is refused, the others are handed over by themselves.
      if (arrived.length > 1 && error.status >= 400 && error.status < 500) await this.#singly(arrived);
      else for (const photo of arrived) this.#refuse(photo, error.message, error.kind === 'network');
    }
    this.#attaching = null;
    this.#tell();
    this.#attach();
  }

  async #singly(photos) {
    for (const photo of photos) {
      try {
        const project = await this.#options.attach([photo.id]);
        Object.assign(photo, { state: 'ready', blob: null });
        this.#options.attached(project);
      } catch (error) {
        this.#refuse(photo, error.message);
      }
    }
  }

  #refuse(photo, reason, again = false) {
    Object.assign(photo, { state: 'refused', reason, again });
  }

  // What nobody wants any more goes by itself after a while, should this fail.
  #forget({ id }) {
    if (id) this.#api.json(`/api/uploads/${encodeURIComponent(id)}`, null, { method: 'DELETE' }).catch(() => {});
  }

  #tell() {
    for (const changed of this.#listeners) changed();
  }
}

// said says in words how far a photo is.
export function said({ state, reason, progress }) {
  switch (state) {
    case 'waiting':
      return 'Waiting';
    case 'sending':
      return `${Math.round(progress * 100)} %`;
    case 'checking':
      return 'Looking at it…';
    case 'attaching':
      return 'Adding it…';
    case 'refused':
      return reason;
    default:
      return 'Added';
  }
}
