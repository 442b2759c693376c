// OpenAI's client for JavaScript against the transcribe function; the tests of
// pkg/api/transcribe say what the speech model hears.
import assert from 'node:assert/strict'
import OpenAI, { toFile, APIError, AuthenticationError, BadRequestError, UnprocessableEntityError } from 'openai'
import { check, runAll } from './tap.mjs'

const { url, token, sound, untimed } = JSON.parse(process.env.SETTINGS)
const at = (url, apiKey = token) => new OpenAI({ baseURL: url + '/api/v1', apiKey, maxRetries: 0 })
const file = () => toFile(Buffer.from(sound, 'base64'), 'note.wav')
const write = async (client, more = {}) => client.audio.transcriptions.create({ file: await file(), model: 'whisper-1', ...more })

check('json', async () => {
  const got = await write(at(untimed))
  assert.equal(got.text, 'Is Coco free tonight?')
  assert.deepEqual(got.usage, { type: 'tokens', input_tokens: 30, output_tokens: 20, total_tokens: 50 })
  assert.equal(got.bellhop.source, 'speech')
})

check('text', async () => {
  assert.equal(await write(at(untimed), { response_format: 'text', language: 'en', prompt: 'Coco', temperature: 0 }), 'Is Coco free tonight?')
})

check('vtt and verbose_json with times of segments', async () => {
  assert.match(await write(at(url), { response_format: 'vtt' }), /^WEBVTT\n.*\n00:00:00.000 --> 00:00:02.000\nIs Coco free tonight\?\n\n$/s)
  const got = await write(at(url), { response_format: 'verbose_json', timestamp_granularities: ['segment'] })
  assert.equal(got.text, 'Is Coco free tonight?')
  assert.equal(got.language, 'english')
  assert.equal(got.duration, 1)
  assert.deepEqual(got.segments, [{ id: 0, start: 0, end: 2, text: 'Is Coco free tonight?', avg_logprob: -0.2, no_speech_prob: 0.01 }])
})

check('a stream', async () => {
  let said = '', done
  for await (const event of await write(at(untimed), { stream: true })) {
    if (event.type === 'transcript.text.delta') said += event.delta
    if (event.type === 'transcript.text.done') done = event
  }
  assert.equal(said, 'Is Coco free tonight?')
  assert.equal(done.text, said)
  assert.equal(done.usage.total_tokens, 50)
})

check('what is refused', async () => {
  const refused = (param, code = 'unsupported_parameter') => err =>
    err instanceof BadRequestError && err.param === param && err.code === code && err.message.length > 20
  await assert.rejects(write(at(untimed), { response_format: 'verbose_json' }), refused('response_format'))
  await assert.rejects(write(at(untimed), { response_format: 'diarized_json' }), refused('response_format'))
  await assert.rejects(write(at(url), { response_format: 'verbose_json', timestamp_granularities: ['word', 'segment'] }), refused('timestamp_granularities'))
  await assert.rejects(write(at(untimed), { include: ['logprobs'] }), refused('include'))
  await assert.rejects(write(at(untimed), { stream: true, response_format: 'text' }), refused('stream'))
  await assert.rejects(write(at(untimed), { language: 'klingon' }), refused('language', 'unknown_language'))
  await assert.rejects(at(untimed).audio.transcriptions.create({ file: await toFile(Buffer.from('no sound at all'), 'note.wav'), model: 'whisper-1' }),
    err => err instanceof UnprocessableEntityError && err.code === 'audio_unknown' && err.param === 'file')
  await assert.rejects(write(at(untimed, 'sk-nothing')), err => err instanceof AuthenticationError && err.type === 'authentication_error')
  await assert.rejects(at(untimed).audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'Hello' }), err => err instanceof APIError && err.status === 404)
})

await runAll()
