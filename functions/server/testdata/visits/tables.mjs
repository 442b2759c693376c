import assert from 'node:assert/strict'
import { call, enter, model, say } from './visit.mjs'
import { check } from './tap.mjs'

// day is so many days from today, as tools take it.
const day = (n) => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10)

// parted lists figures that stand on more than one line.
const parted = (within) =>
  within.evaluate((root) =>
    [...root.querySelectorAll('.whole, td.to-right, td.short')]
      .filter((e) => {
        const range = document.createRange()
        const words = document.createTreeWalker(e, NodeFilter.SHOW_TEXT)
        const lines = new Set()
        while (words.nextNode()) {
          range.selectNodeContents(words.currentNode)
          for (const r of range.getClientRects()) if (r.width > 0) lines.add(Math.round(r.bottom))
        }
        return lines.size > 1
      })
      .map((e) => e.textContent),
  )

check('rows are cards on a telephone, the important columns first, and no figure is parted', async () => {
  const p = await enter({ viewport: { width: 375, height: 812 }, hasTouch: true, isMobile: true })
  await model('reservations', call('search_reservations', { limit: 4 }), say('These.'))
  await p.ask('Which reservations are there?')
  const table = p.prose.locator('.table.cards')
  await table.waitFor()
  const card = table.locator('tbody tr').first()
  const shown = () =>
    card
      .locator('td:visible')
      .evaluateAll((cells) =>
        cells
          .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
          .map((c) => c.dataset.label),
      )
  assert.deepEqual((await shown()).slice(0, 4), ['Guest', 'Rooms', 'Check-in', 'Status'])
  await p.button('All columns', table).click()
  assert.deepEqual(
    (await shown()).filter((label) => ['Code', 'Nights', 'Total'].includes(label)),
    ['Code', 'Nights', 'Total'],
  )
  const guests = () => table.locator('td[data-label="Guest"]').allTextContents()
  const before = await guests()
  await table.getByLabel('Sort “Reservations” by').selectOption({ label: 'Guest ↓' })
  assert.deepEqual(
    await guests(),
    before.toSorted((a, b) => b.localeCompare(a)),
  )
  assert.deepEqual(await parted(table), [])

  // A long text stands in its card, a word beside the other.
  await model('reservations', call('check_all_availability', { check_in: day(9), check_out: day(15) }), say('Free.'))
  await p.ask('Which rooms are free?')
  const cards = p.prose.locator('.table.cards')
  await cards.waitFor()
  assert.ok((await cards.locator('td.long').count()) > 0)
  assert.deepEqual(
    await cards.evaluate((e) =>
      [...e.querySelectorAll('td')].filter((td) => td.scrollWidth > td.clientWidth + 1).map((td) => td.textContent),
    ),
    [],
  )

  await model('inventory', call('update_room_type', { room: 'COCO', weekday_price: 8600, weekend_price: 123456.5 }))
  await p.ask('Change the prices of COCO')
  assert.match(await p.card.textContent(), /₹8,600\.00[^]*₹1,23,456\.50/)
  assert.deepEqual(await parted(p.card), [])
  assert.ok((await p.card.locator('.whole').count()) >= 4)
  await p.leave()
})

check('a wide table says that there is more, folds its definitions, and compared prices add up', async () => {
  const p = await enter({ viewport: { width: 820, height: 900 } })
  await model('analytics', call('get_revenue_stats', { by: 'room' }), say('By room.'))
  await p.ask('Revenue by room')
  const table = p.prose.locator('.table.more-right')
  await table.locator('.table-scroll').evaluate((e) => e.scrollTo(e.scrollWidth, 0))
  await p.prose.locator('.table.more-left:not(.more-right)').waitFor()
  const about = p.prose.locator('.table-about')
  assert.equal(await about.locator('p').isVisible(), false)
  await about.locator('summary').click()
  assert.match(await about.locator('p').textContent(), /^Room = nightly prices/)
  assert.doesNotMatch(
    await p.prose
      .locator('figcaption')
      .allTextContents()
      .then((all) => all.join('')),
    /nightly prices/,
  )

  await model(
    'pricing',
    call('simulate_pricing', { check_in: '2027-01-01', check_out: '2027-01-03', adults: 4 }),
    say('All rooms.'),
  )
  await p.ask('What do the rooms cost for four?')
  const amount = (text) => Math.round(Number(text.replace(/[^\d.-]/g, '')) * 100)
  const rows = await p.prose
    .locator('table')
    .first()
    .evaluate((t) => {
      const labels = [...t.querySelectorAll('th')].map((th) => th.innerText.trim())
      return [...t.querySelectorAll('tbody tr')].map((tr) =>
        Object.fromEntries([...tr.cells].map((td, i) => [labels[i], td.textContent])),
      )
    })
  assert.ok(rows.some((r) => amount(r['Further guests'] ?? '0') > 0))
  for (const r of rows) {
    const parts = ['Rooms', 'Further guests', 'Rest of the package', 'Discount', 'Extras', 'Tax'].filter(
      (name) => r[name] !== undefined,
    )
    assert.equal(
      parts.reduce((sum, name) => sum + amount(r[name]), 0),
      amount(r.Total),
      JSON.stringify(r),
    )
  }
  await p.leave()
})
