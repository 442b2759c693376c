import test from 'node:test';
import assert from 'node:assert/strict';
import { Api } from '../static/js/api.js';
import { PhotoUploads, photoType, said } from '../static/js/photos.js';
import { json } from './fakes.mjs';

const file = (name, { type = 'image/jpeg', text = name } = {}) => new File([text], name, { type, lastModified: 1 });

// store answers as the doors of uploads do. complete(name) is what is found in a file.
function setUp({ complete = () => ({ state: 'ready' }), put = async () => {}, attach } = {}) {
  let n = 0;
  const names = new Map();
  const requests = [];
  const attached = [];
  const fetch = async (url, init) => {
    requests.push([init.method, url, init.body ? JSON.parse(init.body) : undefined]);
    if (url === '/api/uploads') {
      const id = `u${++n}`;
      names.set(id, JSON.parse(init.body).name);
      return json(201, { id, uploadUrl: `https://store.example/${id}`, method: 'PUT', headers: {} });
    }
    if (init.method === 'DELETE') return new Response(null, { status: 204 });
    return json(200, complete(names.get(url.split('/')[3])));
  };
  const photos = new PhotoUploads(new Api({ auth: { token: async () => 't' }, fetch }), {
    put,
    attach: attach ?? (async (ids) => ({ images: ids })),
    attached: (project) => attached.push(project.images),
  });
  return { photos, requests, attached };
}

const settled = async (photos) => {
  while (photos.busy) await new Promise((go) => setTimeout(go, 1));
};
const states = (photos) => photos.list.map((p) => `${p.name} ${p.state}`);

test('photos are announced as such, sent, looked at, and attached to the project', async () => {
  const { photos, requests, attached } = setUp();
  const seen = [];
  photos.on(() => seen.push(photos.list[0]?.state));
  photos.add([file('one.jpg')]);
  await settled(photos);
  assert.deepEqual(requests, [
    ['POST', '/api/uploads', { name: 'one.jpg', type: 'image/jpeg', size: 7, purpose: 'photo' }],
    ['POST', '/api/uploads/u1/complete', {}],
  ]);
  assert.deepEqual([photos.added, attached.flat()], [1, ['u1']]);
  assert.deepEqual([...new Set(seen)], ['sending', 'checking', 'attaching', 'ready']);
});

test('forty photos go three at a time, and as many as there is room for', async () => {
  let now = 0;
  let most = 0;
  const { photos, attached } = setUp({
    put: async () => {
      most = Math.max(most, ++now);
      await new Promise((go) => setTimeout(go, 1));
      now--;
    },
  });
  photos.add(
    Array.from({ length: 40 }, (_, i) => file(`${i}.jpg`)),
    30,
  );
  await settled(photos);
  assert.deepEqual([most, photos.added, attached.flat().length], [3, 30, 30]);
  assert.deepEqual(
    [...new Set(photos.list.filter((p) => p.state === 'refused').map((p) => p.reason))],
    ['The project has as many photos as it may have.'],
  );
});

test('the same file is taken once, and says nothing the second time', async () => {
  const { photos, requests } = setUp();
  photos.add([file('one.jpg'), file('one.jpg')]);
  await settled(photos);
  photos.add([file('one.jpg')]);
  assert.deepEqual([photos.list.length, requests.length], [1, 2]);
});

test('what is no photo, empty or damaged says so, and keeps no other back', async () => {
  const { photos, attached } = setUp({
    complete: (name) =>
      name === 'bad.jpg' ? { state: 'refused', reason: 'This photo is damaged.' } : { state: 'ready' },
  });
  photos.add([
    file('a.pdf', { type: 'application/pdf' }),
    file('none.jpg', { text: '' }),
    file('bad.jpg'),
    file('good.heic', { type: '' }),
  ]);
  await settled(photos);
  assert.deepEqual(
    photos.list.map((p) => said(p)),
    [
      'This is not a photo: JPEG, PNG, WebP and HEIC are taken.',
      'This file is empty.',
      'This photo is damaged.',
      'Added',
    ],
  );
  assert.deepEqual(attached.flat(), ['u2']);
});

test('a photo that could not be sent may be sent again; one that is refused may not', async () => {
  let broken = true;
  const { photos } = setUp({
    put: async () => {
      if (broken) throw new Error('The file could not be sent. Please try again.');
    },
  });
  photos.add([file('one.jpg')]);
  await settled(photos);
  const [photo] = photos.list;
  assert.deepEqual([photo.state, photo.again], ['refused', true]);
  broken = false;
  photos.retry(photo);
  await settled(photos);
  assert.equal(photo.state, 'ready');
  photos.retry(photo);
  assert.equal(photo.state, 'ready');
});

test('one upload that a project does not take keeps the others', async () => {
  const refused = Object.assign(new Error('This file is not a photo.'), {
    name: 'Failure',
    status: 422,
    kind: 'problem',
  });
  let first = true;
  const { photos } = setUp({
    attach: async (ids) => {
      // The first call lets all others arrive meanwhile.
      if (first) {
        first = false;
        await new Promise((go) => setTimeout(go, 20));
      }
      if (ids.includes('u3')) throw refused;
      return { images: ids };
    },
  });
  photos.add(['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'].map((name) => file(name)));
  await settled(photos);
  assert.deepEqual(states(photos), ['a.jpg ready', 'b.jpg ready', 'c.jpg refused', 'd.jpg ready']);
  assert.equal(photos.list[2].reason, 'This file is not a photo.');
});

test('a photo that is given up is forgotten by the server, too', async () => {
  let go;
  const { photos, requests, attached } = setUp({
    put: (_to, _blob, signal) =>
      new Promise((_, failed) => {
        go = failed;
        signal.addEventListener('abort', () => failed(new Error('gone')));
      }),
  });
  photos.add([file('one.jpg')]);
  while (!go) await new Promise((r) => setTimeout(r, 1));
  photos.remove(photos.list[0]);
  await new Promise((r) => setTimeout(r, 5));
  assert.deepEqual([photos.list, attached, requests.at(-1).slice(0, 2)], [[], [], ['DELETE', '/api/uploads/u1']]);
});

test('knows photos by their names where browsers do not', () => {
  assert.deepEqual(
    ['a.HEIC', 'b.heif', 'c.JPG', 'd.png', 'e.gif', 'f'].map((name) => photoType({ name, type: '' })),
    ['image/heic', 'image/heif', 'image/jpeg', 'image/png', '', ''],
  );
  assert.equal(photoType({ name: 'photo', type: 'image/webp' }), 'image/webp');
});
