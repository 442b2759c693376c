import assert from 'node:assert/strict'
import { deflateSync, crc32 } from 'node:zlib'
import { call, enter, model, say } from './visit.mjs'
import { check } from './tap.mjs'

check('a chart stands beside its table, says its figures, and opens in the panel', async () => {
  const p = await enter()
  await model(
    'analytics',
    call('compare_periods', { start_date: '2026-01-01', end_date: '2026-01-31' }),
    say('Here: [[table:t1a]] That is all.'),
  )
  await p.ask('Compare January with December')
  const chart = p.prose.locator('.beside .chart').first()
  await chart.waitFor()
  assert.equal(await p.prose.locator('.beside table').count(), 1)
  assert.match(await chart.locator('svg[role=img]:visible desc').textContent(), /\nRevenue: /)
  assert.equal(await chart.locator('svg[role=img]:visible').getAttribute('role'), 'img')
  await p.button('Open the chart “Revenue compared”', chart).click()
  const panel = p.page.getByRole('dialog', { name: 'Revenue compared' })
  await panel.locator('svg[role=img]:visible').waitFor()
  assert.equal(await panel.locator('.chart-list li').count(), 3)
  await p.page.keyboard.press('Escape')
  await p.leave()
})

check('a tool run by hand shows its chart, too', async () => {
  const p = await enter()
  await p.button('Tools').click()
  const drawer = p.page.getByRole('dialog', { name: 'Tools' })
  await drawer.getByRole('button', { name: /^Get occupancy stats/ }).click()
  await p.button('Run', drawer).click()
  await drawer.locator('.tools-result svg[role=img]:visible').first().waitFor()
  assert.equal(await drawer.locator('.tools-result table').count(), 1)
  await p.page.keyboard.press('Escape')
  await p.leave()
})

// wanted is a form, choice a question, as parts of an answer.
export const wanted = {
  kind: 'params',
  text: 'New invoice',
  data: {
    title: 'New invoice',
    applied: [
      { name: 'customer', label: 'Customer', value: 'Konkan Kitchen Mart (C-0003)', source: 'looked_up' },
      { name: 'date', label: 'Date', value: '22/11/2026', source: 'default' },
    ],
    pending: [{ name: 'lines', label: 'What', hint: 'What was sold, how many, and at which price?' }],
  },
}
export const choice = {
  kind: 'clarification',
  text: 'Which one?',
  data: {
    question: 'Which customer do you mean?',
    type: 'radio',
    options: ['Konkan Kitchen Mart', '<b>Konkan</b> Retail'],
  },
}

// S2-31
check('a form says what is known and from where, and what is wanted is answered by it', async () => {
  const p = await enter()
  await model('inventory', say('Nearly there.'))
  await p.gets(wanted, choice)
  await p.ask('Make an invoice for Konkan')
  const form = p.answer.locator('[data-kind="params"]')
  assert.deepEqual(await form.locator('dd').allTextContents(), [
    'Konkan Kitchen Mart (C-0003)from the records',
    '22/11/2026default',
  ])
  await form.getByLabel('What').fill('3 tawas at 575')
  await model('inventory', say('Thank you.'))
  await p.button('Add these', form).click()
  await p.rest(2)
  assert.equal(await p.page.locator('.said p').last().textContent(), 'What: 3 tawas at 575')
  assert.ok(await p.page.getByLabel('What', { exact: true }).isDisabled())
  await p.leave()
})

// S2-32
check('a choice that is pressed is the answer', async () => {
  const p = await enter()
  await model('inventory', say('There are two.'))
  await p.gets(choice)
  await p.ask('Make an invoice for Konkan')
  await p.answer.getByRole('radio', { name: '<b>Konkan</b> Retail' }).check()
  await model('inventory', say('Thank you.'))
  await p.button('Answer', p.answer).click()
  await p.rest(2)
  assert.equal(
    await p.page.locator('.said p').last().textContent(),
    'Which customer do you mean?\n<b>Konkan</b> Retail',
  )
  await p.leave()
})

// png draws a picture of one grey.
function png(width, height) {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const size = Buffer.alloc(4),
      sum = Buffer.alloc(4)
    size.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([size, body, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width)
  head.writeUInt32BE(height, 4)
  head[8] = 8 // bits, grey
  const rows = Buffer.alloc((width + 1) * height, 120)
  for (let y = 0; y < height; y++) rows[y * (width + 1)] = 0
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

check('an attached picture is shown from Storage by an address that is kept nowhere, and enlarged', async () => {
  const p = await enter()
  const signed = []
  p.page.on(
    'request',
    (request) =>
      request.url().includes('/storage/v1/object/sign/') &&
      request.resourceType() === 'image' &&
      signed.push(request.url()),
  )
  await p.page
    .locator('.composer input[type="file"]')
    .setInputFiles([{ name: 'lake.png', mimeType: 'image/png', buffer: png(400, 300) }])
  await p.page.locator('.tray [data-state="ready"]').waitFor()
  await model('inventory', say('It is a lake.'))
  await p.ask('What is this?')
  const picture = p.answer.locator('.gallery').getByRole('img', { name: 'lake.png' })
  const arrives = (image) => image.and(p.page.locator('img[src]')).evaluate((image) => image.decode())
  await arrives(picture)
  assert.deepEqual(
    await picture.evaluate((image) => [
      image.naturalWidth,
      image.naturalHeight,
      image.width,
      image.height,
      image.loading,
    ]),
    [400, 300, 213, 160, 'lazy'],
  )
  await p.button('Enlarge lake.png', p.answer).click()
  const large = p.page.getByRole('dialog', { name: 'lake.png' }).getByRole('img', { name: 'lake.png' })
  await arrives(large)
  assert.equal(await large.evaluate((image) => image.naturalWidth), 400)
  await p.page.keyboard.press('Escape')
  assert.ok(signed.length > 0) // two in one second are alike, and asked for once
  const kept = await p.page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
  assert.ok(!kept.includes('/object/sign/'), 'a signed address was kept')
  await p.leave()
})
