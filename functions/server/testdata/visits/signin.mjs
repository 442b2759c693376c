import assert from 'node:assert/strict'
import { arrive, enter, model, password, say } from './visit.mjs'
import { check } from './tap.mjs'

check('a wrong password is refused in a sentence, and the right one still opens', async () => {
  const p = await arrive()
  await p.signIn(password + '?')
  await p.page.getByRole('alert').getByText('E-mail or password is not right.').waitFor()
  await p.page.getByLabel('Password').fill(password)
  await p.page.keyboard.press('Enter')
  await p.composer.waitFor()
  await p.leave()
})

check('a session that has ended leads to signing in, and back to what was said', async () => {
  const p = await enter()
  await model('inventory', say('Good day.'))
  await p.ask('Good morning')
  await p.page.evaluate(() => {
    const session = JSON.parse(sessionStorage.getItem('bellhop.session'))
    sessionStorage.setItem(
      'bellhop.session',
      JSON.stringify({ ...session, access_token: 'gone', refresh_token: 'gone' }),
    )
  })
  await p.page.reload()
  await p.page.getByText('Your session has ended. Please sign in again.').waitFor()
  await p.signIn()
  await p.prose.getByText('Good day.').waitFor()
  await model('inventory', say('Here I am.'))
  await p.ask('Are you there?')
  assert.equal(await p.prose.textContent(), 'Here I am.')
  assert.equal(await p.page.locator('.hint').count(), 0)
  await p.leave()
})
