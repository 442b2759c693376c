import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { call, enter, foreign, model, say, url } from './visit.mjs'
import { check } from './tap.mjs'

// A table has formulas and markup in it: a person in the demo data may be called anything.
const name = '=HYPERLINK("https://evil.example")<img src=x onerror=hacked()>'

// S0-60
check('a conversation is saved as a file, in which a hostile name is a name', async () => {
  const p = await enter()
  await model('inventory', call('create_extra', { name, price: 5, per: 'stay' }))
  await p.ask('Add it')
  await p.button('Approve', p.card).click()
  await p.settled('approved')
  await p.rest(2)
  await model('inventory', call('list_extras'), say('Here they are.'))
  await p.ask('Which extras are there?')

  const saved = async (label) => {
    await p.page.getByLabel('Save this conversation').click()
    const [file] = await Promise.all([
      p.page.waitForEvent('download'),
      p.page.locator('.menu-item', { hasText: label }).click(),
    ])
    return { name: file.suggestedFilename(), body: await readFile(await file.path()) }
  }
  const csv = await saved('CSV')
  assert.match(csv.name, /\.csv$/)
  const cell = name.replaceAll('"', '""')
  assert.ok(csv.body.includes(`"'${cell}`), 'the formula is not disarmed')
  assert.ok(!csv.body.includes(`,"${cell}`), 'a formula is in a cell of its own')
  const book = await saved('Excel workbook')
  assert.match(book.name, /\.xlsx$/)
  assert.equal(book.body.subarray(0, 2).toString(), 'PK')
  const pdf = await saved('PDF')
  assert.equal(pdf.body.subarray(0, 5).toString(), '%PDF-')

  // The saved page is opened where no policy protects it.
  const html = await saved('Web page')
  await p.context.route(url + '/saved.html', (route) => route.fulfill({ contentType: 'text/html', body: html.body }))
  const saw = await p.context.newPage()
  const errors = []
  saw.on('console', (said) => errors.push(said.text()))
  await saw.goto(url + '/saved.html')
  assert.ok((await saw.locator('td').allTextContents()).includes(name))
  assert.equal(await saw.locator('script, img, iframe, link').count(), 0)
  assert.deepEqual(errors, [])
  await p.leave()
})
