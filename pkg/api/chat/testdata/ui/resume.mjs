// The AI SDK's own chat, whose page is left in the middle of an answer and opened
// again. The model is scripted; see ui_test.go for what it says.
import assert from 'node:assert/strict'
import { check, runAll } from './tap.mjs'

const { url, token, control } = JSON.parse(process.env.SETTINGS)

function newChat(ai, id, messages = []) {
  const seen = { errors: [] }
  class Chat extends ai.AbstractChat {}
  const state = {
    status: 'ready', error: undefined, messages,
    pushMessage(m) { this.messages = [...this.messages, m] },
    popMessage() { this.messages = this.messages.slice(0, -1) },
    replaceMessage(i, m) { this.messages = this.messages.map((old, j) => (i === j ? m : old)) },
    snapshot: v => structuredClone(v),
  }
  const transport = new ai.DefaultChatTransport({ api: url + '/api/chat/hospitality', headers: { Authorization: 'Bearer ' + token }, body: { resumable: true } })
  return { seen, chat: new Chat({ id, state, transport, onError: err => seen.errors.push(err) }) }
}

const said = chat => chat.messages.at(-1).parts.filter(p => p.type === 'text').map(p => p.text).join('')

async function until(test) {
  for (let i = 0; i < 4000; i++) {
    if (test()) return
    await new Promise(done => setTimeout(done, 5))
  }
  assert.fail('it never came')
}

for (const version of ['ai6', 'ai7']) {
  check(`${version}: an answer goes on after the page was left`, async () => {
    const ai = await import(version)
    const id = crypto.randomUUID()
    const first = newChat(ai, id)
    const sent = first.chat.sendMessage({ text: 'Tell a story' })
    await until(() => first.chat.messages.length === 2 && said(first.chat).length > 0)
    await first.chat.stop() // closes the connection, as a page that is left does
    await sent

    const again = newChat(ai, id, first.chat.messages.slice(0, 1))
    const resumed = again.chat.resumeStream()
    await until(() => again.chat.messages.length === 2 && said(again.chat).length > 0)
    assert.equal((await fetch(control, { method: 'POST' })).status, 204)
    await resumed
    assert.deepEqual(again.seen.errors, [])
    assert.equal(said(again.chat), 'Once upon a time there was a hotel.')
    assert.ok(again.chat.messages.at(-1).metadata.seal)
    await again.chat.resumeStream() // there is nothing more
    assert.equal(again.chat.messages.length, 2)
  })
}

await runAll()
