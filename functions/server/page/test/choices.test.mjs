import { test } from 'node:test';
import assert from 'node:assert/strict';
import { Choices } from '../static/js/choices.js';

const schema = {
  properties: {
    room: { type: 'string' },
    name: { type: 'string' },
    rooms: { type: 'array', items: { properties: { extra: {} } } },
  },
};
const table = {
  columns: [{ key: 'name' }, { key: 'code' }],
  rows: [
    ['Coco', 'COCO'],
    ['PINE', 'PINE'],
  ],
};

test('offers what the listing tools find, inner arguments too, and asks once a minute', async () => {
  const asked = [];
  let now = 0;
  const choices = new Choices(
    { room: 'list_room_types', extra: 'list_extras', coupon: 'list_coupons' },
    async (tool) => {
      asked.push(tool);
      if (tool === 'list_extras') throw new Error('the line is dead');
      return { table };
    },
    () => now,
  );
  const options = {
    room: [
      { value: 'COCO', label: 'Coco (COCO)' },
      { value: 'PINE', label: 'PINE' },
    ],
  };
  assert.deepEqual(await choices.of(schema), options);
  assert.deepEqual(await choices.of(schema), options);
  assert.deepEqual(asked, ['list_room_types', 'list_extras']);
  now = 61_000;
  await choices.of(schema);
  assert.equal(asked.length, 4);
});

test('offers nothing of a list that is empty or has no codes', async () => {
  assert.deepEqual(await new Choices({ room: 'x' }, async () => ({ table: null })).of(schema), {});
  assert.deepEqual(
    await new Choices({ room: 'x' }, async () => ({ table: { columns: [{ key: 'a' }], rows: [['1']] } })).of(schema),
    {},
  );
});
