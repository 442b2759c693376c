import test from 'node:test';
import assert from 'node:assert/strict';
import { Prefs, dress } from '../static/js/prefs.js';
import { Storage } from './fakes.mjs';

test('keeps what somebody likes', () => {
  const storage = new Storage();
  new Prefs(storage).set('look', 'dark');
  assert.equal(new Prefs(storage).get('look'), 'dark');
  assert.equal(new Prefs(storage).get('other', 'as before'), 'as before');
});

test('does without a storage that refuses', () => {
  const broken = {
    getItem() {
      throw new DOMException('no', 'SecurityError');
    },
    setItem() {
      throw new DOMException('no', 'SecurityError');
    },
  };
  const prefs = new Prefs(broken);
  prefs.set('look', 'dark');
  assert.equal(prefs.get('look', ''), '');
});

test('the dark colours are worn by choice or by the system, never on paper', () => {
  const link = {};
  for (const [look, media] of [
    ['dark', 'screen'],
    ['light', 'not all'],
    ['', 'screen and (prefers-color-scheme: dark)'],
    ['odd', 'screen and (prefers-color-scheme: dark)'],
  ]) {
    dress(look, link);
    assert.equal(link.media, media);
  }
});
