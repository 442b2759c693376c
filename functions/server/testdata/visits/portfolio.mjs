// A contractor on a telephone, and later at a desk: photos, a spoken minute, answers,
// edits, a page. No model is asked.
import assert from 'node:assert/strict'
import { arrive, closeBrowser, hears, photo } from './visit.mjs'
import { hindrances, overflows } from './measure.mjs'
import { check, runAll } from './tap.mjs'

const story =
  'We finished an oak kitchen renovation for the Patels at 14 Rosewood Lane in Leeds. They had a galley kitchen from 1986 and no room for five people. ' +
  'We took out the wall, put in a steel beam and built solid oak cabinets with dovetail joints. It took three weeks, and now the whole family cooks together.'

// found lists what hinders people on the views that were looked at.
const found = {}
const look = async (p, view, within = '') =>
  (found[view] = [...(await hindrances(p.page, within)), ...(await overflows(p.page))])
const asDark = async (p, view, within) => {
  await p.page.emulateMedia({ colorScheme: 'dark' })
  found[`${view}, at night`] = await hindrances(p.page, within, 'color-contrast')
  await p.page.emulateMedia({ colorScheme: 'light' })
}
const panelOf = (p) => p.page.locator('.project-room')
const saved = (p) =>
  p.page.waitForFunction(() => !/Saving/.test(document.querySelector('.project-saving').textContent))
const files = async (...names) =>
  Promise.all(
    names.map(async (name, n) => ({ name, mimeType: 'image/jpeg', buffer: Buffer.from(await photo(n), 'base64') })),
  )

// profile fills in what stands on every page.
async function profile(p, more = async () => {}) {
  await p.page.locator('.account > summary').click()
  await p.button('Business profile').click()
  const form = p.page.getByRole('dialog', { name: 'Business profile' })
  await form.getByLabel('Name', { exact: true }).fill('Dale & Daughters')
  await form.getByLabel('WhatsApp').fill('+44 7700 900123')
  await more(form)
  await p.button('Save', form).click()
  await form.getByText('Saved.').waitFor()
  await p.page.keyboard.press('Escape')
}

// answered goes on until nothing is asked any more.
async function answered(p) {
  for (let n = await p.answers(); (await p.answer.locator('.ask input').count()) > 0; n++) {
    assert.ok(n < 6, 'more than three questions')
    await p.answer.locator('.ask input').first().check()
    await p.button('Answer', p.answer).click()
    await p.rest(n + 1)
  }
}

// S3-16, S3-29, S3-30, S3-32: photos and words on a telephone become a page.
check('portfolio: photos and a spoken minute become a page, on a telephone', async () => {
  const p = await arrive({
    viewport: { width: 375, height: 812 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
    bypassCSP: true,
    permissions: ['microphone'],
  })
  await p.page.getByLabel('E-mail').waitFor()
  await p.signIn()
  await profile(p, (form) => look(p, 'the profile of the business', 'dialog[open]'))
  await look(p, 'before anything was said')

  // Photos begin a project. One is damaged, and one is no photo.
  const zone = p.page.locator('.welcome .dropzone')
  await zone
    .locator('input[type=file]')
    .first()
    .setInputFiles([
      ...(await files('one.jpg', 'two.jpg', 'three.jpg')),
      { name: 'torn.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a photo') },
      { name: 'plan.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-') },
    ])
  await p.page.locator('.upload[data-state="ready"]').nth(2).waitFor()
  await p.page.locator('.upload[data-state="refused"]').nth(1).waitFor()
  assert.match(await p.page.locator('.upload', { hasText: 'plan.pdf' }).innerText(), /not a photo/)
  await p.page.locator('.projectbar').waitFor()
  await look(p, 'photos that were added', '.chat')

  // What is spoken is read before it is sent.
  await hears(story)
  await p.button('Speak').click()
  await p.page.getByRole('group', { name: 'Recording' }).getByText('0:01').waitFor()
  await look(p, 'speaking', '.dock')
  await p.button('Done speaking').click()
  await p.page.waitForFunction((words) => document.querySelector('.composer textarea').value === words, story)
  await look(p, 'what was spoken', '.dock')
  await p.composer.press('Enter')
  await p.rest(1)
  await answered(p)
  await look(p, 'the interview', '.answer:last-of-type')

  // The editor opens when the page is written, as a drawer.
  const n = await p.answers()
  await p.ask('Generate the portfolio content now.')
  const drawer = p.page.getByRole('dialog', { name: 'Page of the project' })
  await drawer.waitFor()
  assert.equal(await p.answers(), n + 1)
  const panel = panelOf(p)
  await panel.getByLabel('What is to be seen on photo 3').waitFor()
  await look(p, 'the editor', '.project-room')
  await asDark(p, 'the editor', '.project-room')
  // What is missing leads to its field.
  await panel.locator('.project-missing summary').click()
  await look(p, 'what is missing', '.project-foot')
  await panel.getByRole('button', { name: /^Go there: .*faces/ }).click()
  assert.equal(await p.focused(), 'Faces of people')
  await panel.locator('.project-missing summary').click()
  for (const i of [1, 2, 3]) await panel.getByLabel(`What is to be seen on photo ${i}`).fill(`The kitchen, view ${i}`)
  await p.button('Move photo 3 up', panel).click()
  await p.button('Photo 1 at the top of the page', panel).click()
  await panel.getByLabel('Faces of people', { exact: true }).selectOption('none')
  await panel.getByLabel('Number plates', { exact: true }).selectOption('none')
  await p.button('Confirm for these photos', panel).click()
  await saved(p)
  assert.deepEqual(await panel.locator('.edit-photo textarea').evaluateAll((all) => all.map((t) => t.value)), [
    'The kitchen, view 1',
    'The kitchen, view 3',
    'The kitchen, view 2',
  ])
  await panel.getByRole('tab', { name: 'Preview' }).click()
  await p.page.waitForFunction(() => document.querySelector('.preview-hero img')?.naturalWidth > 0)
  assert.doesNotMatch(await panel.locator('.preview').innerText(), /Rosewood/)
  await look(p, 'the preview', '.project-room')

  // Publishing asks first, twice.
  await panel.getByText('Nothing is missing: it can be published.').waitFor()
  await p.button('Publish', panel).click()
  await panel.locator('.proposal').waitFor()
  await look(p, 'the question before it is published', '.project-room')
  await p.button('Approve…', panel).click()
  await p.button('Yes, do it', panel).click()
  const link = panel.locator('.project-address a')
  const page = await (await fetch(await link.getAttribute('href'))).text()
  assert.match(page, /Dale &amp; Daughters/)
  assert.doesNotMatch(page, /Rosewood|<script(?! type="application\/ld\+json")/)
  await look(p, 'what is public', '.project-room')
  await p.button('Close the page', panel).click()
  await drawer.waitFor({ state: 'hidden' })
  assert.deepEqual(
    Object.entries(found).filter(([, list]) => list.length > 0),
    [],
  )
  await p.leave()
})

// S3-14, S3-16, S3-30: fields are saved one by one, and what was done can be taken back.
check(
  'portfolio: the page is edited beside the conversation, by keys alone, and what is hostile is text',
  async () => {
    for (const view in found) delete found[view]
    const p = await arrive({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', bypassCSP: true })
    await p.page.getByLabel('E-mail').waitFor()
    await p.signIn()
    await p.page.locator('.project-row').first().locator('.talk-open').click()
    const panel = panelOf(p)
    await panel.locator('.preview-title').waitFor()
    await look(p, 'a project beside its conversation')
    await p.button('Undo the last change', panel).focus()
    await p.press('Tab', 'Preview')
    await p.page.keyboard.press('ArrowRight')
    assert.equal(await p.focused(), 'Edit')
    await panel.getByLabel('Title', { exact: true }).fill('<script>hacked()</script>')
    await p.page.keyboard.press('Tab')
    await panel.getByRole('heading', { name: '<script>hacked()</script>' }).waitFor()
    await saved(p)
    const materials = panel.getByRole('textbox', { name: 'Materials', exact: true })
    await materials.fill('copper, Copper')
    await materials.press('Enter')
    await saved(p)
    assert.equal(await panel.locator('[data-field="materials"] .words li', { hasText: /^copper$/i }).count(), 1)
    const before = await panel.locator('.edit-block').count()
    await panel.locator('.edit-add > summary').press('Enter')
    await panel.getByRole('button', { name: 'Quote', exact: true }).press('Enter')
    const quote = panel.getByLabel(`Quote, piece ${before + 1}`, { exact: true })
    await quote.fill('We cook together now. <img src=x onerror=hacked()>')
    await p.page.keyboard.press('Tab')
    await saved(p)
    await p.button(`Move up: Quote, piece ${before + 1}`, panel).press('Enter')
    assert.equal(await p.focused(), `Move up: Quote, piece ${before}`)
    await saved(p)
    await look(p, 'the editor')
    await panel.getByRole('tab', { name: 'Preview' }).click()
    await panel.getByText('We cook together now. <img src=x onerror=hacked()>').waitFor()
    for (const _ of [1, 2]) {
      await p.button('Undo the last change', panel).click()
      await saved(p)
    }
    assert.equal(await panel.locator('.preview-quote').count(), 0)
    // The page that is public stays as it was, until it is published again.
    await panel.getByText('Published · changed since').waitFor()
    await p.button('Take it back', panel).click()
    await p.button('Approve', panel.locator('.proposal')).click()
    await panel.locator('.project-status[data-status="draft"]').waitFor()
    assert.equal(await panel.locator('.project-address').count(), 0)
    await p.page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
    assert.deepEqual(
      Object.entries(found).filter(([, list]) => list.length > 0),
      [],
    )
    await p.leave()
  },
)

await runAll()
await closeBrowser()
