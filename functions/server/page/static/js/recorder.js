// A recording at the microphone: asked for, measured, ended, given up. No view
// here; what a browser has can be replaced by tests.

const longest = 9.5 * 60_000; // milliseconds; the server takes ten minutes
const shortest = 400;
const bitRate = 32_000; // Opus for speech: 2.3 MB in the longest recording
const still = 0.004; // a level under which a microphone is off or covered
const kinds = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus'];

// Unheard says in a sentence why there is no recording.
export class Unheard extends Error {}

// possible reports whether this browser can record here at all. On an address
// without https there is no microphone.
export function possible(scope = globalThis) {
  return Boolean(scope.navigator?.mediaDevices?.getUserMedia && scope.MediaRecorder);
}

export class Recorder {
  #parts;
  #stream = null;
  #recorder = null;
  #chunks = [];
  #meter = null;
  #timer = 0;
  #peak = 0;
  #began = 0;
  #given = false; // whether it was given up

  constructor(parts = {}) {
    this.#parts = {
      media: globalThis.navigator?.mediaDevices,
      MediaRecorder: globalThis.MediaRecorder,
      meter,
      now: () => performance.now(),
      longest,
      ...parts,
    };
  }

  // start asks for the microphone and records. onLevel(level, ms) is called
  // some times a second, level from 0 to 1; onFull when it has become as long
  // as it may be. It throws an Unheard, and returns false when it was given up
  // while the browser was still asking.
  async start({ onLevel, onFull }) {
    const { media, MediaRecorder, now } = this.#parts;
    let stream;
    try {
      stream = await media.getUserMedia({
        audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true },
      });
    } catch (error) {
      throw new Unheard(reason(error));
    }
    this.#stream = stream;
    if (this.#given) return (this.#release(), false);
    const type = kinds.find((k) => MediaRecorder.isTypeSupported(k));
    this.#recorder = new MediaRecorder(stream, { audioBitsPerSecond: bitRate, ...(type ? { mimeType: type } : {}) });
    this.#recorder.addEventListener('dataavailable', (e) => this.#chunks.push(e.data));
    this.#recorder.start(1000);
    this.#began = now();
    this.#meter = this.#parts.meter(stream, (level) => {
      this.#peak = Math.max(this.#peak, level);
      onLevel(level, now() - this.#began);
    });
    this.#timer = setTimeout(onFull, this.#parts.longest);
    return true;
  }

  // stop ends the recording and returns it as a Blob, or throws an Unheard.
  async stop() {
    const ms = this.#parts.now() - this.#began;
    const recorder = this.#recorder;
    const ended = new Promise((done) => recorder.addEventListener('stop', done, { once: true }));
    if (recorder.state !== 'inactive') recorder.stop();
    else recorder.dispatchEvent(new Event('stop')); // the microphone was unplugged meanwhile
    await ended;
    const measured = this.#meter?.measures ?? false;
    this.#release();
    if (ms < shortest) throw new Unheard('That was too short. Press once to begin and once more when you are done.');
    if (measured && this.#peak < still) throw new Unheard('Nothing was heard. Is the microphone switched off?');
    return new Blob(this.#chunks, { type: recorder.mimeType });
  }

  // cancel gives the recording up, also while the browser still asks.
  cancel() {
    this.#given = true;
    if (this.#recorder && this.#recorder.state !== 'inactive') this.#recorder.stop();
    this.#release();
  }

  #release() {
    clearTimeout(this.#timer);
    this.#meter?.end();
    this.#meter = null;
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#stream = null;
  }
}

function reason({ name }) {
  switch (name) {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'The microphone is blocked. Allow it for this page in your browser, then try again.';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'No microphone was found.';
    case 'NotReadableError':
      return 'Another program is using the microphone.';
  }
  return 'The microphone could not be started.';
}

// meter measures how loud it is, ten times a second.
function meter(stream, onLevel) {
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 1024;
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const timer = setInterval(() => {
    analyser.getFloatTimeDomainData(samples);
    let sum = 0;
    for (const s of samples) sum += s * s;
    onLevel(Math.sqrt(sum / samples.length));
  }, 100);
  return {
    // A context that the browser keeps asleep hears nothing at all.
    get measures() {
      return context.state === 'running';
    },
    end() {
      clearInterval(timer);
      context.close();
    },
  };
}
