// The projects of an organisation, as the server lists, loads and changes them, and
// the profile of the business that did them.

import { Draft } from './draft.js';
import { PhotoUploads } from './photos.js';

const early = 30_000; // milliseconds before its end at which an address is asked for anew

export class Projects {
  #api;
  #assistant;
  #put;
  #drafts = new Map();
  #uploads = new Map();
  #links = new Map(); // by project, photo and width: {until, address}

  // assistant is the one whose tools change projects. put, which sends the bytes of a
  // photo, may be replaced by tests.
  constructor(api, assistant, put) {
    this.#api = api;
    this.#assistant = assistant;
    this.#put = put;
  }

  async list() {
    return (await this.#api.json('/api/projects')).projects ?? [];
  }

  async get(code) {
    return projectOf(await this.#api.json(address(code)));
  }

  // create makes an empty project. With the same key it makes one only.
  async create(key, title = '') {
    return projectOf(await this.#api.json('/api/projects', title ? { title } : {}, { key }));
  }

  async archive(code, archived) {
    return projectOf(await this.#api.json(`${address(code)}/archive`, { archived }));
  }

  // attach makes uploaded files photos of a project, behind the others.
  async attach(code, uploads) {
    return projectOf(await this.#api.json(`${address(code)}/images`, { uploads }));
  }

  // checks returns what has to be so before a project may be published: a list of {id, ok,
  // reason, mend, field}.
  async checks(code, version) {
    const { report } = await this.#api.json(`${address(code)}/publish`, { version, dryRun: true }).catch((error) => {
      if (error.report) return error;
      throw error;
    });
    return report.rules ?? [];
  }

  // conversation returns the id of a project's one conversation, which is made where
  // there is none.
  async conversation(code) {
    const { conversation } = await this.#api.json(
      `/api/conversations/by-project/${encodeURIComponent(code)}?assistant=${encodeURIComponent(this.#assistant)}`,
    );
    return conversation.id;
  }

  // tool runs a tool of the assistant. Where the line breaks it is asked once more,
  // under the same key.
  async tool(name, args) {
    const key = crypto.randomUUID();
    const ask = () =>
      this.#api.json(`/api/tools/${encodeURIComponent(this.#assistant)}/${encodeURIComponent(name)}`, args, { key });
    try {
      return await ask();
    } catch (error) {
      if (error.kind !== 'network') throw error;
      return ask();
    }
  }

  decide(id, decision, phrase = '') {
    return this.#api.json(`/api/confirmations/${encodeURIComponent(id)}`, { decision, ...(phrase ? { phrase } : {}) });
  }

  // link returns an address from which a photo can be fetched for some minutes.
  link(code, image, width) {
    const name = `${code}/${image}/${width}`;
    const known = this.#links.get(name);
    if (known && known.until > this.#api.now()) return known.address;
    const found = { until: Infinity, address: null };
    found.address = this.#api.json(`${address(code)}/images/${encodeURIComponent(image)}?width=${width}`).then(
      ({ url, expiresIn }) => {
        found.until = this.#api.now() + expiresIn * 1000 - early;
        return url;
      },
      (error) => {
        this.#links.delete(name);
        throw error;
      },
    );
    this.#links.set(name, found);
    return found.address;
  }

  // draft and photos return the one state of a project in this tab.
  draft(code) {
    return known(this.#drafts, code, () => new Draft(this, code));
  }

  photos(code) {
    return known(
      this.#uploads,
      code,
      () =>
        new PhotoUploads(this.#api, {
          attach: (ids) => this.attach(code, ids),
          attached: (project) => this.draft(code).have(project),
          put: this.#put,
        }),
    );
  }

  async business() {
    return profileOf(await this.#api.json('/api/business-profile'));
  }

  async saveBusiness(profile) {
    return profileOf(await this.#api.json('/api/business-profile', profile, { method: 'PUT' }));
  }
}

const address = (code) => `/api/projects/${encodeURIComponent(code)}`;
const projectOf = (answer) => answer.project ?? answer;
const profileOf = (answer) => answer.profile ?? answer;

function known(map, name, make) {
  if (!map.has(name)) map.set(name, make());
  return map.get(name);
}
