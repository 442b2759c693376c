// OpenAI's client for JavaScript against a server of the Responses API, which
// says one line of text and then calls list_extras; see the tests of
// infra/local/model.
import assert from 'node:assert/strict'
import OpenAI from 'openai'
import { check, runAll } from './tap.mjs'

const { url, model } = JSON.parse(process.env.SETTINGS)
const client = new OpenAI({ baseURL: url, apiKey: 'none', maxRetries: 0 })
const parameters = { type: 'object', properties: {}, required: [], additionalProperties: false }
const tools = [{ type: 'function', name: 'list_extras', description: 'Lists the extras of the property.', strict: true, parameters }]
const ask = (input, more = {}) => ({ model, input, tools, store: false, ...more })

// collect streams an answer and returns the client's own sum of it, and the
// names of the events in their order, each once.
async function collect(input) {
  const stream = client.responses.stream(ask(input))
  const names = []
  let number = -1
  for await (const event of stream) {
    assert.equal(event.sequence_number, ++number, event.type)
    if (names.at(-1) !== event.type) names.push(event.type)
  }
  return { names, whole: await stream.finalResponse() }
}

const begun = ['response.created', 'response.in_progress', 'response.output_item.added']

check('a text', async () => {
  const whole = await client.responses.create(ask('Hello'))
  assert.equal(whole.status, 'completed')
  assert.ok(whole.output_text.length > 0 && whole.usage.total_tokens > 0)
  const streamed = await collect('Hello')
  assert.equal(streamed.whole.output[0].content[0].text, whole.output_text) // the sum of a stream has no output_text
  assert.deepEqual(streamed.names, [...begun, 'response.content_part.added', 'response.output_text.delta', 'response.output_text.done',
    'response.content_part.done', 'response.output_item.done', 'response.completed'])
})

check('a call and its result', async () => {
  const input = [{ role: 'user', content: 'List the extras' }]
  const { names, whole } = await collect(input)
  assert.deepEqual(names, [...begun, 'response.function_call_arguments.delta', 'response.function_call_arguments.done',
    'response.output_item.done', 'response.completed'])
  const call = whole.output.find(item => item.type === 'function_call')
  assert.equal(call.name, 'list_extras')
  assert.deepEqual(JSON.parse(call.arguments), {})
  const output = JSON.stringify({ extras: [{ name: 'Sauna' }] })
  const after = await client.responses.create(ask([...input, ...whole.output, { type: 'function_call_output', call_id: call.call_id, output }]))
  assert.match(after.output_text, /Sauna/)
})

check('what is refused', async () => {
  await assert.rejects(client.responses.create(ask([])), OpenAI.BadRequestError)
})

await runAll()
