import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arrive, enter, password, suggest } from './visit.mjs'
import { check } from './tap.mjs'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const widths = { 'on a desk': { viewport: { width: 1440, height: 900 } }, 'on a telephone': { viewport: { width: 375, height: 812 }, colorScheme: 'dark', hasTouch: true, isMobile: true } }

for (const [where, options] of Object.entries(widths)) {
  check(`an administrator sees what turns taught, and approves a phrase with one press: ${where}`, async () => {
    const phrase = `polish the lanterns ${where}`
    await suggest(phrase)
    const p = await arrive({ ...options, reducedMotion: 'reduce', bypassCSP: true })
    await p.page.getByLabel('E-mail').waitFor()
    await p.signIn(password, 'admin@sojourn.example')
    await p.page.locator('.account > summary').click()
    await p.button('Intents').click()
    const dialog = p.page.getByRole('dialog', { name: 'Intents' })
    await dialog.getByText('Matched without a model', { exact: true }).waitFor()
    assert.equal(await dialog.locator('.chart').count(), 2)
    assert.equal(await dialog.locator('.chart svg:visible').count(), 2)

    await p.page.evaluate(axe => new Function(axe)(), axe)
    const { violations } = await p.page.evaluate(() => window.axe.run({ include: [['dialog[open]']] }, { resultTypes: ['violations'], preload: false }))
    assert.deepEqual(violations.map(v => `${v.id}: ${v.nodes[0].html}`), [])
    assert.equal(await p.page.evaluate(() => document.querySelector('dialog[open]').scrollWidth > document.querySelector('dialog[open]').clientWidth), false)

    await dialog.getByLabel('Sentence').fill(phrase)
    await p.button('Try', dialog).click()
    await dialog.getByText("The router's model is asked.").waitFor()

    await p.button(`Approve “${phrase}”`, dialog).click()
    await dialog.locator('.intents-acts').getByText('Approved: Inventory Agent answers it from now on.').waitFor()
    await p.button('Try', dialog).click()
    await dialog.getByText('It is a phrase: Inventory Agent answers').waitFor()
    await p.page.keyboard.press('Escape')
    assert.equal(await p.page.locator('dialog[open]').count(), 0)
    await p.leave()
  })
}

check('who is no administrator is told so', async () => {
  const p = await enter()
  await p.page.locator('.account > summary').click()
  await p.button('Intents').click()
  await p.page.getByRole('dialog', { name: 'Intents' }).getByText('Only administrators see and change intents.').waitFor()
  await p.page.keyboard.press('Escape')
  p.seen.errors = p.seen.errors.filter(e => !e.includes('403')) // the browser reports the refusal as well
  await p.leave()
})
