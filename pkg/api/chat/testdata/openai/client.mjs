// OpenAI's client for JavaScript against the chat function. The model is
// scripted; see completions_test.go for what it says.
import assert from 'node:assert/strict'
import OpenAI, { APIError, AuthenticationError, BadRequestError, NotFoundError } from 'openai'
import { check, runAll } from './tap.mjs'

const { url, token } = JSON.parse(process.env.SETTINGS)
const client = new OpenAI({ baseURL: url + '/api/v1', apiKey: token, maxRetries: 0 })
const model = 'hospitality'
const user = content => ({ role: 'user', content })
const ask = (messages, more = {}) => client.chat.completions.create({ model, messages, ...more })

check('the models', async () => {
  const ids = []
  for await (const m of client.models.list()) ids.push(m.id)
  assert.deepEqual(ids, [model])
  assert.equal((await client.models.retrieve(model)).owned_by, 'bellhop')
})

check('an answer', async () => {
  const got = await ask([user('hello')])
  assert.equal(got.choices[0].message.content, 'Hello.')
  assert.equal(got.choices[0].finish_reason, 'stop')
  assert.equal(got.usage.total_tokens, 110)
})

check('a stream with a tool, whose collected message keeps its seal', async () => {
  const messages = [user('Which extras are there?')]
  const stream = client.chat.completions.stream({ model, messages, stream_options: { include_usage: true } })
  const said = []
  stream.on('content', piece => said.push(piece))
  const got = await stream.finalChatCompletion()
  const message = got.choices[0].message
  assert.equal(said.join(''), message.content)
  assert.match(message.content, /There is one\..*\| Extra \|.*\n\| --- .*\n\| Picnic \|/s)
  assert.equal(message.bellhop.agent, 'inventory')
  assert.ok(got.usage.total_tokens > 0)
  const next = await ask([...messages, message, user('And it was called?')])
  assert.equal(next.choices[0].message.content, 'The Picnic, as I said.')
  assert.deepEqual(next.choices[0].message.bellhop.degraded, [])
})

check('consent in words, by a client that keeps only text', async () => {
  const messages = [user('Add a kayak, 12 per guest')]
  const asked = (await ask(messages)).choices[0].message
  assert.match(asked.content, /Kayak.*\(K7QM\)$/s)
  assert.equal(asked.bellhop.finish, 'confirm')
  const done = await ask([...messages, { role: 'assistant', content: asked.content }, user('yes please')])
  assert.match(done.choices[0].message.content, /^✓ Added the extra Kayak/)
})

check('consent by button, in the extension', async () => {
  const messages = [user('Add a sauna, 12 per guest')]
  const bellhop = { id: 'thread-1' }
  const asked = (await ask(messages, { bellhop })).choices[0].message
  const confirm = { id: asked.bellhop.confirmation.id, decision: 'approve' }
  const done = await ask([...messages, asked], { bellhop: { ...bellhop, confirm } })
  assert.match(done.choices[0].message.content, /^✓ Added the extra Sauna/)
})

check('errors', async () => {
  await assert.rejects(ask([user('hi')], { model: 'gpt-4o' }), err => err instanceof NotFoundError && err.code === 'model_not_found' && err.param === 'model')
  await assert.rejects(ask([user('hi')], { n: 2 }), err => err instanceof BadRequestError && err.code === 'unsupported_parameter')
  const nobody = new OpenAI({ baseURL: url + '/api/v1', apiKey: 'sk-nothing', maxRetries: 0 })
  await assert.rejects(nobody.models.list(), err => err instanceof AuthenticationError && err.type === 'authentication_error')
  await assert.rejects(ask([user('hi')]), err => err.status === 502 && err.type === 'server_error')
})

check('a stream that fails in the middle', async () => {
  const stream = await ask([user('Which extras?')], { stream: true })
  let said = ''
  await assert.rejects(async () => {
    for await (const chunk of stream) said += chunk.choices[0]?.delta.content ?? ''
  }, err => err instanceof APIError && err.message.length > 0)
  assert.ok(said.startsWith('I'))
})

await runAll()
