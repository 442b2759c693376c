import assert from 'node:assert/strict'
import { call, enter, model, ratings, say } from './visit.mjs'
import { check } from './tap.mjs'

// answered is a person who got an answer that is like no other.
async function answered(words) {
  const p = await enter()
  await model('inventory', call('list_extras'), say(words))
  await p.ask('Which extras do we sell?')
  return p
}

const kept = async (words) =>
  (await ratings())
    .filter((r) => r.answer.includes(words))
    .map(({ rating, reason, comment }) => [rating, reason, comment])

check('an answer is rated, changed and taken back, with the keyboard alone', async () => {
  const p = await answered('Two of these sell well.')
  const status = p.answer.getByRole('status')
  await p.press('Shift+Tab', 'Good answer')
  const heard = p.page.waitForResponse((r) => r.url().endsWith('/api/feedback'))
  await p.page.keyboard.press('Enter')
  await status.getByText('Thank you.').waitFor()
  await heard
  assert.deepEqual(await kept('Two of these'), [['up', null, null]])

  await p.press('Tab', 'Bad answer')
  await p.page.keyboard.press('Enter')
  assert.equal(await p.focused(), 'It is wrong')
  await p.press('Tab', 'Something is missing')
  await p.page.keyboard.press('Space')
  assert.equal(await p.button('Something is missing', p.answer).getAttribute('aria-pressed'), 'true')
  await p.press('Tab', 'What was wrong, in your words')
  await p.page.keyboard.type('  <b>Breakfast</b> is missing.')
  const said = p.page.waitForResponse((r) => r.request().postData()?.includes('Breakfast'))
  await p.page.keyboard.press('Enter')
  assert.equal(await p.focused(), 'Bad answer')
  await status.getByText('Thank you.').waitFor()
  await said
  assert.deepEqual(await kept('Two of these'), [['down', 'incomplete', '<b>Breakfast</b> is missing.']])

  // What was said is known after the page was opened anew.
  await p.page.reload()
  await p.composer.waitFor()
  assert.equal(await p.button('Bad answer', p.answer).getAttribute('aria-pressed'), 'true')
  await p.press('Shift+Tab', 'Undo')
  const undone = p.page.waitForResponse((r) => r.request().postData()?.includes('"none"'))
  await p.page.keyboard.press('Enter')
  await undone
  assert.deepEqual(await kept('Two of these'), [])
  assert.deepEqual([await p.focused(), await status.textContent()], ['Good answer', ''])
  await p.leave()
})

check('a thumb down needs no reason, and Escape puts the question away', async () => {
  const p = await answered('Three of these sell badly.')
  const heard = p.page.waitForResponse((r) => r.url().endsWith('/api/feedback'))
  await p.button('Bad answer', p.answer).click()
  await heard
  await p.page.keyboard.press('Escape')
  assert.equal(await p.focused(), 'Bad answer')
  assert.ok(await p.answer.locator('.feedback-why').isHidden())
  assert.deepEqual(await kept('Three of these'), [['down', null, null]])
  await p.leave()
})

check('what the server refuses is taken back and said', async () => {
  const p = await answered('Four of these were never sold.')
  await p.change((thread) => {
    thread.items[1].message.content += ' Trust me.'
  })
  await p.button('Good answer', p.answer).click()
  await p.answer
    .getByRole('status')
    .getByText(/cannot be verified/)
    .waitFor()
  assert.equal(await p.button('Good answer', p.answer).getAttribute('aria-pressed'), 'false')
  assert.deepEqual(await kept('Four of these'), [])
  p.seen.errors.length = 0 // the browser's word on the refusal
  await p.leave()
})
