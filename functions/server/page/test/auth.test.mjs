import test from 'node:test';
import assert from 'node:assert/strict';
import { Auth, SessionEnded, SignInError } from '../static/js/auth.js';
import { Storage, json, script } from './fakes.mjs';

const grant = (n) =>
  json(200, {
    access_token: `a${n}`,
    refresh_token: `r${n}`,
    expires_in: 3600,
    user: { id: 'u1', email: 'maya@example.com', user_metadata: { name: 'Maya' } },
  });

function setUp(...answers) {
  const clock = { now: 1_000_000_000 };
  const storage = new Storage();
  const { fetch, requests } = script(...answers);
  const open = () => new Auth({ url: 'http://auth.example/', key: 'pk', storage, fetch, now: () => clock.now });
  return { auth: open(), open, clock, requests, storage };
}

test('signs in with the publishable key and survives a reload', async () => {
  const { auth, open, requests } = setUp(grant(1));
  await auth.signIn('maya@example.com', 'secret');
  assert.equal(requests[0].url, 'http://auth.example/auth/v1/token?grant_type=password');
  assert.equal(requests[0].headers.apikey, 'pk');
  assert.deepEqual(requests[0].body, { email: 'maya@example.com', password: 'secret' });
  assert.deepEqual(open().user, { id: 'u1', email: 'maya@example.com', name: 'Maya' });
  assert.equal(await open().token(), 'a1');
});

test('says in words why signing in failed', async () => {
  const { auth } = setUp(json(400, { error_code: 'invalid_credentials' }), json(429, {}), new TypeError('offline'));
  await assert.rejects(auth.signIn('a', 'b'), (e) => e instanceof SignInError && /not right/.test(e.message));
  await assert.rejects(auth.signIn('a', 'b'), /Too many attempts/);
  await assert.rejects(auth.signIn('a', 'b'), /cannot be reached/);
  assert.equal(auth.user, null);
});

test('renews a token that is about to end, once for all who wait', async () => {
  const { auth, clock, requests } = setUp(grant(1), grant(2));
  await auth.signIn('a', 'b');
  clock.now += 3550 * 1000;
  assert.deepEqual(await Promise.all([auth.token(), auth.token()]), ['a2', 'a2']);
  assert.equal(requests.length, 2);
  assert.deepEqual(requests[1].body, { refresh_token: 'r1' });
});

test('a refused renewal ends the session, a lost network does not', async () => {
  const { auth } = setUp(grant(1), new TypeError('offline'), json(502, {}), json(400, { error: 'invalid_grant' }));
  await auth.signIn('a', 'b');
  await assert.rejects(auth.token({ renew: true }), TypeError);
  await assert.rejects(auth.token({ renew: true }), TypeError);
  assert.equal(auth.user.id, 'u1');
  await assert.rejects(auth.token({ renew: true }), SessionEnded);
  assert.equal(auth.user, null);
});

test('signing out forgets the session even when the server is away', async () => {
  const { auth, storage, requests } = setUp(grant(1), new TypeError('offline'));
  await auth.signIn('a', 'b');
  await auth.signOut();
  assert.equal(storage.length, 0);
  assert.equal(requests[1].headers.Authorization, 'Bearer a1');
  await assert.rejects(auth.token(), SessionEnded);
});
