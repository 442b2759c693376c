import assert from 'node:assert/strict'
import { enter, foreign } from './visit.mjs'
import { check } from './tap.mjs'

check('the day stands at the beginning, and a guest is checked in from there', async () => {
  const p = await enter()
  const today = p.page.locator('.welcome .morning')
  await today.waitFor()
  const section = (name) => today.getByRole('region', { name: new RegExp(`^${name}`) })
  assert.match(await today.locator('.morning-figures').textContent(), /Arriving\s*\d+ of \d+/)
  const count = async () => Number(await section('Arrivals').locator('.morning-count').textContent())
  const before = await count()

  // A name opens its details without a model.
  await section('Departures')
    .getByRole('button', { name: /^Ojas Kitewala, Show/ })
    .click()
  const tools = p.page.getByRole('dialog', { name: 'Tools' })
  await tools.getByRole('table').getByText('Ojas Kitewala').waitFor()
  await p.page.keyboard.press('Escape')

  // The button asks at once, since nothing is missing; the yes is the person's.
  await section('Arrivals').getByRole('button', { name: 'Check in: Tilda Pebbleworth' }).click()
  const card = tools.locator('.proposal')
  await card.getByText(/Saffron \(SAFFRON\)/).waitFor()
  assert.match(await card.textContent(), /is still to be paid/)
  assert.equal(await count(), before)
  await p.button('Approve', card).click()
  await tools.getByText(/^Reservation \w{6} of Tilda Pebbleworth is checked in now/).waitFor()
  await tools.getByRole('button', { name: /^Record ₹/ }).waitFor()
  await p.page.keyboard.press('Escape')
  await p.page.waitForFunction((n) => Number(document.querySelector('.morning-count').textContent) === n, before - 1)
  assert.equal(await section('Arrivals').getByRole('button', { name: 'Check in: Tilda Pebbleworth' }).count(), 0)

  // A room that was cleaned is said to be so by one press, and back by another.
  const dirty = async (n) =>
    p.page.waitForFunction(
      (n) =>
        [...document.querySelectorAll('.morning-section')].some(
          (s) => s.querySelector('h3').textContent === `To clean${n}`,
        ),
      n,
    )
  const before2 = Number(await section('To clean').locator('.morning-count').textContent())
  await section('To clean').getByRole('button', { name: 'Clean: BIRCH-2' }).click()
  await dirty(before2 - 1)
  assert.equal(await tools.isVisible(), false)
  await p.page.getByRole('status').getByText('BIRCH-2 is clean now.').waitFor()
  await p.page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await dirty(before2)

  // What needs more than the page knows is a form, filled as far as it goes.
  await section('To pay').getByRole('button', { name: 'Payment: Tilda Pebbleworth' }).click()
  assert.match(await tools.getByLabel('Code').inputValue(), /^\w{6}$/)
  assert.ok(Number(await tools.getByLabel('Amount').inputValue()) > 0)
  assert.equal(await tools.locator('.proposal').count(), 0)
  await p.page.keyboard.press('Escape')
  assert.deepEqual(await p.page.evaluate(foreign), [])
  await p.leave()
})
