import assert from 'node:assert/strict'
import { arrive, email, password, supabase, url } from './visit.mjs'
import { check } from './tap.mjs'

check('a development server offers its people, and the mail that it caught as text', async () => {
  const json = (value) => (route) => route.fulfill({ contentType: 'application/json', body: JSON.stringify(value) })
  const p = await arrive({}, async (context) => {
    const config = await (await fetch(url + '/config.json')).json()
    await context.route(url + '/config.json', json({ ...config, dev: true }))
    await context.route(
      url + '/dev.json',
      json({
        supabase: { url: supabase, publishableKey: config.publishableKey },
        model: 'scripted',
        mail: '/dev/mail',
        users: [{ email, password, name: 'Milan Keystone', org: 'Sojourn', role: 'manager' }],
      }),
    )
    await context.route(
      url + '/dev/mail',
      json([{ to: ['a@example.com'], subject: 'Booked <i>', text: 'See <b>you</b>.', caught: '' }]),
    )
  })
  await p.page.getByRole('button', { name: /Milan Keystone/ }).click()
  await p.composer.waitFor()
  await p.button('Caught mail').click()
  const mail = p.page.getByRole('dialog', { name: 'Mail' })
  assert.match(await mail.locator('.letter').textContent(), /Booked <i>.*a@example\.com.*See <b>you<\/b>\./)
  await p.leave()
})
