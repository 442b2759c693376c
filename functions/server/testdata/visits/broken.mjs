import assert from 'node:assert/strict'
import { begin, call, calls, cut, enter, extras, fail, model, release, say } from './visit.mjs'
import { check } from './tap.mjs'

const chat = '**/api/chat/hospitality'
const add = (name) => call('create_extra', { name, price: 5, per: 'stay' })
const times = async (name) => (await extras()).filter((one) => one === name).length

// The bodies that reached the door, by the page's own account.
function bodies(p) {
  const sent = []
  p.page.on('request', (r) => {
    if (r.method() === 'POST' && r.url().endsWith('/api/chat/hospitality')) sent.push(JSON.parse(r.postData()))
  })
  return sent
}

// F-05
check('a reload in the middle of an answer reads it on', async () => {
  const p = await enter()
  const sent = bodies(p)
  await model('inventory', begin('Once upon a time there was a hotel.'))
  await p.say('Tell me a story')
  await p.prose.getByText('Once upon').waitFor()
  await p.page.reload()
  await p.prose.getByText('Once upon').waitFor()
  assert.equal(await p.page.locator('.said').count(), 1)
  await release()
  await p.prose.getByText('Once upon a time there was a hotel.').waitFor()
  await p.rest(1)
  assert.equal(sent.length, 1)
  await p.leave()
})

check('a reload after a change was approved does not do it twice', async () => {
  const p = await enter()
  await model('inventory', add('Kayak'))
  await p.ask('Add Kayak')
  // The network keeps the answer to the decision until the page has gone. To end
  // the interception while the page loads anew could leave one of its requests
  // waiting for ever.
  let keeps = true
  await p.context.route(chat, async (route) => {
    if (!keeps) return route.continue()
    keeps = false
    await route.fetch()
  })
  await p.button('Approve', p.card).click()
  await p.settled('sending')
  await until(async () => (await times('Kayak')) === 1)
  await p.page.reload()
  await p.settled('approved')
  await p.rest(2)
  assert.equal(await times('Kayak'), 1)
  await p.leave()
})

check('a reload while an approved change is still being reported on does not do it twice', async () => {
  const p = await enter()
  await model('inventory', calls(['create_extra', { name: 'Paddle', price: 5, per: 'stay' }], ['list_coupons']))
  await p.ask('Add Paddle and list the coupons')
  await model('inventory', begin('Paddle is there now, and these are the coupons.'))
  await p.button('Approve', p.card).click()
  await p.prose.getByText('Paddle is').waitFor()
  assert.equal(await times('Paddle'), 1)
  await p.page.reload()
  await p.prose.getByText('Paddle is').waitFor()
  await release()
  await p.prose.getByText('Paddle is there now, and these are the coupons.').waitFor()
  await p.settled('approved')
  await p.rest(2)
  assert.match(await p.prose.textContent(), /Added the extra Paddle/)
  assert.equal(await times('Paddle'), 1)
  await p.leave()
})

check('a model that fails after a change does not hide what was done', async () => {
  const p = await enter()
  await model('inventory', calls(['create_extra', { name: 'Anchor', price: 5, per: 'stay' }], ['list_coupons']))
  await p.ask('Add Anchor and list the coupons')
  await model('inventory', fail)
  await p.button('Approve', p.card).click()
  await p.settled('approved')
  await p.rest(2)
  assert.match(await p.prose.textContent(), /Added the extra Anchor .* I could not finish the answer/)
  assert.deepEqual(await p.answer.locator('.hint').allTextContents(), [
    'The model failed part of the way; the answer says what was done.',
  ])
  assert.equal(await times('Anchor'), 1)
  await p.leave()
})

check('a line that breaks in the middle of an answer is mended without a word', async () => {
  const p = await enter()
  const sent = bodies(p)
  await model('inventory', begin('Once upon a time there was a hotel.'))
  await p.say('Tell me a story')
  await p.prose.getByText('Once upon').waitFor()
  await cut()
  await release()
  await p.prose.getByText('Once upon a time there was a hotel.').waitFor()
  await p.rest(1)
  assert.equal(await p.prose.textContent(), 'Once upon a time there was a hotel.')
  assert.equal(await p.page.locator('.failure').count(), 0)
  assert.equal(sent.length, 1)
  await p.leave()
})

check('offline, and back: nothing is lost and nothing is sent twice', async () => {
  const p = await enter()
  const sent = bodies(p)
  await p.context.setOffline(true)
  await p.say('Which extras are there?')
  await p.answer.getByText('The connection was lost. Nothing is done twice when you try again.').waitFor()
  await p.context.setOffline(false)
  await model('inventory', say('Some.'))
  await p.button('Try again', p.answer).click()
  await p.prose.getByText('Some.').waitFor()
  await p.rest(1)
  assert.equal(new Set(sent.map((body) => body.turn)).size, 1)
  assert.ok(sent.every((body) => body.messages.length === 1))
  await p.leave()
})

// F-05, F-37
check('an approval whose answer is lost is carried out once, and its receipt comes in the end', async () => {
  const p = await enter()
  await model('inventory', add('Canoe'))
  await p.ask('Add Canoe')
  let lost = 0
  await p.context.route(chat, async (route) => {
    await route.fetch()
    lost++
    await route.abort()
  })
  await p.context.route(chat + '/*/stream*', (route) => route.abort())
  await p.button('Approve', p.card).click()
  await p.settled('unsure')
  assert.equal(lost, 1)
  assert.equal(await times('Canoe'), 1)
  await p.context.unroute(chat)
  const replayed = p.page.waitForResponse(chat)
  await p.button('Try again', p.answer).click()
  assert.equal((await replayed).headers()['idempotent-replayed'], 'true')
  await p.settled('approved')
  await p.rest(2)
  assert.match(await p.prose.textContent(), /Canoe/)
  assert.equal(await times('Canoe'), 1)
  await p.leave()
})

check('a stopped answer leaves a chat that goes on', async () => {
  const p = await enter()
  await model('inventory', begin('Once upon a time there was a hotel.'))
  await p.say('Tell me a story')
  await p.prose.getByText('Once upon').waitFor()
  await p.button('Stop the answer').click()
  await p.answer.getByText('You stopped this answer.').waitFor()
  await model('inventory', say('Here I am.'))
  await p.say('And now?')
  await p.prose.getByText('Here I am.').waitFor()
  assert.equal(await p.page.locator('.hint').count(), 0)
  await p.leave()
})

// until asks again and again, with no more delay than the question takes.
async function until(test) {
  for (const end = Date.now() + 30_000; Date.now() < end;) if (await test()) return
  assert.fail('it never came')
}
