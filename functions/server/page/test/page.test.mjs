import test from 'node:test';
import assert from 'node:assert/strict';
import {
  added,
  blankBlock,
  heroOf,
  lastPage,
  limits,
  moved,
  pageOf,
  publicLink,
  rest,
  shownPlace,
  standing,
  whole,
} from '../static/js/page.js';
import { changedProfile, digits, siteOf } from '../static/js/business.js';

const photo = (id, more = {}) => ({ id, state: 'ready', ...more });

test('a place is shown as coarsely as is allowed, and never with its street', () => {
  const place = {
    street: '14 Rosewood Lane',
    district: 'Headingley',
    city: 'Leeds',
    region: 'Yorkshire',
    country: 'United Kingdom',
  };
  assert.deepEqual(
    ['none', 'country', 'region', 'city', 'district', ''].map((d) => shownPlace(place, d)),
    ['', 'United Kingdom', 'Yorkshire, United Kingdom', 'Leeds, Yorkshire', 'Headingley, Leeds', 'Leeds, Yorkshire'],
  );
  assert.ok(
    !JSON.stringify(pageOf({ code: 'P', version: 1, status: 'draft', place, locationDetail: 'district' })).includes(
      'Rosewood',
    ),
  );
  assert.equal(shownPlace(undefined, 'city'), '');
});

test('the photo at the top is the chosen one that can be shown, and the others follow the pieces', () => {
  const photos = [
    photo('a', { state: 'reading', hero: true }),
    photo('b'),
    photo('c', { hero: true }),
    photo('d'),
    photo('e'),
  ];
  assert.equal(heroOf(photos).id, 'c');
  assert.equal(heroOf(photos.slice(0, 2)).id, 'b');
  assert.equal(heroOf([]), null);
  assert.deepEqual(
    rest({
      photos,
      blocks: [
        { kind: 'gallery', items: ['d'] },
        { kind: 'list', items: ['e'] },
      ],
    }).map((p) => p.id),
    ['b', 'e'],
  );
});

test('entries of a list are added once each, tidied, and only so many', () => {
  assert.deepEqual(added(['oak'], ' Oak,  brown   slate; brass\n'), ['oak', 'brown slate', 'brass']);
  assert.equal(
    added(
      Array.from({ length: 29 }, (_, i) => `m${i}`),
      'a, b, c',
    ).length,
    limits.list,
  );
  assert.equal(added([], 'x'.repeat(100))[0].length, limits.entry);
});

test('an entry is moved, and not beyond an end', () => {
  const list = ['a', 'b', 'c'];
  assert.deepEqual(
    [moved(list, 0, 2), moved(list, 2, 0)],
    [
      ['b', 'c', 'a'],
      ['c', 'a', 'b'],
    ],
  );
  for (const [from, to] of [
    [0, 3],
    [-1, 0],
    [1, 1],
  ])
    assert.equal(moved(list, from, to), list);
});

test('a piece that says nothing yet is not sent', () => {
  assert.deepEqual(
    whole([
      { kind: 'heading', text: '  ' },
      { kind: 'paragraph', text: ' Words. ' },
      { kind: 'list', items: [' ', ' a '] },
      { kind: 'list', items: [] },
      { kind: 'gallery', items: [] },
      { kind: 'comparison', items: [undefined, 'b'] },
      { kind: 'comparison', items: ['b', 'b'] },
      { kind: 'comparison', items: ['a', 'b'] },
    ]),
    [
      { kind: 'paragraph', text: 'Words.' },
      { kind: 'list', items: ['a'] },
      { kind: 'comparison', items: ['a', 'b'] },
    ],
  );
});

test('a comparison begins with the photos before and after', () => {
  const photos = [
    photo('a', { stage: 'after' }),
    photo('x', { stage: 'before', state: 'refused' }),
    photo('b', { stage: 'before' }),
  ];
  assert.deepEqual(blankBlock('comparison', photos), { kind: 'comparison', items: ['b', 'a'] });
  assert.deepEqual(blankBlock('comparison', [photo('a')]), { kind: 'comparison', items: ['a'] });
  assert.deepEqual(blankBlock('quote'), { kind: 'quote', text: '' });
});

test('of the pages of an answer the last one is shown, if one was to be seen', () => {
  const page = (version, open = false) => ({ kind: 'page', data: { version, open } });
  const other = { kind: 'photos', data: {} };
  assert.deepEqual(lastPage([page(1), other, page(2)]), [other]);
  assert.deepEqual(
    lastPage([page(1, true), other, page(2)]).map((p) => p.data.version),
    [undefined, 2],
  );
  assert.deepEqual(lastPage([other]), [other]);
});

test('a page is linked to at this server, or over https', () => {
  const base = 'http://127.0.0.1:8080/#/portfolio';
  assert.equal(publicLink('/p/dale/oak', base), 'http://127.0.0.1:8080/p/dale/oak');
  assert.equal(publicLink('https://dale.example/p/oak', base), 'https://dale.example/p/oak');
  for (const bad of [
    '',
    'javascript:alert(1)',
    'http://elsewhere.example/',
    '//elsewhere.example/x',
    'data:text/html,x',
  ])
    assert.equal(publicLink(bad, base), '', bad);
});

test('a project of the list says how far it is', () => {
  assert.deepEqual(
    [
      standing({ status: 'draft', phase: 'photos' }),
      standing({ status: 'archived', phase: 'review' }),
      standing({ status: 'published', phase: 'published' }),
      standing({ status: 'draft', phase: 'new' }),
    ],
    ['Photos are missing', 'Archived', 'Published', 'Draft'],
  );
});

test('a profile is sent whole, with digits for WhatsApp and an address over https', () => {
  const sent = changedProfile(
    { version: 3, name: 'Old', logo: 'l', logoSizes: [1] },
    { name: ' Dale ', whatsApp: '+44 7700 900123', website: 'dale.example', about: '' },
    '',
  );
  assert.deepEqual(sent, {
    version: 3,
    name: 'Dale',
    whatsApp: '447700900123',
    website: 'https://dale.example',
    about: '',
    logo: '',
  });
  assert.deepEqual([digits('0044 7700'), digits('')], ['447700', '']);
});

test('the address of pages is made of the name', () => {
  assert.deepEqual(['Dale Joinery & Sons', 'Café Ñandú’s', '  ', 'x'.repeat(70)].map(siteOf), [
    'dale-joinery-sons',
    'cafe-nandus',
    '',
    'x'.repeat(60),
  ]);
});
