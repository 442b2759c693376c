import assert from 'node:assert/strict'
import { call, enter, extras, hears, model, say } from './visit.mjs'
import { check } from './tap.mjs'

// speak records until a second was heard, and waits for the words.
async function speak(p, words) {
  await hears(words)
  await p.button('Speak').click()
  await p.page.getByRole('group', { name: 'Recording' }).getByText('0:01').waitFor()
  await p.button('Done speaking').click()
  await p.page.waitForFunction((words) => document.querySelector('.composer textarea').value === words, words)
}

check('what is spoken is written down to be read and sent, and a spoken yes is no consent', async () => {
  const p = await enter({ permissions: ['microphone'] })
  const before = await extras()
  await speak(p, 'Add an extra called Lantern')
  assert.equal(await p.answers(), 0)
  await model('inventory', call('create_extra', { name: 'Lantern', price: 5, per: 'stay' }))
  await p.composer.press('Enter')
  await p.rest(1)
  await speak(p, 'yes')
  await model('inventory', say('Please press the button.'))
  await p.composer.press('Enter')
  await p.rest(2)
  assert.equal(await p.prose.textContent(), 'Please press the button.')
  assert.deepEqual(await extras(), before)
  await p.leave()
})
