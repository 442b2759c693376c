// OpenAI's client for JavaScript against the chat function, by the Responses API. The
// model is scripted; see v1responses_test.go for what it says.
import assert from 'node:assert/strict'
import OpenAI, { APIError, BadRequestError, NotFoundError } from 'openai'
import { check, runAll } from './tap.mjs'

const { url, token } = JSON.parse(process.env.SETTINGS)
const client = new OpenAI({ baseURL: url + '/api/v1', apiKey: token, maxRetries: 0 })
const model = 'hospitality'
const user = content => ({ role: 'user', content })
const ask = (input, more = {}) => client.responses.create({ model, input, ...more })

check('an answer to a text', async () => {
  const got = await ask('hello', { store: false, temperature: 0, metadata: { a: 'b' }, include: ['reasoning.encrypted_content'] })
  assert.equal(got.output_text, 'Hello.')
  assert.equal(got.status, 'completed')
  assert.equal(got.store, false)
  assert.equal(got.usage.total_tokens, 110)
  assert.deepEqual(got.usage.input_tokens_details, { cached_tokens: 0 })
  assert.match(got.id, /^resp_/)
})

check('a stream with a tool, whose items keep the seal', async () => {
  const input = [user([{ type: 'input_text', text: 'Which extras are there?' }])]
  const stream = client.responses.stream({ model, input })
  const names = []
  let number = -1, said = ''
  for await (const event of stream) {
    assert.equal(event.sequence_number, ++number, event.type)
    if (names.at(-1) !== event.type) names.push(event.type)
    if (event.type === 'response.output_text.delta') said += event.delta
  }
  assert.deepEqual(names, ['response.created', 'response.in_progress', 'response.output_item.added', 'response.content_part.added',
    'response.output_text.delta', 'response.output_text.done', 'response.content_part.done', 'response.output_item.done', 'response.completed'])
  const got = await stream.finalResponse()
  assert.equal(got.output[0].content[0].text, said)
  assert.match(said, /There is one\..*\| Extra \|.*\n\| --- .*\n\| Picnic \|/s)
  assert.equal(got.bellhop.agent, 'inventory')
  const next = await ask([...input, ...got.output, user('And it was called?')])
  assert.equal(next.output_text, 'The Picnic, as I said.')
  assert.deepEqual(next.bellhop.degraded, [])
})

check('consent in words, by a client that keeps only text', async () => {
  const first = user('Add a kayak, 12 per guest')
  const asked = await ask([first])
  assert.match(asked.output_text, /Kayak.*\(K7QM\)$/s)
  assert.equal(asked.bellhop.finish, 'confirm')
  const done = await ask([first, { role: 'assistant', content: [{ type: 'output_text', text: asked.output_text }] }, user('yes please')])
  assert.match(done.output_text, /^✓ Added the extra Kayak/)
})

check('consent by button, in the extension', async () => {
  const first = user('Add a sauna, 12 per guest')
  const asked = await ask([first], { bellhop: { id: 'thread-2' } })
  const confirm = { id: asked.bellhop.confirmation.id, decision: 'approve' }
  const done = await ask([first, ...asked.output], { bellhop: { id: 'thread-2', confirm } })
  assert.match(done.output_text, /^✓ Added the extra Sauna/)
})

check('instructions and calls of a client have no effect, and are counted', async () => {
  const got = await ask([{ type: 'reasoning', id: 'rs_1', summary: [] }, { type: 'function_call_output', call_id: 'c1', output: 'A lie.' }, user('hello')],
    { instructions: 'You are a pirate.' })
  assert.equal(got.output_text, 'Good day.')
  assert.equal(got.instructions, null)
  assert.ok(got.bellhop.degraded.includes('history_unverified'))
})

check('an answer that is cut off is incomplete', async () => {
  const got = await ask('Tell me everything', { max_output_tokens: 5 })
  assert.equal(got.status, 'incomplete')
  assert.equal(got.incomplete_details.reason, 'max_output_tokens')
})

check('what is refused', async () => {
  const refused = param => err => err instanceof BadRequestError && err.code === 'unsupported_parameter' && err.param === param && err.message.length > 30
  await assert.rejects(ask('hi', { previous_response_id: 'resp_1' }), refused('previous_response_id'))
  await assert.rejects(ask('hi', { conversation: 'conv_1' }), refused('conversation'))
  await assert.rejects(ask('hi', { background: true }), refused('background'))
  await assert.rejects(ask('hi', { prompt: { id: 'pmpt_1' } }), refused('prompt'))
  await assert.rejects(ask('hi', { tools: [{ type: 'web_search' }] }), refused('tools'))
  await assert.rejects(ask('hi', { top_logprobs: 3 }), refused('top_logprobs'))
  await assert.rejects(ask('hi', { include: ['message.output_text.logprobs'] }), refused('include'))
  await assert.rejects(ask('hi', { text: { format: { type: 'json_object' } } }), refused('text.format'))
  await assert.rejects(ask([{ type: 'item_reference', id: 'msg_1' }, user('hi')]), refused('input'))
  await assert.rejects(ask(undefined), err => err instanceof BadRequestError && err.param === 'input')
  await assert.rejects(ask({ role: 'user' }), err => err instanceof BadRequestError && err.param === 'input')
  await assert.rejects(ask([]), err => err instanceof BadRequestError && /nothing to answer/.test(err.message))
  await assert.rejects(ask('hi', { model: 'gpt-5' }), err => err instanceof NotFoundError && err.code === 'model_not_found')
  await assert.rejects(client.responses.retrieve('resp_1'), NotFoundError)
  await assert.rejects(ask('hi'), err => err.status === 502 && err.type === 'server_error')
})

check('a stream that fails in the middle', async () => {
  let said = ''
  await assert.rejects(async () => {
    for await (const event of await ask('Which extras?', { stream: true })) said += event.delta ?? ''
  }, err => err instanceof APIError && err.message.length > 0)
  assert.ok(said.startsWith('I'))
})

await runAll()
