// A real browser for a script, by way of playwright-core, which the folder's
// lock file must name.
import { chromium } from 'playwright-core'

// launch starts the browser that nodetest.Chromium has found. It knows no host
// but this machine, and its microphone hears a tone.
export const launch = executablePath => chromium.launch({
  executablePath, args: ['--disable-quic', '--disable-gpu', '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
})

// visit opens a page with storage of its own. What it asks of any origin that is
// not named is listed in seen.elsewhere, with what its own policy forbade;
// seen.errors lists what went wrong in its scripts, dialogs included.
export async function visit(browser, origins, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  context.setDefaultTimeout(30_000)
  const seen = { elsewhere: [], errors: [] }
  context.on('request', request => {
    const { protocol, origin } = new URL(request.url())
    if (/^(http|ws)/.test(protocol) && !origins.includes(origin)) seen.elsewhere.push(request.url())
  })
  const page = await context.newPage()
  page.on('pageerror', err => seen.errors.push(String(err)))
  page.on('console', said => { if (said.type() === 'error' && /Content Security Policy|Trusted/.test(said.text())) seen.elsewhere.push(said.text()) })
  page.on('dialog', dialog => {
    seen.errors.push(`a dialog: ${dialog.message()}`)
    return dialog.dismiss()
  })
  return { page, context, seen }
}
