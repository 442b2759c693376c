import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arrive, bookings, call, model, say } from './visit.mjs'
import { check } from './tap.mjs'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

// hindrances lists what axe-core calls serious or critical.
async function hindrances(page) {
  await page.evaluate(axe)
  const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ['violations'], preload: false }))
  return violations.filter(v => ['serious', 'critical'].includes(v.impact)).map(v => `${v.id}: ${v.nodes[0].html}`)
}

// overflows lists what reaches over the side of the window. Tables and code may,
// in boxes that scroll by themselves.
const overflows = page => page.evaluate(() => {
  const width = document.documentElement.clientWidth
  const boxed = e => e && (['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(e).overflowX) && e !== document.body || boxed(e.parentElement))
  const out = [...document.querySelectorAll('#app *')].filter(e => e.getClientRects().length > 0 && e.getBoundingClientRect().right > width + 1 && !boxed(e.parentElement))
  return [...document.scrollingElement.scrollWidth > width ? [`the page is ${document.scrollingElement.scrollWidth} wide`] : [], ...out.map(e => e.outerHTML.slice(0, 120))]
})

const visits = {
  'on a desk, in daylight': { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  'on a telephone, at night': { viewport: { width: 390, height: 844 }, colorScheme: 'dark', hasTouch: true, isMobile: true },
}

for (const [where, options] of Object.entries(visits)) {
  check(`every view is accessible and fits: ${where}`, async () => {
    const p = await arrive({ ...options, reducedMotion: 'reduce', bypassCSP: true }) // axe-core styles what it measures
    const found = {}
    const look = async view => {
      found[view] = [...await hindrances(p.page), ...await overflows(p.page)]
    }
    await p.page.getByLabel('E-mail').waitFor()
    await look('sign-in')
    await p.signIn()
    await look('the empty chat')
    await model('reservations', call('search_reservations', { limit: 6 }), say('Here they are, with a word that is long: ' + 'x'.repeat(120)))
    await p.ask('Which reservations are there?')
    await p.answer.locator('.steps').click()
    await look('an answer with a table and its steps')
    await p.button('Bad answer', p.answer).click()
    await look('what was wrong with it')
    await p.button('Send', p.answer).click()
    await look('an answer that was rated')
    await model('inventory', call('create_extra', { name: 'Kite', price: 5, per: 'stay' }))
    await p.ask('Add a kite')
    await look('a question')
    await p.button('Reject', p.card).click()
    await p.settled('rejected')
    await p.rest(3)
    const { code } = (await bookings()).findLast(b => b.status === 'confirmed')
    await model('reservations', call('cancel_reservation', { code, reason: 'rain' }))
    await p.ask(`Cancel ${code}`)
    await p.button('Approve…', p.card).click()
    await look('a grave question')
    await p.button('Back', p.card).click()
    await p.button('Tools').click()
    const drawer = p.page.getByRole('dialog', { name: 'Tools' })
    await drawer.getByRole('searchbox').waitFor()
    await look('the tools')
    await drawer.getByRole('button', { name: /^Create reservation/ }).click()
    await p.button('Run', drawer).waitFor()
    await look('a form')
    await p.page.keyboard.press('Escape')
    const list = p.button('Conversations')
    if (await list.getAttribute('aria-expanded') === 'false') await list.click()
    await p.list.getByText('Which reservations are there?').first().waitFor()
    await look('the conversations')
    await p.page.keyboard.press('Escape')
    // Every menu of the page, whatever it is called.
    for (const menu of await p.page.locator('details.menu-of > summary:visible').all()) {
      const name = await menu.getAttribute('aria-label')
      await menu.click()
      await look(`the menu “${name}”`)
      await p.page.keyboard.press('Escape')
    }
    assert.deepEqual(Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0)), {})
    assert.ok(Object.keys(found).length >= 9)
    await p.leave()
  })
}
