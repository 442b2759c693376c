import assert from 'node:assert/strict'
import { call, enter, extras, model, say } from './visit.mjs'
import { check } from './tap.mjs'

// S0-49, S0-53, S0-54, S0-55
check('an answer shows who answers, how, and a table whose figures stand at the right', async () => {
  const p = await enter()
  await p.button('Which cabins do we have?').waitFor()
  await model('inventory', call('list_room_types'), say('**These**, with prices.'))
  await p.button('Which cabins do we have?').click()
  await p.rest(1)
  assert.equal(await p.answer.locator('.badge:visible').textContent(), 'Bernard')
  await p.answer.locator('.steps').click()
  const steps = async () =>
    (await p.answer.locator('.step-title:visible').allTextContents()).filter((title) => /room|Agent/.test(title))
  assert.deepEqual(await steps(), ['List room types'])
  assert.doesNotMatch(await p.answer.innerText(), /\d ms|Agent|Tokens/)
  assert.match(await p.answer.locator('.steps-foot').innerText(), /Answered by/)
  // Agents and times are for developers.
  await p.page.locator('.account > summary').click()
  await p.button('Details for developers').click()
  assert.equal(await p.answer.locator('.badge:visible').textContent(), 'Inventory Agent')
  assert.deepEqual(await steps(), ['Inventory Agent', 'List room types'])
  assert.match(await p.answer.locator('.steps').innerText(), /1 look-up\s*· \d/)
  assert.equal(await p.prose.locator('strong').textContent(), 'These')
  const table = p.prose.locator('table')
  assert.ok((await table.locator('tbody tr').count()) > 3)
  const styles = await table.evaluate((table) => ({
    scrolls: getComputedStyle(table.parentElement).overflowX,
    align: [
      ...new Set(
        [...table.querySelectorAll('tbody td')]
          .filter((cell) => cell.textContent.startsWith('₹'))
          .map((cell) => getComputedStyle(cell).textAlign),
      ),
    ],
  }))
  assert.deepEqual(styles, { scrolls: 'auto', align: ['right'] })
  // A screen reader hears the answer once, when it is whole.
  assert.match(await p.page.locator('.chat > [aria-live]').textContent(), /^Bernard\nThese, with prices\./)
  await p.leave()
})

check('a refusal is no look-up, and a question is shown as a card and not once more as text', async () => {
  const p = await enter()
  await model('inventory', call('get_extra_details', { extra: 'A sledge of glass' }), say('There is none.'))
  await p.ask('What is a sledge of glass?')
  assert.equal(await p.answer.locator('.steps-summary').textContent(), 'Could not be done')
  await model('inventory', call('create_extra', { name: 'Sledge', price: 5, per: 'stay' }))
  await p.ask('Add a sledge')
  assert.equal(await p.card.getByRole('heading').textContent(), 'Add the extra Sledge')
  assert.doesNotMatch(await p.prose.evaluate((e) => e.innerText), /Shall I/)
  await p.leave()
})

// S2-32
check('a question with a choice is answered by its form, and the label is no consent', async () => {
  const p = await enter()
  const options = ['Coco', '<img src=x onerror=hacked()>', 'yes']
  const before = await extras()
  await model('inventory', call('create_extra', { name: 'Swing', price: 5, per: 'stay' }))
  await p.ask('Add a swing')
  await p.ask('no')
  await model(
    'inventory',
    say(
      'Which one?\n\n```clarification\n' +
        JSON.stringify({ question: 'Shall I do it?', type: 'radio', options }) +
        '\n```',
    ),
  )
  await p.ask('And now?')
  assert.deepEqual(await p.prose.getByRole('radio').evaluateAll((all) => all.map((e) => e.value)), options)
  await p.prose.getByRole('radio', { name: 'yes' }).check()
  await model('inventory', say('I see.'))
  await p.button('Answer', p.prose).click()
  await p.rest(4)
  assert.equal(await p.page.locator('.said p').last().textContent(), 'Shall I do it?\nyes')
  assert.equal(await p.prose.textContent(), 'I see.')
  assert.deepEqual(await extras(), before)
  await p.leave()
})

check('no text can become markup on this page', async () => {
  const p = await enter()
  const refused = await p.page.evaluate(() => {
    try {
      document.createElement('p').innerHTML = '<b>x</b>'
    } catch (err) {
      return err.name
    }
    return 'it did'
  })
  assert.equal(refused, 'TypeError')
  p.seen.elsewhere.length = 0 // the policy has reported it
  await p.leave()
})
