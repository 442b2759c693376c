import assert from 'node:assert/strict'
import { arrive, bookings, call, model, say } from './visit.mjs'
import { hindrances, overflows } from './measure.mjs'
import { check } from './tap.mjs'
import { choice, wanted } from './parts.mjs'

// Rules whose outcome depends on the colours, and on the width.
const coloured = ['color-contrast', 'link-in-text-block']

// Each view is looked at in both themes and, by the way, at further widths: 768 is
// a tablet, and 320 is what is left of 1280 at 400 %.
const last = '.answer:last-of-type',
  dialog = 'dialog[open]'

const visits = {
  'on a desk, in daylight': { viewport: { width: 1440, height: 900 }, colorScheme: 'light', further: 768 },
  'on a telephone, at night': {
    viewport: { width: 375, height: 812 },
    colorScheme: 'dark',
    hasTouch: true,
    isMobile: true,
    further: 320,
  },
}

for (const [where, { further, ...options }] of Object.entries(visits)) {
  check(`every view is accessible and fits: ${where}`, async () => {
    const p = await arrive({ ...options, reducedMotion: 'reduce', bypassCSP: true }) // axe-core styles what it measures
    const found = {}
    // What is new in a view is measured, and the whole page where that is the view.
    const look = async (view, within = '') => {
      found[view] = [...(await hindrances(p.page, within)), ...(await overflows(p.page))]
      await p.page.emulateMedia({ colorScheme: options.colorScheme === 'dark' ? 'light' : 'dark' })
      found[view].push(...(await hindrances(p.page, within, ...coloured)))
      await p.page.emulateMedia({ colorScheme: options.colorScheme })
      await p.page.setViewportSize({ width: further, height: options.viewport.height })
      found[`${view}, ${further} wide`] = await overflows(p.page)
      await p.page.setViewportSize(options.viewport)
    }
    await p.page.getByLabel('E-mail').waitFor()
    await look('sign-in')
    await p.signIn()
    await look('the empty chat')
    await model(
      'reservations',
      call('search_reservations', { limit: 6 }),
      say('Here they are, with a word that is long: ' + 'x'.repeat(120)),
    )
    await p.ask('Which reservations are there?')
    await p.answer.locator('.steps').click()
    await look('an answer with a table and its steps', last)
    await p.button('Bad answer', p.answer).click()
    await look('what was wrong with it', last)
    await p.button('Send', p.answer).click()
    await look('an answer that was rated', last)
    await model('analytics', call('get_revenue_stats', { by: 'day' }), say('Day by day.'))
    await p.ask('How did this month go, day by day?')
    await p.answer.locator('.chart svg:visible').first().waitFor()
    await look('an answer with charts', last)
    await p.answer
      .getByRole('button', { name: /^Open the chart/ })
      .first()
      .click()
    await look('a chart in the panel', dialog)
    await p.page.keyboard.press('Escape')
    await model('inventory', say('Nearly there.'))
    await p.gets(wanted, choice)
    await p.ask('Make an invoice')
    await look('an answer with a form and a choice', last)
    await model('inventory', call('create_extra', { name: 'Kite', price: 5, per: 'stay' }))
    await p.ask('Add a kite')
    await look('a question')
    await p.button('Reject', p.card).click()
    await p.settled('rejected')
    await p.rest(5)
    const { code } = (await bookings()).findLast((b) => b.status === 'confirmed')
    await model('reservations', call('cancel_reservation', { code, reason: 'rain' }))
    await p.ask(`Cancel ${code}`)
    await p.button('Approve…', p.card).click()
    await look('a grave question', last)
    await p.button('Back', p.card).click()
    await p.button('Tools').click()
    const drawer = p.page.getByRole('dialog', { name: 'Tools' })
    await drawer.getByRole('searchbox').waitFor()
    await look('the tools', dialog)
    await drawer.getByRole('button', { name: /^Create reservation/ }).click()
    await p.button('Run', drawer).waitFor()
    await look('a form', dialog)
    await p.page.keyboard.press('Escape')
    const list = p.button('Conversations')
    if ((await list.getAttribute('aria-expanded')) === 'false') await list.click()
    await p.list.getByText('Which reservations are there?').first().waitFor()
    await look('the conversations', '.sidebar')
    await p.page.keyboard.press('Escape')
    // Every menu of the page, whatever it is called.
    for (const menu of await p.page.locator('details.menu-of > summary:visible').all()) {
      const name = await menu.textContent()
      await menu.click()
      await look(`the menu “${name}”`, 'details.menu-of[open]')
      await p.page.keyboard.press('Escape')
    }
    assert.deepEqual(Object.fromEntries(Object.entries(found).filter(([, list]) => list.length > 0)), {})
    assert.ok(Object.keys(found).length >= 9)
    await p.leave()
  })
}
