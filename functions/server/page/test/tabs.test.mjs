import { test } from 'node:test';
import assert from 'node:assert/strict';
import { Tabs } from '../static/js/tabs.js';
import { Auth } from '../static/js/auth.js';
import { dayOf } from '../static/js/format.js';

// browser is what tabs share: a channel, and locks that are held.
function browser() {
  const ears = [];
  const held = [];
  const locks = {
    async request(name, options, work = options) {
      const entry = { name };
      held.push(entry);
      try {
        return await work();
      } finally {
        held.splice(held.indexOf(entry), 1);
      }
    },
    query: async () => ({ held: [...held] }),
  };
  return () => {
    const own = [];
    ears.push(own);
    const channel = {
      addEventListener: (_, hear) => own.push(hear),
      postMessage: (data) =>
        ears
          .filter((e) => e !== own)
          .flat()
          .forEach((hear) => queueMicrotask(() => hear({ data: structuredClone(data) }))),
    };
    return new Tabs({ channel, locks });
  };
}

function storage(session = null) {
  const kept = new Map(session ? [['bellhop.session', JSON.stringify(session)]] : []);
  return { getItem: (k) => kept.get(k) ?? null, setItem: (k, v) => kept.set(k, v), removeItem: (k) => kept.delete(k) };
}

const session = {
  access_token: 'a1',
  refresh_token: 'r1',
  user: { id: 'u1', email: 'maya@example.com' },
  expires_at: 4000,
};

test('a new tab takes the session over from an open one, and nobody waits where there is none', async () => {
  const tab = browser();
  const first = new Auth({ url: 'http://x', key: 'k', tabs: tab(), storage: storage(session) });
  const second = new Auth({ url: 'http://x', key: 'k', tabs: tab(), storage: storage() });
  await second.join();
  assert.equal(second.user.id, first.user.id);
  const alone = new Auth({ url: 'http://x', key: 'k', tabs: browser()(), storage: storage() });
  await alone.join();
  assert.equal(alone.user, null);
});

test('of two tabs whose token ends one renews, since a refresh token works once', async () => {
  const tab = browser();
  const asked = [];
  const fetch = async (_, { body }) => {
    asked.push(JSON.parse(body).refresh_token);
    return new Response(JSON.stringify({ access_token: 'a2', refresh_token: 'r2', expires_in: 3600 }));
  };
  const make = () =>
    new Auth({ url: 'http://x', key: 'k', tabs: tab(), storage: storage(session), fetch, now: () => 3_990_000 });
  const [first, second] = [make(), make()];
  assert.equal(await first.token(), 'a2');
  assert.equal(await second.token(), 'a2');
  assert.deepEqual(asked, ['r1']);
});

test('nobody takes over the session of somebody else', async () => {
  const tab = browser();
  const first = new Auth({ url: 'http://x', key: 'k', tabs: tab(), storage: storage(session) });
  const other = tab();
  other.tell('session', { session: { ...session, user: { id: 'u2' }, access_token: 'a9', expires_at: 9000 } });
  await new Promise(setImmediate);
  assert.equal(first.user.id, 'u1');
});

test('lists are grouped by day', () => {
  const now = new Date(2026, 10, 22, 12).getTime();
  const at = (...when) => dayOf(new Date(...when).getTime(), now);
  assert.deepEqual(
    [at(2026, 10, 22, 1), at(2026, 10, 21, 23), at(2026, 10, 19), at(2026, 9, 3), at(2025, 9, 3)],
    ['Today', 'Yesterday', 'Thursday', 'October', 'October 2025'],
  );
});
