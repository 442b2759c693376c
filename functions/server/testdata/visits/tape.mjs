import assert from 'node:assert/strict'
import { call, enter, model, say } from './visit.mjs'
import { check } from './tap.mjs'

check('rooms stand against days: a stay opens, free nights are booked by mouse and by keyboard', async () => {
  const p = await enter()
  await model('blocked_dates', call('get_tape_chart', {}), say('Here: [[table:t1a]]'))
  await p.ask('Show me the chart of rooms')
  const tape = p.prose.locator('.beside .tape')
  await tape.waitFor()
  assert.equal(await tape.locator('tbody tr').count(), 9)
  assert.equal(await p.prose.locator('.beside table:not(.tape-table)').count(), 1)
  const cell = (name) => tape.getByRole('button', { name })
  const tools = p.page.getByRole('dialog', { name: 'Tools' })

  await cell(/^DEODAR: Kavya Lanternwala, .* booked/).click()
  await tools.getByRole('table').getByText('Kavya Lanternwala').waitFor()
  await p.page.keyboard.press('Escape')

  // Several nights by dragging: from the first to the last.
  const free = (await cell(/^COCO: .*, free$/).all()).slice(-4)
  const first = await free[0].getAttribute('aria-label')
  await free[0].hover()
  await p.page.mouse.down()
  await free[1].hover()
  await p.page.mouse.up()
  const filled = async () => [
    await tools.getByLabel('Room', { exact: true }).inputValue(),
    await tools.getByLabel('Check in').inputValue(),
    await tools.getByLabel('Check out').inputValue(),
  ]
  await p.button('Run', tools).waitFor()
  const [room, from, to] = await filled()
  assert.equal(room, 'COCO')
  assert.equal((Date.parse(to) - Date.parse(from)) / 86_400_000, 2)
  assert.ok(first.includes(from.slice(8)))
  assert.equal(await tools.locator('.proposal').count(), 0)
  await p.page.keyboard.press('Escape')

  // The whole chart is one stop for Tab; arrows move, Shift chooses, Enter books.
  await free[0].focus()
  await p.page.keyboard.press('Shift+ArrowRight')
  await p.page.keyboard.press('Enter')
  await p.button('Run', tools).waitFor()
  assert.deepEqual(await filled(), [room, from, to])
  await p.page.keyboard.press('Escape')
  await p.page.keyboard.press('Tab')
  assert.equal(await p.page.evaluate(() => document.activeElement.closest('.tape-table')), null)
  await p.leave()
})

check('codes, guests and rooms of a table open their details without a model', async () => {
  const p = await enter()
  await model('reservations', call('search_reservations', { query: 'Gauri Bramblewick' }), say('These.'))
  await p.ask('Which bookings has Gauri Bramblewick?')
  const row = p.prose.locator('tbody tr').first()
  const tools = p.page.getByRole('dialog', { name: 'Tools' })
  const code = await row.locator('td').first().textContent()
  for (const name of [code, 'Gauri Bramblewick']) {
    await p.button(name, row).click()
    await tools.getByRole('heading', { name: `Reservation ${code}`, exact: true }).waitFor()
    await p.page.keyboard.press('Escape')
  }
  await row.locator('td').nth(2).getByRole('button').first().click()
  await tools.getByText('Guests at most', { exact: true }).waitFor()
  await p.page.keyboard.press('Escape')
  await p.leave()
})
