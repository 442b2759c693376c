import assert from 'node:assert/strict'
import { arrive, call, enter, extras, model, say } from './visit.mjs'
import { check } from './tap.mjs'

check('an earlier message is changed: what followed is gone, and its open question with it', async () => {
  const p = await enter()
  const before = await extras()
  await model('inventory', call('create_extra', { name: 'Pony', price: 5, per: 'stay' }))
  await p.ask('Add a pony')
  const { thread, items } = await p.kept()
  const asked = items.at(-1).proposal.id
  await p.page.locator('.said').last().hover()
  await p.button('Edit and send again').click()
  assert.equal(await p.composer.inputValue(), 'Add a pony')
  await model('inventory', say('No pony.'))
  await p.say('No pony, please')
  await p.prose.getByText('No pony.').waitFor()
  await p.rest(1)
  assert.equal(await p.page.locator('.proposal').count(), 0)
  const now = await p.kept()
  assert.equal(now.thread, thread)
  assert.equal(now.items.length, 2)
  // Neither a yes nor the old button is good for anything now.
  await model('inventory', say('Yes to what?'))
  await p.ask('yes')
  await p.change(({ items: kept }) => {
    kept.at(-1).proposal = { ...items.at(-1).proposal, id: asked, state: 'pending' }
  })
  await p.button('Approve', p.card).click()
  await p.rest(3)
  assert.match(await p.prose.textContent(), /turned down or left behind, so nothing was done/)
  assert.deepEqual(await extras(), before)
  await p.leave()
})

// S2-42: new chat
check('another answer is asked for, and a new conversation begins with nothing', async () => {
  const p = await enter()
  await model('inventory', say('One.'))
  await p.ask('Say a number')
  await model('inventory', say('Two.'))
  await p.answer.hover()
  await p.button('Answer anew', p.answer).click()
  await p.prose.getByText('Two.').waitFor()
  await p.rest(1)
  const { thread } = await p.kept()
  await p.fresh()
  const now = await p.kept()
  assert.ok(now.thread !== thread && now.items.length === 0)
  await p.leave()
})

// S0-54: the history is this tab's alone
check('whoever signs out leaves nothing behind', async () => {
  const p = await arrive()
  await p.signIn()
  await model('inventory', say('A secret.'))
  await p.ask('Tell me something')
  await p.page.locator('.account > summary').click()
  await p.button('Sign out').click()
  await p.button('Sign in').waitFor()
  assert.deepEqual(await p.page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage })), '{}')
  await p.leave()
})
