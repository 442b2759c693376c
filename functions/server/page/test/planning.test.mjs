import test from 'node:test';
import assert from 'node:assert/strict';
import { Plans } from '../static/js/planning.js';

test('plans are read once for some seconds, and anew after they were changed', async () => {
  const asked = [];
  const at = { now: 0 };
  const plans = new Plans(
    {
      json: async (path, body) => {
        asked.push([path, body]);
        return { plan: { run: 3 }, options: null };
      },
    },
    () => at.now,
  );
  await Promise.all([plans.of('TR-0001'), plans.of('TR-0001')]);
  assert.deepEqual(asked, [['/api/trips/TR-0001/plan', undefined]]);
  at.now += 6_000;
  await plans.of('TR-0001');
  await plans.act('TR-0001', 'selection', { run: 3, option: 'opt-1' });
  await plans.of('TR-0001');
  assert.deepEqual(
    asked.map(([path]) => path.split('/').at(-1)),
    ['plan', 'plan', 'selection', 'plan'],
  );
});

test('plans are read anew after a change that was refused', async () => {
  const refused = new Error('replaced');
  let reads = 0;
  const plans = new Plans({
    json: async (path, body) => {
      if (body) throw refused;
      return ++reads;
    },
  });
  await plans.of('TR-0001');
  await assert.rejects(plans.act('TR-0001', 'swap', {}), refused);
  assert.equal(await plans.of('TR-0001'), 2);
});

test('cards look again when plans may have changed, as long as they are shown', () => {
  const plans = new Plans({});
  const looked = [];
  plans.watch(() => looked.push('shown') > 0);
  plans.watch(() => looked.push('gone') < 0);
  plans.expire();
  plans.expire();
  assert.deepEqual(looked, ['shown', 'gone', 'shown']);
});
