import assert from 'node:assert/strict'
import { arrive, call, enter, extras, model, say } from './visit.mjs'
import { check } from './tap.mjs'

// S1-17
check('a call of the model is run again by its form, and a tool with consent from the list', async () => {
  const p = await enter()
  await model('inventory', call('list_extras'), say('These.'))
  await p.ask('Which extras are there?')
  await p.answer.locator('.steps').click()
  await p.button('Change and run again').click()
  const drawer = p.page.getByRole('dialog', { name: 'Tools' })
  await p.button('Run', drawer).click()
  await drawer.locator('.tools-result table').waitFor()
  await p.button('All tools', drawer).click()
  await drawer.getByRole('searchbox').fill('create extra')
  await drawer.getByRole('button', { name: /^Create extra/ }).click()
  await drawer.getByLabel('Name', { exact: true }).fill('Bicycle')
  await drawer.getByLabel('Price', { exact: true }).fill('12')
  await drawer.getByLabel(/^Per/).selectOption('stay')
  await p.button('Run', drawer).click()
  await p.button('Approve', drawer).dblclick()
  await drawer.locator('.proposal[data-state="approved"]').waitFor()
  assert.equal((await extras()).filter((name) => name === 'Bicycle').length, 1)
  await p.page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })
  await p.leave()
})

check('a viewer is offered nothing that a viewer may not do', async () => {
  const p = await arrive()
  await p.signIn(undefined, 'viewer@sojourn.example')
  await p.button('Which cabins do we have?').waitFor()
  assert.equal(await p.page.locator('.chip', { hasText: /^Add/ }).count(), 0)
  await p.button('Tools').click()
  const drawer = p.page.getByRole('dialog', { name: 'Tools' })
  await drawer.getByRole('button', { name: /^List extras/ }).waitFor()
  assert.deepEqual(
    await drawer.locator('.tools-effect').evaluateAll((all) => [...new Set(all.map((e) => e.dataset.effect))]),
    ['reads'],
  )
  await p.page.keyboard.press('Escape')
  await p.leave()
})
