// A couple plans a weekend from a sentence: two questions, three plans, one of them taken
// and changed, a link for somebody else. No model is asked.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { arrive, closeBrowser, url } from './visit.mjs'
import { hindrances, overflows } from './measure.mjs'
import { check, runAll } from './tap.mjs'

// found lists what hinders people on the views that were looked at.
const found = {}
const look = async (p, view, within = '', { night = false } = {}) => {
  found[view] = [...(await hindrances(p.page, within)), ...(await overflows(p.page))]
  if (!night) return
  await p.page.emulateMedia({ colorScheme: 'dark' })
  found[`${view}, at night`] = await hindrances(p.page, within, 'color-contrast')
  await p.page.emulateMedia({ colorScheme: 'light' })
}

// S4-33, S4-37, S4-43
check('planner: a sentence leads to three plans, one of which is changed, taken, shared and kept', async () => {
  const p = await arrive({
    viewport: { width: 375, height: 812 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
    bypassCSP: true,
    acceptDownloads: true,
  })
  await p.page.getByLabel('E-mail').waitFor()
  await p.signIn()

  // Two questions are answered at once, by pressing.
  await p.ask('A long weekend in Lisbon in March for two from London, not too expensive')
  const questions = p.answer.getByRole('group', { name: /\?$/ })
  assert.equal(await questions.count(), 2)
  assert.ok(await p.button('Answer', p.answer).isDisabled())
  for (const question of await questions.all()) await question.getByRole('button').first().click()
  await look(p, 'questions', '.answer:last-of-type .parts')
  await p.button('Answer', p.answer).click()
  await p.rest(2)
  await p.button('Yes, plan it', p.answer).click()
  await p.rest(3)

  // What each specialist brought stands above three plans with one scale.
  assert.equal(await p.answer.locator('.answer-research [data-state="done"]').count(), 3)
  await p.answer.locator('.plans-place[data-read]').waitFor()
  const card = p.answer.locator('.plans')
  const plan = card.locator('.plan').nth(1)
  assert.equal(await card.locator('.plan').count(), 3)
  assert.ok((await card.locator('.plans-differs .differs').count()) >= 3)
  const ends = await card
    .locator('.plans-bar')
    .evaluateAll((bars) =>
      bars.map((b) => Math.max(...[...b.children].map((s) => s.offsetLeft + s.offsetWidth)) / b.offsetWidth),
    )
  assert.ok(ends.every((e) => e > 0 && e < 1.01) && Math.max(...ends) > 0.98, String(ends))
  assert.ok((await card.locator('.source[data-source="live"]').count()) > 0)
  await look(p, 'plans', '.answer-research, .plans-rows, .plan:first-child')

  // On a telephone one plan is seen at a time, and its row leads to it.
  await card.locator('.plans-row').nth(1).click()
  await p.page.waitForFunction(
    () => document.querySelectorAll('.plans-row')[1].getAttribute('aria-current') === 'true',
  )
  await plan.locator('.plan-day > summary').nth(1).click()
  assert.ok((await plan.locator('.plan-day[open] .plan-item').count()) > 3)

  // Another place for a meal: the card changes where it is, and the day stays open.
  const meal = plan.locator('.plan-day[open] .plan-item[data-kind="meal"]').last()
  const before = await meal.locator('.plan-title').innerText()
  await meal.locator('.plan-swap').click()
  await meal.locator('.plan-take').first().click()
  await plan.locator('.plan-said', { hasText: 'Changed' }).waitFor()
  assert.notEqual(await meal.locator('.plan-title').innerText(), before)

  // Side by side there is room for all, and the same day of all opens at once.
  await p.page.setViewportSize({ width: 1440, height: 900 })
  const [first, second] = await card
    .locator('.plan')
    .evaluateAll((all) => all.map((e) => e.getBoundingClientRect()).map((r) => [r.left, r.right]))
  assert.ok(first[1] <= second[0])
  await plan.locator('.plan-day > summary').nth(2).click()
  await p.page.waitForFunction(() => document.querySelectorAll('.plan-day[data-day="3"][open]').length === 3)
  await plan.getByRole('button', { name: /^Take this plan/ }).click()
  await plan.locator('.plan-is').waitFor()
  await look(
    p,
    'a plan that was taken',
    '.plan[data-selected] > :is(header, .plan-choose), .plan[data-selected] .plan-day[open] .plan-item:first-child',
    { night: true },
  )

  const [calendar] = await Promise.all([p.page.waitForEvent('download'), p.button('Calendar file', card).click()])
  assert.match(
    await readFile(await calendar.path(), 'utf8'),
    /^BEGIN:VCALENDAR\r\n[^]*BEGIN:VEVENT[^]*END:VCALENDAR\r\n$/,
  )
  const [paper] = await Promise.all([p.page.waitForEvent('download'), p.button('PDF', card).click()])
  assert.match(await readFile(await paper.path(), 'latin1'), /^%PDF-/)

  // A link is shown once, works without an account, and ends.
  await p.button('Share', card).click()
  const dialog = p.page.getByRole('dialog', { name: 'Share a plan' })
  await dialog.getByLabel('The link works for').selectOption('7')
  await p.button('Make a link', dialog).click()
  const address = await dialog.getByLabel('The link', { exact: true }).inputValue()
  await look(p, 'a link', 'dialog[open]')
  assert.ok(address.startsWith(`${url}/t/`))
  const open = () => fetch(address)
  const shown = await open()
  const text = await shown.text()
  assert.ok(shown.status === 200 && text.includes('Lisbon') && !/<script|Testwright/.test(text))
  await dialog.getByRole('button', { name: /^Revoke link/ }).click()
  await p.button('Revoke', dialog).click()
  await dialog.getByText('There is no link yet.').waitFor()
  assert.equal((await open()).status, 404)
  await p.page.keyboard.press('Escape')

  // The trip is kept, with how far it is, and the card shows that after a reload.
  await p.page.locator('.account > summary').click()
  await p.button('Planned trips').click()
  const trips = p.page.getByRole('dialog', { name: 'Planned trips' })
  await trips.locator('.state[data-state="confirmed"]').waitFor()
  await look(p, 'planned trips', 'dialog[open]')
  await trips.getByRole('button', { name: /^Open Lisbon/ }).click()
  const room = p.page.getByRole('dialog', { name: /^Lisbon/ })
  await room.locator('.plan[data-selected]').waitFor()
  found['plans of a trip that was opened'] = await overflows(p.page)
  const tops = await room.locator('.plan').evaluateAll((all) => all.map((e) => e.getBoundingClientRect().top))
  assert.equal(new Set(tops).size, 1)
  assert.ok(
    await room.locator('.plans-columns').evaluate((e) => e.scrollWidth <= e.clientWidth + 4),
    'the plans do not stand side by side',
  )
  await p.page.keyboard.press('Escape')
  await p.page.reload()
  await p.page.locator('.plan[data-selected]').waitFor()
  assert.deepEqual(
    Object.entries(found).filter(([, list]) => list.length > 0),
    [],
  )
  await p.leave()
})

await runAll()
await closeBrowser()
