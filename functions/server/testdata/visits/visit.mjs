// A person at the page: what they do, and what they can see.
import assert from 'node:assert/strict'
import { launch, visit } from './browser.mjs'

export const { url, supabase, chromium, control, token, email, password } = JSON.parse(process.env.SETTINGS)

const browser = await launch(chromium)
export const closeBrowser = () => browser.close()

// told asks the test's own door, which is no part of the product.
async function told(path, body) {
  const response = await fetch(control + path, { method: 'POST', body: JSON.stringify(body ?? null) })
  assert.ok(response.ok, `${path}: ${response.status}`)
  return response.status === 204 ? null : response.json()
}

// extras, bookings and ratings return what the database holds.
export const extras = () => told('/extras')
export const ratings = () => told('/ratings')
export const bookings = () => told('/bookings')

// model says which agent the router will choose, and what the agent's model
// will answer, one step for each time it is asked.
export const model = (agent, ...steps) => told('/model', { agent, steps })
export const call = (name, args = {}) => calls([name, args])
export const calls = (...list) => ({
  calls: list.map(([name, args = {}]) => ({ name, arguments: JSON.stringify(args) })),
})
export const say = (text) => ({ say: text })
// begin says the beginning of a text and keeps the rest until release.
export const begin = (text) => ({ say: text, hold: true })
export const release = () => told('/release')
export const fail = { fail: true }

// suggest has a phrase suggested to the organisation, and turns that show figures.
export const suggest = (phrase) => told('/suggest', phrase)

// hears says what the next recording will be taken for.
export const hears = (words) => told('/hears', words)

// photo returns a photo as a camera makes it, with where it was taken, in base64.
export const photo = (seed) => told('/photo', seed)

// cut breaks all lines to the server.
export const cut = () => told('/cut')

// api asks a door of the product as the same person, without the page.
export async function api(path, body) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.json()
}

// arrive opens the page. The stranger's code in our stories calls hacked().
export async function arrive(options, prepare = () => {}) {
  const { page, context, seen } = await visit(browser, [url, supabase], options)
  await prepare(context)
  await context.addInitScript(() => {
    window.hacked = () => console.error('Content Security Policy and all else were passed: hacked')
  })
  await page.goto(url)
  return new Person(page, context, seen)
}

// enter is arrive for somebody who has signed in, in earnest for the first story
// and with the same session in each that follows.
export async function enter(options) {
  const p = await arrive(
    options,
    (context) =>
      session &&
      context.addInitScript((session) => {
        if (location.protocol !== 'http:' || window.name !== '') return
        window.name = 'has been here' // a reload must find what the page has left
        sessionStorage.setItem('bellhop.session', session)
      }, session),
  )
  if (session) await p.composer.waitFor()
  else await p.signIn()
  session ??= await p.page.evaluate(() => sessionStorage.getItem('bellhop.session'))
  return p
}
let session = null

class Person {
  constructor(page, context, seen) {
    Object.assign(this, { page, context, seen })
    this.composer = page.locator('.composer').getByRole('textbox')
    this.list = page.getByRole('complementary', { name: 'Conversations' })
    this.answer = page.locator('.answer').last()
    this.prose = this.answer.locator('.prose')
    this.card = page.locator('.proposal').last()
  }

  // beside is the same person in another tab.
  beside(page) {
    return new Person(page, this.context, this.seen)
  }

  button(name, within = this.page) {
    return within.getByRole('button', { name, exact: true })
  }

  // signIn fills the form in.
  async signIn(secret = password, who = email) {
    await this.page.getByLabel('E-mail').fill(who)
    await this.page.getByLabel('Password').fill(secret)
    await this.button('Sign in').click()
    if (secret === password) await this.composer.waitFor()
  }

  // say sends a message.
  async say(text) {
    await this.composer.fill(text)
    await this.composer.press('Enter')
  }

  // ask sends a message and waits for its answer.
  async ask(text) {
    const n = await this.answers()
    await this.say(text)
    await this.rest(n + 1)
  }

  // gets adds parts to the next answer, of kinds that no tool of this assistant makes.
  async gets(...parts) {
    await this.context.route(
      url + '/api/chat/**',
      async (route) => {
        const answer = await route.fetch()
        const events = parts
          .map((part, n) => `event: part\ndata: ${JSON.stringify({ id: `x${n}`, ...part })}\n\n`)
          .join('')
        await route.fulfill({
          response: answer,
          body: (await answer.text()).replace(/(id: [^\n]*\n)?event: complete/, (last) => events + last),
        })
      },
      { times: 1 },
    )
  }

  // fresh begins a new conversation and waits until the old one is gone.
  async fresh() {
    await this.button('New chat').click()
    await this.page.locator('.welcome').waitFor()
  }

  answers() {
    return this.page.locator('.answer').count()
  }

  // rest waits until there are so many answers and none is coming.
  async rest(n) {
    await this.page.waitForFunction(
      (n) =>
        document.querySelectorAll('.answer:is([data-state="done"], [data-state="failed"])').length === n &&
        document.querySelector('.composer-send.stop').hidden,
      n,
    )
  }

  // settled waits until the last card is in a state.
  async settled(state) {
    const states = () => this.page.locator('.proposal').evaluateAll((cards) => cards.map((c) => c.dataset.state))
    await this.page
      .waitForFunction((state) => [...document.querySelectorAll('.proposal')].at(-1)?.dataset.state === state, state)
      .catch(async (error) => {
        throw new Error(
          `no card came to “${state}”, but to ${await states()}: ${await this.page.locator('#app').innerText()}`,
          { cause: error },
        )
      })
  }

  // press presses a key, such as Tab, until what has the focus is so called.
  async press(key, name) {
    const been = []
    for (let i = 0; i < 40; i++) {
      const now = await this.focused()
      if (now === name) return
      been.push(now)
      await this.page.keyboard.press(key)
    }
    assert.fail(`${key} never led to “${name}”, but to ${been.join(', ')}`)
  }

  // focused is what a screen reader would call the element that has the focus.
  focused() {
    return this.page.evaluate(() => {
      const e = document.activeElement
      return (e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent).trim()
    })
  }

  // kept returns what the tab keeps of the conversation; change lets a story
  // rewrite it as somebody with the browser's tools would.
  kept() {
    return this.page.evaluate(() =>
      JSON.parse(sessionStorage.getItem(Object.keys(sessionStorage).find((k) => k.startsWith('bellhop.thread.')))),
    )
  }

  async change(rewrite) {
    const thread = await this.kept()
    rewrite(thread)
    await this.page.evaluate(
      (thread) =>
        sessionStorage.setItem(
          Object.keys(sessionStorage).find((k) => k.startsWith('bellhop.thread.')),
          JSON.stringify(thread),
        ),
      thread,
    )
    await this.page.reload()
    await this.composer.waitFor()
  }

  // leave ends the visit: nothing ran that is not ours, nothing was asked of
  // another origin, and no element is there that could.
  async leave() {
    assert.deepEqual(await this.page.evaluate(foreign, supabase), [])
    assert.deepEqual(this.seen, { elsewhere: [], errors: [] })
    await this.context.close()
  }
}

// foreign lists elements and attributes that the page never makes. It makes
// pictures of signed addresses in the project's Storage alone, each in a frame.
export function foreign(project = '') {
  const never = new Set([
    'IMG',
    'SCRIPT',
    'IFRAME',
    'OBJECT',
    'EMBED',
    'LINK',
    'STYLE',
    'BASE',
    'META',
    'MATH',
    'VIDEO',
    'AUDIO',
    'TEMPLATE',
    'ANIMATE',
    'FOREIGNOBJECT',
  ])
  const found = []
  const pictured = (e) =>
    project !== '' &&
    e.matches('.gallery-frame > img') &&
    (!e.hasAttribute('src') || e.getAttribute('src').startsWith(`${project}/storage/v1/object/sign/uploads/`))
  for (const e of document.querySelectorAll('#app *')) {
    if (pictured(e)) continue
    if (never.has(e.tagName.toUpperCase())) found.push(e.outerHTML.slice(0, 100))
    for (const { name, value } of e.attributes) {
      if (
        name.startsWith('on') ||
        (name === 'style' && e.matches('.prose *')) ||
        name.endsWith('action') ||
        (['href', 'src'].includes(name) && new URL(value, location.href).origin !== location.origin)
      )
        found.push(`${e.tagName} ${name}=${value}`)
    }
  }
  return found
}
