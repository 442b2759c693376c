// AG-UI's own client against the chat function. The model is scripted; see
// agui_test.go for what it says.
import assert from 'node:assert/strict'
import { HttpAgent } from '@ag-ui/client'
import { check, runAll } from './tap.mjs'

const { url, token } = JSON.parse(process.env.SETTINGS)

function newAgent(threadId) {
  return new HttpAgent({ url: url + '/api/chat/hospitality', threadId, headers: { Authorization: 'Bearer ' + token } })
}

let ids = 0

// ask says a text and returns what came, by type.
async function ask(agent, text, run = {}) {
  if (text) agent.addMessage({ id: 'user-' + ++ids, role: 'user', content: text })
  const seen = { custom: {}, events: [] }
  const subscriber = {
    onEvent: ({ event }) => { seen.events.push(event) },
    onCustomEvent: ({ event }) => { (seen.custom[event.name] ??= []).push(event.value) },
    onRunFinishedEvent: ({ event, outcome, interrupts }) => { seen.finished = event },
    onRunErrorEvent: ({ event }) => { seen.error = event },
  }
  try {
    await agent.runAgent({ runId: crypto.randomUUID(), ...run }, subscriber)
  } catch (err) {
    seen.thrown = err
  }
  return seen
}

const said = agent => agent.messages.findLast(m => m.role === 'assistant')
const agent = newAgent(crypto.randomUUID())

check('an answer with a tool and a table', async () => {
  const seen = await ask(agent, 'List the extras')
  assert.equal(seen.thrown, undefined)
  const m = said(agent)
  assert.match(m.content, /^Here they are\./)
  assert.equal(m.toolCalls[0].function.name, 'list_extras')
  assert.ok(m.metadata.seal.length > 100)
  assert.equal(m.metadata.agent, 'inventory')
  const result = agent.messages.find(one => one.role === 'tool')
  assert.equal(result.toolCallId, m.toolCalls[0].id)
  assert.equal(JSON.parse(result.content).success, true)
  assert.equal(seen.custom.part[0].kind, 'table')
  assert.equal(seen.finished.outcome.type, 'success')
  assert.equal(seen.finished.result.finish, 'stop')
  assert.ok(seen.finished.usage[0].totalTokens > 0)
})

check('a question is an interrupt, and seals survive a resend', async () => {
  const seen = await ask(agent, 'Add an extra called Sauna, 30 per night')
  assert.equal(seen.thrown, undefined)
  assert.equal(seen.custom.history_unverified, undefined)
  const [interrupt] = agent.pendingInterrupts
  assert.equal(interrupt.reason, 'confirmation')
  assert.equal(interrupt.id, seen.custom.proposal[0].id)
  assert.equal(interrupt.toolCallId, said(agent).toolCalls[0].id)
})

check('it is resumed and done', async () => {
  const [{ id, toolCallId }] = agent.pendingInterrupts
  const seen = await ask(agent, '', { resume: [{ interruptId: id, status: 'resolved', payload: { approved: true } }] })
  assert.equal(seen.thrown, undefined)
  assert.match(said(agent).content, /Added the extra Sauna/)
  assert.equal(seen.custom.write_committed.length, 1)
  assert.equal(seen.custom.history_unverified, undefined)
  const results = agent.messages.filter(m => m.role === 'tool' && m.toolCallId === toolCallId)
  assert.deepEqual(results.map(m => JSON.parse(m.content).success), [true])
  assert.deepEqual(agent.pendingInterrupts, [])
})

check('one that is cancelled does nothing', async () => {
  await ask(agent, 'Add a gong, 5 per stay')
  const [{ id, toolCallId }] = agent.pendingInterrupts
  const seen = await ask(agent, '', { resume: [{ interruptId: id, status: 'cancelled' }] })
  assert.equal(seen.thrown, undefined)
  assert.equal(seen.custom.write_committed, undefined)
  const results = agent.messages.filter(m => m.role === 'tool' && m.toolCallId === toolCallId)
  assert.deepEqual(results.map(m => JSON.parse(m.content).success), [false])
})

check('an answer goes on after that', async () => {
  const seen = await ask(agent, 'Hello')
  assert.equal(seen.thrown, undefined)
  assert.equal(said(agent).content, 'Good day.')
  assert.equal(seen.custom.history_unverified, undefined)
})

check('a failure in the middle is an error of the run', async () => {
  const seen = await ask(newAgent(crypto.randomUUID()), 'Tell me about extras')
  assert.ok(seen.error.message.length > 10)
  assert.ok(seen.error.code)
})

check('a refusal has its status', async () => {
  const other = newAgent(crypto.randomUUID())
  other.headers = { Authorization: 'Bearer nobody' }
  const seen = await ask(other, 'Hello')
  assert.equal(seen.thrown.status, 401)
})

await runAll()
