// A family plans a weekend: a sentence, three answers, a hold, a calendar file. No model
// is asked, and what is entered of the travellers reaches no conversation.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { arrive, closeBrowser } from './visit.mjs'
import { hindrances, overflows } from './measure.mjs'
import { check, runAll } from './tap.mjs'

// found lists what hinders people on the views that were looked at.
const found = {}
const look = async (p, view, within = '', { night = false } = {}) => {
  found[view] = [...(await hindrances(p.page, within)), ...(await overflows(p.page))]
  if (!night) return
  await p.page.emulateMedia({ colorScheme: 'dark' })
  found[`${view}, at night`] = await hindrances(p.page, within, 'color-contrast')
  await p.page.emulateMedia({ colorScheme: 'light' })
}
const passport = 'X48219973'

// friday is one in some weeks, and sunday the one after it.
const friday = new Date(
  Date.UTC(
    new Date().getUTCFullYear(),
    new Date().getUTCMonth(),
    new Date().getUTCDate() + 26 - new Date().getUTCDay(),
  ),
)
const sunday = new Date(friday.getTime() + 2 * 86_400_000)
const said = (date) =>
  date.toLocaleDateString('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' })

async function menu(p, entry) {
  await p.page.locator('.account > summary').click()
  await p.button(entry).click()
  return p.page.getByRole('dialog', { name: entry })
}

const family = [
  {
    Title: 'mr',
    Gender: 'm',
    'Given names': 'Rohan',
    'Family name': 'Ashgrove',
    'Date of birth': '1984-05-06',
    'E-mail': 'rohan@ashgrove.example',
    Phone: '+44 7700 900123',
  },
  {
    Title: 'mrs',
    Gender: 'f',
    'Given names': 'Leena',
    'Family name': 'Ashgrove',
    'Date of birth': '1986-02-11',
    'E-mail': 'leena@ashgrove.example',
    Phone: '+44 7700 900124',
  },
  {
    Title: 'miss',
    Gender: 'f',
    'Given names': 'Tara',
    'Family name': 'Ashgrove',
    'Date of birth': `${friday.getUTCFullYear() - 7}-01-15`,
    'E-mail': 'rohan@ashgrove.example',
    Phone: '+44 7700 900123',
  },
]

async function enter(p, dialog, person) {
  await p.button('Add a traveller', dialog).click()
  for (const [label, value] of Object.entries(person)) {
    const field = dialog.getByLabel(label, { exact: true })
    await (label === 'Title' || label === 'Gender' ? field.selectOption(value) : field.fill(value))
  }
}

// S1-6, S1-17: from a sentence to a calendar file.
check('travel: a sentence leads to three answers, a hold and a calendar file, on a telephone', async () => {
  const p = await arrive({
    viewport: { width: 375, height: 812 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
    bypassCSP: true,
    acceptDownloads: true,
  })
  const sent = [] // what went to the conversation and to the tools
  p.page.on('request', (r) => /\/api\/(chat|tools|confirmations)\b/.test(r.url()) && sent.push(r.postData() ?? ''))
  await p.page.getByLabel('E-mail').waitFor()
  await p.signIn()

  const dialog = await menu(p, 'Travellers')
  await enter(p, dialog, { ...family[0], 'Date of birth': '2999-01-01' })
  await p.button('Save', dialog).click()
  assert.equal(
    (await dialog.getByLabel('Date of birth').getAttribute('aria-invalid')) ??
      (await dialog.locator('[data-field="bornOn"] .own-wrong').waitFor(), 'true'),
    'true',
  )
  assert.equal(await p.focused(), 'Date of birth')
  await look(p, 'a traveller that is refused', 'dialog[open]')
  await dialog.getByLabel('Date of birth').fill(family[0]['Date of birth'])
  await dialog.locator('summary', { hasText: 'Passport' }).click()
  await dialog.getByLabel('Number', { exact: true }).fill(passport)
  await dialog.getByLabel('Country that issued it').fill('gb')
  await dialog.getByLabel('Expires on').fill('2034-03-04')
  await p.button('Save', dialog).click()
  await dialog.getByText('Saved.').waitFor()
  for (const person of family.slice(1)) {
    await enter(p, dialog, person)
    await p.button('Save', dialog).click()
    await dialog.getByText(`${person['Given names']} Ashgrove`).waitFor()
  }
  assert.match(await dialog.locator('.own-list').innerText(), /Passport •+73, GB, until 4 Mar 2034/)
  await look(p, 'travellers', 'dialog[open]')
  await p.page.keyboard.press('Escape')

  await p.ask(`A family of three with a child of 7 from London to Lisbon on ${said(friday)}, back ${said(sunday)}`)
  const card = p.answer.locator('.flights')
  await card.waitFor()
  assert.ok((await card.locator('.pick').count()) > 0)
  assert.equal(await p.answer.locator('.step[data-status="complete"]').count(), 1)
  assert.deepEqual([...new Set(await card.locator('.pick-label').allTextContents())].sort(), [
    'Best',
    'Cheapest',
    'Fastest',
  ])
  assert.match(await card.locator('.pick-price').first().innerText(), /\d[^]*for all/)
  await look(p, 'flights', '.answer:last-of-type', { night: true })

  // The search is changed on the card, which stays where it is.
  const before = await card.locator('.pick .offer-code').first().innerText()
  await card.locator('.again > summary').click()
  await p.button('Search again', card).waitFor()
  const cabin = card.getByLabel('Cabin class')
  if (!(await cabin.isVisible())) await card.locator('.form-more > summary').click()
  await cabin.selectOption('business')
  await look(p, 'the form of a card', '.answer .flights')
  await p.button('Search again', card).click()
  await p.page.waitForFunction((code) => !document.querySelector('.flights')?.textContent.includes(code), before)
  assert.equal(await p.page.locator('.flights').count(), 1)
  assert.match(await p.page.locator('.card-changed').innerText(), /cabin class business/)
  const kept = (await p.kept()).items.filter((i) => i.quiet)
  assert.ok(kept.length === 2 && kept[1].message.seal)

  // What can be held is held, after a question.
  const hold = card.getByRole('button', { name: /^Hold: / }).first()
  if (!(await hold.isVisible())) await card.locator('.offers-fold').click()
  await hold.click()
  const tools = p.page.getByRole('dialog', { name: 'Tools' })
  await tools.locator('.proposal').waitFor()
  await look(p, 'the question before a hold', 'dialog[open]')
  await p.button('Approve', tools).click()
  await tools.locator('.booking[data-state="held"]').waitFor()
  await look(p, 'what is held', 'dialog[open]', { night: true })
  await tools.getByRole('button', { name: /^Put it into my trip: TB-/ }).click()
  await p.button('Run', tools).click()
  await tools.locator('.itinerary').waitFor()
  await p.page.keyboard.press('Escape')

  const bookings = await menu(p, 'Bookings and trips')
  await bookings.locator('.state[data-state="held"]').waitFor()
  await look(p, 'bookings', 'dialog[open]')
  await p.page.keyboard.press('Escape')

  await p.ask('Show my trip')
  const trip = p.answer.locator('.itinerary')
  await trip.waitFor()
  assert.ok((await trip.locator('.item[data-type="flight"]').count()) >= 2)
  await look(p, 'a trip', '.answer:last-of-type', { night: true })
  const [file] = await Promise.all([p.page.waitForEvent('download'), p.button('Calendar file', trip).click()])
  const calendar = await readFile(await file.path(), 'utf8')
  assert.match(calendar, /^BEGIN:VCALENDAR\r\n[^]*BEGIN:VEVENT[^]*END:VCALENDAR\r\n$/)
  assert.equal(calendar.match(/BEGIN:VEVENT/g).length, 2)

  const all = sent.join('\n') + calendar + JSON.stringify(await p.kept())
  for (const secret of [passport, 'Rohan', '1984-05-06', 'leena@']) assert.ok(!all.includes(secret), secret)
  assert.deepEqual(
    Object.entries(found).filter(([, list]) => list.length > 0),
    [],
  )
  await p.leave()
})

// S1-33: what is remembered is seen, changed and forgotten.
check('travel: preferences and decisions are kept by hand, and forgotten', async () => {
  for (const view in found) delete found[view]
  const p = await arrive({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', bypassCSP: true })
  await p.page.getByLabel('E-mail').waitFor()
  await p.signIn()
  const dialog = await menu(p, 'Travel preferences')
  await dialog.getByLabel('Home airport').fill('lhr')
  await dialog.getByLabel(/^Airlines/).fill('TAP Air Portugal, tap air portugal, British Airways')
  await dialog.getByRole('switch', { name: /^Learn/ }).check()
  await p.button('Save', dialog).first().click()
  await dialog.getByText('Saved.').waitFor()
  await dialog.getByLabel('Add a decision').fill('No red-eye flights')
  await dialog.getByLabel('About').selectOption('flights')
  await p.button('Add', dialog).click()
  await dialog.locator('.own-list', { hasText: 'No red-eye flights' }).waitFor()
  await look(p, 'preferences', 'dialog[open]', { night: true })
  await p.page.keyboard.press('Escape')
  await menu(p, 'Travel preferences')
  assert.deepEqual(
    [
      await dialog.getByLabel('Home airport').inputValue(),
      await dialog.getByLabel(/^Airlines/).inputValue(),
      await dialog.getByRole('switch', { name: /^Learn/ }).isChecked(),
    ],
    ['LHR', 'TAP Air Portugal, British Airways', true],
  )
  await p.button('Forget everything…', dialog).click()
  await p.button('Yes, forget it', dialog).click()
  await dialog.getByText('It is forgotten.').waitFor()
  assert.equal(await dialog.getByLabel('Home airport').inputValue(), '')
  assert.equal(await dialog.locator('.own-list').count(), 0)
  assert.deepEqual(
    Object.entries(found).filter(([, list]) => list.length > 0),
    [],
  )
  await p.leave()
})

await runAll()
await closeBrowser()
