// What pictures look like: where they stand, how wide they are, and what they say.
import assert from 'node:assert/strict'
import { call, closeBrowser, enter, model, say } from './visit.mjs'
import { hindrances, overflows } from './measure.mjs'
import { check, runAll } from './tap.mjs'

const month = call('get_occupancy_stats', { start_date: '2026-01-01', end_date: '2026-01-31' })

check('the occupancy of a month is a calendar in percent, which names the day at which somebody points', async () => {
  const p = await enter({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', bypassCSP: true })
  await model('analytics', month, say('Here.'))
  await p.ask('How full were we in January?')
  const calendar = p.answer.locator('.chart-wide svg[data-days]')
  await calendar.waitFor()
  const texts = await calendar.locator('text').allTextContents()
  for (const want of ['Mon', 'Sun', '0 %', 'to 25 %', 'to 100 %', '31'])
    assert.ok(texts.includes(want), `${want} is not in ${texts}`)
  assert.match(await calendar.locator('desc').textContent(), /^Occupancy by day in %.*\n01-Jan-2026: .* units sold/)

  await p.answer.getByRole('button', { name: /^Open the chart “Occupancy by day/ }).click()
  const panel = p.page.getByRole('dialog')
  const drawing = panel.locator('svg[data-days]:visible')
  // The room beside the conversation is as wide as its sheet says, and the drawing fills it.
  assert.equal((await panel.boundingBox()).width, 960)
  const { x, y, width, height } = await drawing.boundingBox()
  assert.ok(width > 850, `the drawing is ${width} wide`)
  // The second place of the second row: Tuesday, 6 January.
  const [left, top, wide, high] = (await drawing.getAttribute('data-days')).split(' ').map(Number)
  const scale = width / (await drawing.evaluate((e) => e.viewBox.baseVal.width))
  assert.ok(top + 2 * high < height)
  await p.page.mouse.move(x + (left + 1.5 * wide) * scale, y + (top + 1.5 * high) * scale)
  assert.match(
    await panel.locator('.chart-day:visible').textContent(),
    /^06-Jan-2026: [\d.]+ %, \d+ of \d+ units sold/,
  )
  assert.deepEqual(await hindrances(p.page, 'dialog[open]'), [])
  await p.leave()
})

check('on a telephone at night a calendar fits, and a day is pressed', async () => {
  const p = await enter({
    viewport: { width: 375, height: 812 },
    colorScheme: 'dark',
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
    bypassCSP: true,
  })
  await model('analytics', month, say('Here.'))
  await p.ask('How full were we in January?')
  const calendar = p.answer.locator('.chart-narrow svg[data-days]')
  await calendar.waitFor()
  assert.deepEqual(await overflows(p.page), [])
  const { width, height } = await calendar.boundingBox()
  const [left, top, wide, high] = (await calendar.getAttribute('data-days')).split(' ').map(Number)
  const scale = width / (await calendar.evaluate((e) => e.viewBox.baseVal.width))
  assert.ok(high * 5 < height)
  await calendar.tap({ position: { x: (left + 1.5 * wide) * scale, y: (top + 1.5 * high) * scale } })
  assert.match(await p.answer.locator('.chart-day:visible').textContent(), /^06-Jan-2026: /)
  assert.deepEqual(await hindrances(p.page, '.answer:last-of-type'), [])
  await p.leave()
})

await runAll()
await closeBrowser()
