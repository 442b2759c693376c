// Signing in against Supabase Auth. The session lives in sessionStorage, which
// survives a reload. A new tab gets it from one that is open, and it ends with the
// last of them, which suits a desk that several people share.

const storageKey = 'bellhop.session';
const margin = 60; // seconds before its end at which a token is renewed

export class SignInError extends Error {}

// SessionEnded says that the person has to sign in again.
export class SessionEnded extends Error {
  constructor() {
    super('Your session has ended. Please sign in again.');
    this.name = 'SessionEnded';
  }
}

export class Auth {
  #url;
  #key;
  #storage;
  #fetch;
  #now;
  #session;
  #renewing = null;
  #tabs;

  // options: url and key of the Supabase project; tabs, by which the tabs of this
  // browser share the session, may be null; storage, fetch and now (in
  // milliseconds) may be replaced by tests.
  constructor({
    url,
    key,
    tabs = null,
    storage = sessionStorage,
    fetch = globalThis.fetch.bind(globalThis),
    now = Date.now,
  }) {
    this.#url = url.replace(/\/+$/, '');
    this.#key = key;
    this.#storage = storage;
    this.#fetch = fetch;
    this.#now = now;
    try {
      this.#session = JSON.parse(storage.getItem(storageKey) ?? 'null');
    } catch {
      this.#session = null;
    }
    this.#tabs = tabs;
    tabs?.present(this.#session !== null);
    tabs?.on('session?', () => this.#session && tabs.tell('session', { session: this.#session }));
    tabs?.on('session', ({ session }) => this.#session && this.#adopt(session));
  }

  // join takes over the session of another tab if this one has none.
  async join() {
    if (this.#session || !this.#tabs) return;
    const found = await this.#tabs.ask('session?', 'session');
    if (!this.#session && found?.session?.user) this.#store(found.session);
  }

  // adopt takes a newer session of the same person.
  #adopt(session) {
    if (session?.user?.id === this.#session.user?.id && session.expires_at > this.#session.expires_at)
      this.#store(session);
  }

  // user is {id, email, name} or null when nobody is signed in.
  get user() {
    const u = this.#session?.user;
    if (!u) return null;
    return { id: u.id, email: u.email ?? '', name: u.user_metadata?.name || u.email || '' };
  }

  async signIn(email, password) {
    let response;
    try {
      response = await this.#post('token?grant_type=password', { email, password });
    } catch {
      throw new SignInError('The sign-in service cannot be reached. Check your connection and try again.');
    }
    if (!response.ok) throw new SignInError(await refusal(response));
    this.#keep(await response.json());
  }

  // token returns a valid access token, renewing it when it is about to end.
  // With renew it is renewed in any case, as after a 401.
  async token({ renew = false } = {}) {
    if (!this.#session) throw new SessionEnded();
    if (!renew && this.#session.expires_at - margin > this.#now() / 1000) return this.#session.access_token;
    // Refresh tokens work once, so parallel callers share one renewal.
    this.#renewing ??= this.#renewOnce().finally(() => (this.#renewing = null));
    await this.#renewing;
    if (!this.#session) throw new SessionEnded();
    return this.#session.access_token;
  }

  // Of several tabs one renews, and the others take over what it got.
  #renewOnce() {
    if (!this.#tabs) return this.#renew();
    const had = this.#session.access_token;
    return this.#tabs.alone(async () => {
      const found = await this.#tabs.ask('session?', 'session');
      if (found) this.#adopt(found.session);
      if (this.#session?.access_token === had) await this.#renew();
    });
  }

  async #renew() {
    const response = await this.#post('token?grant_type=refresh_token', {
      refresh_token: this.#session.refresh_token,
    });
    if (response.ok) return this.#keep(await response.json());
    if (response.status === 400 || response.status === 401 || response.status === 403) {
      this.forget();
      throw new SessionEnded();
    }
    throw new TypeError('renewing the session failed'); // a passing trouble, as a lost network
  }

  // signOut ends the session here at once and tells the server if it can.
  async signOut() {
    const token = this.#session?.access_token;
    this.#tabs?.tell('out', { user: this.#session?.user?.id });
    this.forget();
    if (!token) return;
    try {
      await this.#fetch(`${this.#url}/auth/v1/logout?scope=local`, {
        method: 'POST',
        headers: { apikey: this.#key, Authorization: `Bearer ${token}` },
        keepalive: true,
      });
    } catch {
      // The token ends by itself.
    }
  }

  forget() {
    this.#session = null;
    this.#storage.removeItem(storageKey);
    this.#tabs?.present(false);
  }

  #post(path, body) {
    return this.#fetch(`${this.#url}/auth/v1/${path}`, {
      method: 'POST',
      headers: { apikey: this.#key, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  #keep(answer) {
    const { access_token, refresh_token, expires_in = 3600, user = this.#session?.user } = answer;
    // Counted by our own clock from now on, so a wrong clock does no harm.
    this.#store({ access_token, refresh_token, user, expires_at: this.#now() / 1000 + expires_in });
    this.#tabs?.tell('session', { session: this.#session });
  }

  #store(session) {
    this.#session = session;
    this.#storage.setItem(storageKey, JSON.stringify(session));
    this.#tabs?.present(true);
  }
}

async function refusal(response) {
  if (response.status === 429) return 'Too many attempts. Please wait a minute and try again.';
  if (response.status >= 500) return 'The sign-in service has a problem. Please try again shortly.';
  const body = await response.json().catch(() => ({}));
  const code = body.error_code ?? body.error ?? '';
  if (code === 'email_not_confirmed')
    return 'This e-mail address is not confirmed yet. Use the link in the e-mail that you received.';
  return 'E-mail or password is not right.';
}
