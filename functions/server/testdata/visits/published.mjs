// The public page of a project, as its readers see it: without an account, without
// scripts, on a phone or at a desk.
import assert from 'node:assert/strict'
import { launch, visit } from './browser.mjs'
import { hindrances, overflows } from './measure.mjs'
import { check, runAll } from './tap.mjs'

const { url, chromium, token, path, version, site, photos } = JSON.parse(process.env.SETTINGS)
const browser = await launch(chromium)

// as asks the API as the contractor.
async function as(address, body) {
  const response = await fetch(url + address, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = await response.json()
  assert.equal(response.status, 200, JSON.stringify(answer))
  return answer
}

// open opens an address of ours and says with which status it answers.
async function open(address, options) {
  const { page, context, seen } = await visit(browser, [url], options)
  const response = await page.goto(url + address)
  return { page, context, seen, status: response.status(), policy: response.headers()['content-security-policy'] }
}

// Rules whose outcome depends on the colours.
const coloured = ['color-contrast', 'link-in-text-block']

// accessible looks at an address on a phone, and at the further widths, in both colours.
async function accessible(address, status, ...further) {
  // axe-core needs what the policy forbids.
  const {
    page,
    context,
    status: got,
  } = await open(address, { viewport: { width: 375, height: 812 }, reducedMotion: 'reduce', bypassCSP: true })
  assert.equal(got, status)
  const found = {}
  for (const width of [375, ...further]) {
    await page.setViewportSize({ width, height: 812 })
    await page.emulateMedia({ colorScheme: 'light' })
    const light = [...(await hindrances(page, '')), ...(await overflows(page))]
    await page.emulateMedia({ colorScheme: 'dark' })
    found[width] = [...light, ...(await hindrances(page, '', ...coloured))]
  }
  await context.close()
  assert.deepEqual(
    Object.entries(found).filter(([, problems]) => problems.length > 0),
    [],
  )
}

let address = `/p/${site}/oak-kitchen`

check('what is not published is not there', () => accessible(address, 404))

check('a published page has its photos and asks nobody else', async () => {
  const { report, project } = await as(`${path}/publish`, { version })
  assert.deepEqual(
    report.rules.filter((rule) => !rule.ok),
    [],
  )
  address = project.url
  const { page, context, seen, status, policy } = await open(address, {
    viewport: { width: 375, height: 812 },
    javaScriptEnabled: true,
  })
  assert.equal(status, 200)
  assert.match(policy, /default-src 'none'/)
  assert.equal(await page.locator('h1').textContent(), 'Oak kitchen <script>hacked()</script>')
  // Photos below the first one come when they are near.
  const images = page.locator('img')
  assert.equal(await images.count(), photos)
  for (const image of await images.all()) {
    await image.scrollIntoViewIfNeeded()
    await page.waitForFunction((e) => e.complete && e.naturalWidth > 0, await image.elementHandle())
  }
  const alts = await images.evaluateAll((list) => list.map((e) => e.alt))
  assert.deepEqual(
    alts.toSorted(),
    [1, 2, 3, 4].map((n) => `The kitchen from side ${n}`),
  )
  assert.deepEqual(await page.locator('figcaption').allTextContents(), ['Before', 'After'])
  assert.deepEqual(await page.evaluate(() => [...document.scripts].map((s) => s.type)), ['application/ld+json'])
  assert.ok((await page.evaluate(() => document.styleSheets[0].cssRules.length)) > 50, 'the style sheet is refused')
  assert.doesNotMatch(await page.content(), /Rosewood/)
  assert.deepEqual(seen, { elsewhere: [], errors: [] })
  await context.close()
})

check('a published page is accessible and fits', () => accessible(address, 200, 1440, 320))

check('the ways to the business are in the reach of a thumb, and of the keyboard', async () => {
  const { page, context } = await open(address, { viewport: { width: 375, height: 812 } })
  const call = page.getByRole('navigation').getByRole('link', { name: 'Call' })
  const box = await call.boundingBox()
  assert.ok(box.height >= 44 && box.y > 812 - 90 && box.y + box.height <= 812, JSON.stringify(box))
  assert.equal(await call.getAttribute('href'), 'tel:01134960000')
  const been = []
  for (let n = 0; n < 4; n++) {
    await page.keyboard.press('Tab')
    been.push(
      await page.evaluate(
        () => document.activeElement.innerText.trim() || document.activeElement.querySelector('img').alt,
      ),
    )
  }
  assert.deepEqual(been, ['Dale Joinery', 'Call', 'WhatsApp', 'The kitchen from side 1'])
  // The last link is not hidden below the buttons.
  const last = page.getByRole('link', { name: /^All work by/ })
  await last.scrollIntoViewIfNeeded()
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  const low = await last.boundingBox()
  assert.ok(low.y + low.height < box.y, JSON.stringify([low, box]))
  await context.close()
})

check('the list of all work is accessible, and leads to the page', async () => {
  await accessible(`/p/${site}`, 200, 1440)
  const { page, context } = await open(`/p/${site}`)
  await page.getByRole('link', { name: /^Oak kitchen|side 1/ }).click()
  await page.waitForURL(url + address)
  await context.close()
})

check('a page that was taken back says so', async () => {
  await as(`${path}/unpublish`, {})
  await accessible(address, 410)
})

await runAll()
await browser.close()
