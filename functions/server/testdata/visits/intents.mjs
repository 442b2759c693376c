import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { arrive, enter, password, suggest } from './visit.mjs'
import { check } from './tap.mjs'

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const widths = {
  'on a desk': { viewport: { width: 1440, height: 900 } },
  'on a telephone': { viewport: { width: 375, height: 812 }, colorScheme: 'dark', hasTouch: true, isMobile: true },
}

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

    await p.page.evaluate((axe) => new Function(axe)(), axe)
    const { violations } = await p.page.evaluate(() =>
      window.axe.run({ include: [['dialog[open]']] }, { resultTypes: ['violations'], preload: false }),
    )
    assert.deepEqual(
      violations.map((v) => `${v.id}: ${v.nodes[0].html}`),
      [],
    )
    assert.equal(
      await p.page.evaluate(
        () => document.querySelector('dialog[open]').scrollWidth > document.querySelector('dialog[open]').clientWidth,
      ),
      false,
    )

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

check('an administrator writes, changes and deletes phrases on a telephone', async () => {
  const p = await arrive({ ...widths['on a telephone'], reducedMotion: 'reduce', bypassCSP: true })
  await p.page.getByLabel('E-mail').waitFor()
  await p.signIn(password, 'admin@sojourn.example')
  await p.page.locator('.account > summary').click()
  await p.button('Intents').click()
  const dialog = p.page.getByRole('dialog', { name: 'Intents' })
  const own = dialog.locator('.intents-own')
  await own.getByText('New intent').click()
  await own.getByLabel('Name').fill('Lantern tours')
  await own.getByLabel('Who answers').selectOption({ label: 'Pricing Agent' })
  await own.getByLabel('Phrase 1', { exact: true }).fill('What extras do we have?') // Inventory's, in the files
  await p.button('Save', own).click()
  await own.getByRole('alert').getByText('stands in the intent "inventory" already').waitFor()

  await own.getByLabel('Phrase 1', { exact: true }).fill('what is a lantern tour')
  await p.button('Add a phrase', own).click()
  await own.getByLabel('Phrase 2', { exact: true }).fill('price of the lantern walk')
  await p.page.evaluate((axe) => new Function(axe)(), axe)
  const { violations } = await p.page.evaluate(() =>
    window.axe.run({ include: [['.intents-own']] }, { resultTypes: ['violations'], preload: false }),
  )
  assert.deepEqual(
    violations.map((v) => `${v.id}: ${v.nodes[0].html}`),
    [],
  )
  assert.equal(
    await p.page.evaluate(
      () => document.querySelector('dialog[open]').scrollWidth > document.querySelector('dialog[open]').clientWidth,
    ),
    false,
  )
  await p.button('Save', own).click()
  await own.getByText('lantern_tours is saved.').waitFor()

  await own.getByText('lantern_tours → Pricing Agent (2)').click()
  await own.getByLabel('Phrase 1', { exact: true }).fill('what does a lantern tour cost us')
  await p.button('Remove “price of the lantern walk”', own).click()
  await p.button('Save', own).click()
  await own.getByText('lantern_tours → Pricing Agent (1)').waitFor()
  await dialog.getByLabel('Sentence').fill('What does a lantern tour cost us?')
  await p.button('Try', dialog).click()
  await dialog.getByText('It is a phrase: Pricing Agent answers').waitFor()
  assert.match(await dialog.locator('.intents-tried').innerText(), /Own intent\s+lantern_tours/)

  await own.getByText('lantern_tours → Pricing Agent (1)').click()
  await p.button('Delete lantern_tours', own).click()
  await p.button('Yes, delete it', own).click()
  await own.getByText('lantern_tours is deleted.').waitFor()
  await p.page.keyboard.press('Escape')
  p.seen.errors = p.seen.errors.filter((e) => !e.includes('409')) // the browser reports the refusal as well
  await p.leave()
})

check('who is no administrator is told so', async () => {
  const p = await enter()
  await p.page.locator('.account > summary').click()
  await p.button('Intents').click()
  await p.page
    .getByRole('dialog', { name: 'Intents' })
    .getByText('Only administrators see and change intents.')
    .waitFor()
  await p.page.keyboard.press('Escape')
  p.seen.errors = p.seen.errors.filter((e) => !e.includes('403')) // the browser reports the refusal as well
  await p.leave()
})
