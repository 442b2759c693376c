// An owner of a company on a telephone, and later at a desk. The model is asked only
// for what has no clear words: the lines of an invoice.
import assert from 'node:assert/strict'
import { arrive, call, closeBrowser, model, url } from './visit.mjs'
import { hindrances, overflows } from './measure.mjs'
import { check, runAll } from './tap.mjs'

check("finance: from last month's sales to an invoice that is approved", async () => {
  const p = await arrive({
    viewport: { width: 375, height: 812 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
    bypassCSP: true,
  })
  await p.page.getByLabel('E-mail').waitFor()
  await p.signIn()
  // The key figures stand at the beginning, with the questions of the assistant.
  await p.page.locator('.welcome .opening .chart svg:visible').first().waitFor()
  const found = { opening: await overflows(p.page) }
  const look = async (view, within = '.answer:last-of-type') =>
    (found[view] = [...(await hindrances(p.page, within)), ...(await overflows(p.page))])

  await p.ask('pichle mahine ki bikri dikhao')
  assert.match(await p.prose.textContent(), /01\/10\/2026 se 31\/10\/2026 tak revenue ₹19\.11 lakh/)
  await p.answer.locator('.steps').click()
  const steps = await p.answer.locator('.steps-panel').innerText()
  assert.match(
    steps,
    /Sounds like: [^]*% sure[^]*01\/10\/2026 – 31\/10\/2026[^]*Answered by\s+Our rules, without a model/,
  )
  assert.doesNotMatch(steps, /_|[0-9a-f]{8}-/)
  await look('sales, with the steps')

  await p.button('By customer', p.answer).click()
  const tools = p.page.getByRole('dialog', { name: 'Tools' })
  await tools.getByRole('button', { name: 'Konkan Kitchen Mart' }).first().waitFor()
  await tools.locator('.chart svg:visible').first().waitFor()
  await look('a breakdown', 'dialog[open]')
  await p.page.keyboard.press('Escape')

  await p.ask('show overdue invoices')
  const first = await p.prose.textContent()
  await p.ask('aur dikhao')
  const next = await p.prose.textContent()
  assert.ok(first.includes('INV/25-26/0004') && !next.includes('INV/25-26/0004'))
  assert.match(next, /8 of 33 shown/)
  await look('the next page')

  await model(
    '',
    call('create_invoice', {
      customer: 'Konkan Kitchen Mart',
      lines: [
        { description: 'Pressure cooker, 5 litres', quantity: 10, rate: '1250.00', gst_rate: 5, hsn_sac: '7323' },
      ],
    }),
  )
  await p.ask('Konkan Kitchen Mart ke liye 10 pressure cooker ka invoice banao, 1250 each, for their new kitchen')
  const posting = p.card.getByRole('table', { name: 'Posting' })
  assert.match(
    await posting.innerText(),
    /Trade receivables 1100[^]*₹13,125\.00[^]*Sales of goods 4000[^]*₹12,500\.00[^]*Output CGST[^]*₹312\.50/,
  )
  await look('a question')
  await p.page.emulateMedia({ colorScheme: 'dark' })
  found['a question, at night'] = await hindrances(p.page, '.answer:last-of-type', 'color-contrast')
  await p.button('Approve', p.card).click()
  await p.settled('approved')
  await p.rest(5)
  assert.match(await p.answer.textContent(), /INV\/26-27\/\d{4}/)

  // Another conversation begins, and this one stays in the list, by its number.
  await p.page.setViewportSize({ width: 1440, height: 900 })
  await p.fresh()
  const kept = p.page.locator('.talk', { hasText: 'pichle mahine' })
  await kept.getByText('#MJ-0001').waitFor()
  assert.equal(await p.answers(), 0)
  await kept.getByRole('button').first().click()
  await p.page.waitForFunction(() => document.querySelectorAll('.answer').length === 5)
  assert.match(await p.prose.textContent(), /INV\/26-27\/\d{4}/)
  found['at a desk'] = await overflows(p.page)
  assert.deepEqual(
    Object.entries(found).filter(([, list]) => list.length > 0),
    [],
  )
  await p.leave()
})

check("finance: a kept answer says so, and the questions at the beginning are the organisation's", async () => {
  const p = await arrive()
  await p.page.getByLabel('E-mail').waitFor()
  await p.signIn()
  const token = await p.page.evaluate(() =>
    Object.values(JSON.parse(sessionStorage.getItem('bellhop.session'))).find((v) => /^eyJ/.test(v)),
  )
  const set = await fetch(url + '/api/intents/quick-suggestions', {
    method: 'PUT',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ assistant: 'finance', entity: '', suggestions: [{ text: 'Kitna cash hai aaj?' }] }),
  })
  assert.equal(set.status, 200)
  await p.page.reload()
  await p.page.locator('.welcome').getByRole('button', { name: 'Kitna cash hai aaj?' }).click()
  await p.rest(1)
  await p.fresh()
  await p.ask('Kitna cash hai aaj?')
  await p.answer.locator('.steps', { hasText: 'Kept answer' }).click()
  assert.match(await p.answer.locator('.steps-panel').innerText(), /asked before[^]*A kept answer, without a model/)
  await p.leave()
})

await runAll()
await closeBrowser()
