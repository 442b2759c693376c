import assert from 'node:assert/strict'
import { api, arrive, bookings, call, enter, foreign, model, say } from './visit.mjs'
import { check } from './tap.mjs'

// Names that would run or fetch something if anybody took them for markup: in
// HTML, in Markdown, in our own placeholders, and out of an attribute.
const names = [
  '<script>hacked()</script>',
  '<img src=https://evil.example/a.png onerror=hacked()>',
  '"><img src=x onerror=hacked()>',
  '<svg/onload=hacked()>',
  '<svg><animate onbegin=hacked() attributeName=x dur=1s>',
  '<iframe srcdoc="<script>parent.hacked()</script>">',
  '<math><mtext><table><mglyph><style><img src=x onerror=hacked()>',
  '<noscript><p title="</noscript><img src=x onerror=hacked()>">',
  '</td></tr></table><img src=x onerror=hacked()>',
  '<a href="javascript:hacked()">Ana</a>',
  '<form action=https://evil.example><input name=q><button>Ana</button>',
  '<base href=https://evil.example/>',
  '<meta http-equiv=refresh content=0;url=https://evil.example/>',
  '<link rel=stylesheet href=https://evil.example/c.css>',
  '<style>@import "https://evil.example/d.css";</style>',
  '[Ana](javascript:hacked())',
  '![Ana](https://evil.example/b.png)',
  '[Ana][1] [1]: https://evil.example/e',
  '&lt;img src=x onerror=hacked()&gt;',
  '[[table:t1]] **Ana** `code`',
]

// day returns a day of a far year, two nights apart for each name.
const day = (n) => new Date(Date.UTC(2027, 2, 1 + n)).toISOString().slice(0, 10)

check('the watch over a page sees what it should', async () => {
  const p = await arrive()
  await p.page.getByLabel('E-mail').waitFor()
  await p.page.evaluate(() => {
    const image = document.createElement('img')
    image.src = 'https://evil.example/a.png'
    document.querySelector('#app').append(image)
    window.hacked()
  })
  assert.equal((await p.page.evaluate(foreign)).length, 2)
  assert.ok(
    p.seen.elsewhere.some((what) => what.includes('evil.example/a.png')) &&
      p.seen.elsewhere.some((what) => what.endsWith('hacked')),
  )
  await p.context.close()
})

// S0-55
check('hostile guest names are shown as they are, in tables, replies, steps and questions', async () => {
  for (const [i, name] of names.entries()) {
    const asked = await api('/api/tools/hospitality/create_reservation', {
      room: 'COCO',
      check_in: day(2 * i),
      check_out: day(2 * i + 1),
      guest_name: name,
      adults: 1,
      ignore_restrictions: true,
    })
    assert.ok(asked.confirmation, `${name}: ${JSON.stringify(asked)}`)
    const done = await api(`/api/confirmations/${asked.confirmation.id}`, { decision: 'approve' })
    assert.ok(done.result, `${name}: ${JSON.stringify(done)}`)
  }
  const held = (await bookings()).filter((b) => names.includes(b.guest))
  assert.equal(held.length, names.length)

  const p = await enter()
  await model(
    'reservations',
    call('search_reservations', { from: day(0), to: day(99), limit: 100 }),
    say(`Here they are.\n\n${names.join('\n\n')}\n\n${names.join(' ')}`),
  )
  await p.ask('Who comes in spring 2027?')
  const cells = await p.prose.locator('td').allTextContents()
  assert.deepEqual(
    names.filter((name) => !cells.includes(name)),
    [],
  )

  // Their own words, in the step's arguments, the question, and the receipt.
  for (const { code, guest } of held.slice(0, 3)) {
    await model('reservations', call('cancel_reservation', { code, reason: guest }))
    await p.ask(`Cancel ${code} for ${guest}`)
    assert.ok((await p.card.textContent()).includes(guest))
    await p.button('Approve…', p.card).click()
    await p.button('Yes, do it', p.card).click()
    await p.settled('approved')
    await p.rest(await p.answers())
  }
  for (const steps of await p.page.locator('.steps').all()) await steps.click()
  assert.deepEqual((await bookings()).filter((b) => names.includes(b.guest) && b.status === 'cancelled').length, 3)
  await p.leave()
})
