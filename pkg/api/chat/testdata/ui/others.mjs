// What the AI SDK does besides its message stream: version 5, which knows no
// approval requests, and the text stream of each version. The model is scripted;
// see ui_test.go for what it says.
import assert from 'node:assert/strict'
import { check, runAll } from './tap.mjs'

const { url, token } = JSON.parse(process.env.SETTINGS)
const api = url + '/api/chat/hospitality'
const Authorization = 'Bearer ' + token

function newChat(ai, transport) {
  const seen = { errors: [] }
  class Chat extends ai.AbstractChat {}
  const state = {
    status: 'ready', error: undefined, messages: [],
    pushMessage(m) { this.messages = [...this.messages, m] },
    popMessage() { this.messages = this.messages.slice(0, -1) },
    replaceMessage(i, m) { this.messages = this.messages.map((old, j) => (i === j ? m : old)) },
    snapshot: v => structuredClone(v),
  }
  return { seen, chat: new Chat({ state, transport, onError: err => seen.errors.push(err) }) }
}

const text = message => message.parts.filter(p => p.type === 'text').map(p => p.text).join('')

const ai5 = await import('ai5')

check('ai5: a proposal is a part and text, and a yes in words', async () => {
  const { chat, seen } = newChat(ai5, new ai5.DefaultChatTransport({ api, headers: { Authorization }, body: { sdk: 5 } }))
  await chat.sendMessage({ text: 'Add a sauna' })
  assert.deepEqual(seen.errors, [])
  const asked = chat.messages.at(-1)
  assert.equal(asked.parts.find(p => p.type === 'data-proposal').data.tool, 'create_extra')
  assert.equal(asked.parts.find(p => p.type === 'tool-create_extra').state, 'output-available')
  assert.match(text(asked), /\(K7QM\)$/)
  await chat.sendMessage({ text: 'yes' })
  assert.deepEqual(seen.errors, [])
  assert.match(text(chat.messages.at(-1)), /^✓ Added the extra Sauna/)
})

for (const version of ['ai5', 'ai6', 'ai7']) {
  const ai = version === 'ai5' ? ai5 : await import(version)
  const { chat, seen } = newChat(ai, new ai.TextStreamChatTransport({ api, headers: { Authorization, Accept: 'text/plain' } }))

  check(`${version}: a text stream is the text`, async () => {
    await chat.sendMessage({ text: 'List the extras' })
    assert.deepEqual(seen.errors, [])
    assert.match(text(chat.messages.at(-1)), /^Here they are\.\n\n.*\| Extra \|.*\n\| --- .*\n\| Picnic \|/s)
  })

  check(`${version}: a failure is its last sentence`, async () => {
    await chat.sendMessage({ text: 'and then?' })
    assert.deepEqual(seen.errors, [])
    assert.match(text(chat.messages.at(-1)), /^I.*\n\n[A-Z].*\.\n$/s)
  })
}

await runAll()
