import test from 'node:test';
import assert from 'node:assert/strict';
import { Draft } from '../static/js/draft.js';
import { Failure } from '../static/js/api.js';

// doors stands for the server: one project, and tools that change it.
function doors() {
  const calls = [];
  const server = {
    code: 'PRJ-A',
    version: 1,
    status: 'draft',
    title: 'Old',
    place: {},
    descriptionBlocks: [],
    images: [],
  };
  return {
    server,
    calls,
    before: null,
    refuse: null,
    ask: null,
    async get() {
      return structuredClone(server);
    },
    async checks(_code, version) {
      return [
        { id: 'title', ok: true },
        { id: 'photos', ok: false, reason: `Too few at ${version}.`, mend: 'Add two.', field: 'images' },
      ];
    },
    async tool(name, args) {
      calls.push([name, args]);
      await this.before?.();
      if (this.refuse) throw this.refuse;
      if (this.ask) return { confirmation: this.ask };
      if (name === 'updateDescriptionBlocks') {
        if (args.version !== server.version)
          throw new Failure('It was changed meanwhile.', { kind: 'problem', status: 409, code: 'changed' });
        server.descriptionBlocks = args.blocks.map((b) => ({ ...b, text: b.text.trim() }));
      } else server[args.field] = args.value ?? args.values;
      server.version++;
      return {
        parts: [
          { kind: 'page', data: { project: 'PRJ-A', version: server.version, status: 'draft', title: server.title } },
        ],
      };
    },
    async decide(_id, decision) {
      if (this.refuse) throw this.refuse;
      if (decision === 'approve') Object.assign(server, { status: 'published', version: server.version + 1 });
      return { result: decision === 'approve' ? { parts: [] } : null };
    },
  };
}

const asked = { id: 'c1', tool: 'publishProject', tier: 'HIGH' };

test('a project is read with what keeps it from being published', async () => {
  const draft = new Draft(doors(), 'PRJ-A');
  let told = 0;
  const off = draft.on(() => told++);
  await Promise.all([draft.load(), draft.load()]);
  assert.equal(draft.page.title, 'Old');
  assert.deepEqual(
    draft.missing.map((c) => [c.reason, c.field]),
    [['Too few at 1.', 'images']],
  );
  assert.ok(told > 0);
  off();
  const before = told;
  await draft.load();
  assert.equal(told, before);
});

test('edits are calls of tools, one after another, and what they made is read', async () => {
  const d = doors();
  const draft = new Draft(d, 'PRJ-A');
  await draft.load();
  const title = draft.setField('title', 'Oak kitchen');
  const tags = draft.setField('tags', ['oak']);
  assert.equal(draft.busy, 2);
  assert.deepEqual(await Promise.all([title, tags]), [true, true]);
  assert.deepEqual(d.calls, [
    ['updateField', { project: 'PRJ-A', field: 'title', value: 'Oak kitchen' }],
    ['updateField', { project: 'PRJ-A', field: 'tags', values: ['oak'] }],
  ]);
  assert.deepEqual([draft.busy, draft.project.version, draft.page.title], [0, 3, 'Oak kitchen']);
});

test("pieces follow edits of this tab, and never take the place of somebody else's", async () => {
  const d = doors();
  const draft = new Draft(d, 'PRJ-A');
  await draft.load();
  const all = [
    draft.setField('title', 'Oak'),
    draft.setBlocks([{ kind: 'heading', text: ' A ' }]),
    draft.setBlocks([{ kind: 'heading', text: 'B' }]),
  ];
  assert.deepEqual(await Promise.all(all), [true, true, true]);
  assert.deepEqual(draft.project.descriptionBlocks, [{ kind: 'heading', text: 'B' }]);
  d.server.descriptionBlocks = [{ kind: 'heading', text: 'of a colleague' }];
  d.server.version++;
  assert.equal(await draft.setBlocks([{ kind: 'heading', text: 'C' }]), false);
  assert.equal(draft.failure.code, 'changed');
  assert.deepEqual(draft.project.descriptionBlocks, [{ kind: 'heading', text: 'of a colleague' }]);
});

test('an edit that fails says why, and the next one goes on', async () => {
  const d = doors();
  const draft = new Draft(d, 'PRJ-A');
  await draft.load();
  d.refuse = new Failure('The title is too long.', { kind: 'problem', status: 400 });
  assert.equal(await draft.setField('title', 'x'), false);
  assert.deepEqual([draft.failure.message, draft.busy, draft.project.title], ['The title is too long.', 0, 'Old']);
  d.refuse = null;
  assert.equal(await draft.setField('title', 'y'), true);
  assert.equal(draft.failure, null);
});

test('a page of an answer is shown until the project is read, and an older one never', async () => {
  const d = doors();
  const draft = new Draft(d, 'PRJ-A');
  await draft.load();
  draft.take({ project: 'PRJ-B', version: 9, title: 'of another' });
  assert.equal(draft.page.title, 'Old');
  Object.assign(d.server, { version: 4, title: 'New' });
  draft.take({ project: 'PRJ-A', version: 4, title: 'New, shortened', missing: ['A photo.'] });
  assert.equal(draft.page.title, 'New, shortened');
  await draft.load();
  assert.equal(draft.page.title, 'New');
  draft.take({ project: 'PRJ-A', version: 3, title: 'Older' });
  assert.equal(draft.page.title, 'New');
});

test('publishing asks first, and is done once', async () => {
  const d = doors();
  d.ask = asked;
  const draft = new Draft(d, 'PRJ-A');
  await draft.load();
  await draft.publish();
  assert.deepEqual([draft.proposal.id, draft.proposal.state, draft.page.status], ['c1', 'pending', 'draft']);
  const first = draft.decide('c1', 'approve');
  assert.equal(await draft.decide('c1', 'approve'), null);
  await first;
  assert.deepEqual([draft.proposal, draft.page.status], [null, 'published']);
});

test('a decision that is refused leaves the question, unless that is settled or asked anew', async () => {
  for (const [refusal, left] of [
    [{ kind: 'network' }, 'c1 pending'],
    [{ kind: 'problem', status: 409, code: 'proposal_expired' }, ''],
    [{ kind: 'problem', status: 409, code: 'proposal_changed', confirmation: { id: 'c2' } }, 'c2 pending'],
  ]) {
    const d = doors();
    d.ask = asked;
    const draft = new Draft(d, 'PRJ-A');
    await draft.load();
    await draft.publish();
    d.refuse = new Failure('No.', refusal);
    await draft.decide('c1', 'approve');
    assert.equal(draft.proposal ? `${draft.proposal.id} ${draft.proposal.state}` : '', left);
    assert.equal(draft.failure.message, 'No.');
  }
});
