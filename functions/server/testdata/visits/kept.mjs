import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { api, arrive, call, enter, model, say } from './visit.mjs'
import { check } from './tap.mjs'

const rows = (p) => p.page.locator('.talk')
const row = (p, title) => rows(p).filter({ hasText: title })

// two begins two conversations and waits until both are listed.
async function two(p, first, second) {
  await model('inventory', say('A first answer.'))
  await p.ask(first)
  await row(p, first).waitFor()
  await p.fresh()
  await model('inventory', say('A second answer.'))
  await p.ask(second)
  await row(p, second).waitFor()
}

// S2-42, S2-72
check('conversations are listed, found, opened and gone on with', async () => {
  const p = await enter()
  await two(p, 'Tell me about lanterns', 'Tell me about kites')
  assert.match(await row(p, 'lanterns').textContent(), /#SC-\d{4}.*A first answer\./)
  assert.equal(await row(p, 'kites').getByRole('button').first().getAttribute('aria-current'), 'true')

  await p.page.getByLabel('Search conversations').fill('lanterns')
  await row(p, 'kites').waitFor({ state: 'detached' })
  await row(p, 'lanterns').getByRole('button').first().click()
  await p.prose.getByText('A first answer.').waitFor()
  await model('inventory', say('It is the first again.'))
  await p.ask('And then?')
  await p.prose.getByText('It is the first again.').waitFor()
  // What was loaded is sealed, so nothing of it is doubted.
  assert.equal(await p.page.locator('.hint').count(), 0)
  await p.page.reload()
  await p.prose.getByText('It is the first again.').waitFor()
  assert.equal(await p.answers(), 2)
  await p.leave()
})

check(
  'conversations have addresses, groups by day, and show what they showed when they are opened again',
  async () => {
    const p = await enter()
    await model(
      'analytics',
      call('compare_periods', { start_date: '2026-01-01', end_date: '2026-01-31' }),
      say('Here: [[table:t1a]]'),
    )
    await p.ask('Put January beside the month before it, please')
    await row(p, 'Put January').waitFor()
    const address = p.page.url()
    assert.match(address, /#\/hospitality\/[0-9a-f-]{36}$/)
    await p.fresh()
    assert.match(p.page.url(), /#\/hospitality$/)
    await model('inventory', say('Good day.'))
    await p.ask('Good morning')
    await p.prose.getByText('Good day.').waitFor()
    assert.notEqual(p.page.url(), address)
    // The way back leads to the empty conversation, and on to the one before.
    await p.page.goBack()
    await p.prose.locator('.beside svg:visible').first().waitFor()
    assert.equal(p.page.url(), address)
    await p.page.goForward()
    await p.prose.getByText('Good day.').waitFor()
    await row(p, 'Put January').getByRole('button').first().click()
    await p.prose.locator('.beside svg:visible').first().waitFor()
    assert.equal(await p.prose.locator('.beside table').count(), 1)
    assert.equal(await p.prose.locator('.table-about').count(), 1)
    assert.equal(await p.list.locator('.talks-day h3').first().textContent(), 'Today')
    const title = row(p, 'Put January').locator('.talk-title')
    assert.ok(await title.evaluate((e) => e.scrollHeight <= e.clientHeight + 1), 'the title is cut')
    await p.leave()
  },
)

check(
  'a new tab is signed in, two windows of a conversation see each other, and signing out holds for both',
  async () => {
    const p = await arrive()
    await p.signIn()
    await model('inventory', say('A first answer.'))
    await p.ask('Tell me about anchors')
    await p.prose.getByText('A first answer.').waitFor()
    const other = p.beside(await p.context.newPage())
    await other.page.goto(p.page.url())
    await other.prose.getByText('A first answer.').waitFor()
    await model('inventory', say('A second answer.'))
    await other.ask('And about chains?')
    await p.prose.getByText('A second answer.').waitFor()
    assert.equal(await p.answers(), 2)
    await model('inventory', say('A third answer.'))
    await p.ask('And about ropes?')
    await other.prose.getByText('A third answer.').waitFor()
    // What came from elsewhere is sealed, so nothing of it is doubted.
    assert.equal((await p.page.locator('.hint').count()) + (await other.page.locator('.hint').count()), 0)
    await other.page.locator('.account > summary').click()
    await other.button('Sign out').click()
    await p.page.getByText('You have signed out in another tab.').waitFor()
    assert.equal(await p.page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage })), '{}')
    await p.leave()
  },
)

check('the question of a long answer stays in sight', async () => {
  const p = await enter()
  await model('inventory', say(Array.from({ length: 60 }, (_, i) => `Paragraph ${i + 1}.`).join('\n\n')))
  await p.ask('Tell me a long story')
  const pinned = p.page.locator('.pinned')
  await pinned.waitFor()
  assert.equal(await pinned.textContent(), 'Go to the question: Tell me a long story')
  await pinned.click()
  await pinned.waitFor({ state: 'hidden' })
  await p.leave()
})

check('of a long conversation the end is loaded; what was said earlier is read, and saved with it', async () => {
  const p = await enter()
  // Up to 50 messages are loaded whole. They are sent by the API, which is faster than by the page.
  const id = randomUUID()
  for (let i = 1; i <= 26; i++) {
    await model('inventory', say(`Answer ${i}.`))
    await api('/api/chat/hospitality', { id, messages: [{ role: 'user', content: `Question ${i} about herons` }] })
  }
  await p.page.getByLabel('Search conversations').fill('herons')
  await row(p, 'herons').getByRole('button').first().click()
  await p.prose.getByText('Answer 26.').waitFor()
  assert.equal(await p.page.getByText('Answer 1.', { exact: true }).count(), 0)
  await p.button('Show earlier messages').click()
  await p.page.getByText('Answer 1.', { exact: true }).waitFor()
  assert.equal(await p.answers(), 26)
  await p.button('Show earlier messages').waitFor({ state: 'detached' })
  // What cannot be sent again cannot be changed either.
  assert.equal(await p.page.locator('.said').first().getByLabel('Edit and send again').count(), 0)
  await p.page.getByLabel('Save this conversation').click()
  const [file] = await Promise.all([
    p.page.waitForEvent('download'),
    p.page.locator('.menu-item', { hasText: 'Markdown' }).click(),
  ])
  assert.match(await readFile(await file.path(), 'utf8'), /Answer 1\.[^]*Answer 26\./)
  await p.leave()
})

check('a conversation that is left in mid-answer is answered all the same', async () => {
  const p = await enter()
  await two(p, 'Tell me about oars', 'Tell me about sails')
  await model('inventory', say('A third answer.'))
  await p.say('And about ropes?')
  await row(p, 'oars').getByRole('button').first().click()
  await p.prose.getByText('A first answer.').waitFor()
  await p.page.waitForFunction(() =>
    [...document.querySelectorAll('.talk')].some((t) => t.textContent.includes('A third answer.')),
  )
  await row(p, 'sails').getByRole('button').first().click()
  await p.prose.getByText('A third answer.').waitFor()
  await p.leave()
})

check('a conversation is named and deleted by keyboard, and brought back', async () => {
  const p = await enter()
  await two(p, 'Tell me about wool', 'Tell me about silk')
  await row(p, 'wool').getByRole('button').first().focus()
  await p.page.keyboard.press('F2')
  await p.page.getByLabel('Name of the conversation').fill('=Blankets <b>')
  await p.page.keyboard.press('Enter')
  await row(p, '=Blankets <b>').waitFor()
  assert.match(await p.focused(), /^=Blankets <b>/)
  await p.page.keyboard.press('Delete')
  await row(p, '=Blankets <b>').waitFor({ state: 'detached' })
  await p.button('Undo').click()
  await row(p, '=Blankets <b>').waitFor()

  // The open one: its place is taken by an empty one.
  await row(p, 'silk').hover()
  await row(p, 'silk')
    .getByLabel(/^Delete/)
    .click()
  await p.button('Which cabins do we have?').waitFor()
  await p.button('Deleted conversations').click()
  await row(p, 'silk')
    .getByLabel(/^Restore/)
    .click()
  await row(p, 'silk').waitFor({ state: 'detached' })
  await p.button('Back to all conversations').click()
  await row(p, 'silk').waitFor()
  await p.leave()
})

check('on a telephone the list lies over the conversation, and leaves it alone', async () => {
  const p = await enter({ viewport: { width: 390, height: 844 } })
  await p.page.waitForFunction(() => !document.querySelector('[aria-controls="sidebar"]').hidden)
  assert.equal(await p.list.isVisible(), false)
  await p.button('Conversations').click()
  await p.list.waitFor()
  assert.equal(await p.page.locator('main').evaluate((e) => e.inert), true)
  await p.page.keyboard.press('Escape')
  await p.list.waitFor({ state: 'hidden' })
  assert.equal(await p.page.locator('main').evaluate((e) => e.inert), false)
  assert.equal(await p.focused(), 'Conversations')
  await p.leave()
})

check('a file is attached, looked at, and refused in a sentence when it is not what it says', async () => {
  const p = await enter()
  const files = p.page.locator('.tray .file-chip')
  await p.page.locator('.composer input[type="file"]').setInputFiles([
    { name: 'guests.csv', mimeType: 'text/csv', buffer: Buffer.from('name,nights\nAsha,3\n') },
    { name: 'menu.pdf', mimeType: 'application/pdf', buffer: Buffer.from('this is no PDF file at all') },
  ])
  await p.page.locator('.tray [data-state="ready"]').waitFor()
  await p.page.locator('.tray [data-state="refused"]').waitFor()
  assert.match(await files.first().textContent(), /guests\.csv/)
  assert.match(await files.last().textContent(), /PDF/)
  await p.button('Remove menu.pdf').click()
  assert.equal(await files.count(), 1)
  await model('inventory', say('Asha stays for three nights.'))
  await p.ask('Who is on the list?')
  assert.equal(await files.count(), 0)
  assert.match(await p.page.locator('.said-files').textContent(), /guests\.csv/)
  const { items } = await p.kept()
  assert.equal(items[0].message.attachments.length, 1)
  await p.leave()
})
