import test from 'node:test';
import assert from 'node:assert/strict';
import { Recorder, Unheard, possible } from '../static/js/recorder.js';

function parts({ refusal = '', level = 0.1, measures = true, ms = 2000, longest = 60_000 } = {}) {
  const seen = { stopped: 0, ended: 0, time: 0, levels: [] };
  const track = { stop: () => seen.stopped++ };
  class Fake extends EventTarget {
    static isTypeSupported(kind) {
      return kind === 'audio/mp4';
    }
    state = 'recording';
    constructor(_stream, { mimeType }) {
      super();
      this.mimeType = mimeType;
    }
    start() {}
    stop() {
      this.state = 'inactive';
      queueMicrotask(() => {
        this.dispatchEvent(Object.assign(new Event('dataavailable'), { data: new Blob(['sound']) }));
        this.dispatchEvent(new Event('stop'));
      });
    }
  }
  return [
    {
      media: {
        getUserMedia: async () => {
          if (refusal) throw new DOMException('no', refusal);
          return { getTracks: () => [track] };
        },
      },
      MediaRecorder: Fake,
      longest,
      meter: (_stream, onLevel) => {
        seen.time = ms;
        onLevel(level);
        return { measures, end: () => seen.ended++ };
      },
      now: () => seen.time,
    },
    seen,
  ];
}
const quiet = { onLevel() {}, onFull() {} };

test('gives what was said, in a kind that the browser has, and lets go of the microphone', async () => {
  const [own, seen] = parts();
  const r = new Recorder(own);
  assert.equal(await r.start({ ...quiet, onLevel: (...l) => seen.levels.push(l) }), true);
  const blob = await r.stop();
  assert.equal(blob.type, 'audio/mp4');
  assert.equal(await blob.text(), 'sound');
  assert.deepEqual(seen.levels, [[0.1, 2000]]);
  assert.deepEqual([seen.stopped, seen.ended], [1, 1]);
});

test('says why there is no recording', async () => {
  for (const [refusal, words] of [
    ['NotAllowedError', /blocked/],
    ['NotFoundError', /No microphone/],
    ['NotReadableError', /Another program/],
    ['AbortError', /could not be started/],
  ]) {
    const [own] = parts({ refusal });
    await assert.rejects(
      new Recorder(own).start(quiet),
      (e) => e instanceof Unheard && words.test(e.message),
      refusal,
    );
  }
});

test('is not fooled by a covered or a short recording, nor by a meter that sleeps', async () => {
  const record = async (given) => {
    const [own, seen] = parts(given);
    const r = new Recorder(own);
    await r.start(quiet);
    const result = await r.stop().catch((e) => e.message);
    assert.equal(seen.stopped, 1);
    return typeof result === 'string' ? result : 'sound';
  };
  assert.match(await record({ level: 0.001 }), /Nothing was heard/);
  assert.match(await record({ ms: 100 }), /too short/);
  assert.equal(await record({ level: 0, measures: false }), 'sound');
});

test('ends by itself when it is as long as it may be', async () => {
  const [own] = parts({ longest: 1 });
  await new Promise((full) => new Recorder(own).start({ ...quiet, onFull: full }));
});

test('lets go when it is given up, before or after the browser has asked', async () => {
  const [own, seen] = parts();
  const early = new Recorder(own);
  const asked = early.start(quiet);
  early.cancel();
  assert.equal(await asked, false);
  const late = new Recorder(own);
  await late.start(quiet);
  late.cancel();
  assert.ok(seen.stopped >= 2);
});

test('is offered only where there is a microphone', () => {
  assert.equal(possible({ navigator: {} }), false);
  assert.equal(possible({ navigator: { mediaDevices: { getUserMedia() {} } }, MediaRecorder: class {} }), true);
});
