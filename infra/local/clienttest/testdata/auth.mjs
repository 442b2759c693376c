import assert from 'node:assert/strict'
import { bad, good } from './answers.mjs'
import { check } from './tap.mjs'
import { admin, client, env, mine, nobody, other } from './project.mjs'

check('auth: a wrong password is refused', async () => {
  const { data, error } = await nobody.auth.signInWithPassword({ email: env.email, password: 'wrong' })
  assert.equal(error.name, 'AuthApiError')
  assert.deepEqual([error.status, error.code], [400, 'invalid_credentials'])
  assert.equal(data.session, null)
})

check('auth: a password gives a session', async () => {
  const { session, user } = good(await mine.auth.signInWithPassword({ email: env.email, password: env.password }))
  assert.equal(user.email, env.email)
  assert.equal(session.token_type, 'bearer')
  assert.ok(session.expires_at > Date.now() / 1000)
  good(await other.auth.signInWithPassword({ email: env.otherEmail, password: env.password }))
})

check('auth: the session is kept', async () => {
  const { session } = good(await mine.auth.getSession())
  assert.equal(session.user.email, env.email)
})

check('auth: the project knows the user', async () => {
  const { user } = good(await mine.auth.getUser())
  assert.equal(user.role, 'authenticated')
  assert.equal(user.app_metadata.org_id, env.org)
  const { error } = await nobody.auth.getUser()
  assert.equal(error.name, 'AuthSessionMissingError')
})

check('auth: a token verifies against the public keys', async () => {
  const { claims, header } = good(await mine.auth.getClaims())
  assert.equal(header.alg, 'ES256')
  assert.equal(claims.email, env.email)
  const { session } = good(await mine.auth.getSession())
  const parts = session.access_token.split('.')
  const forged = [parts[0], parts[1], parts[2].replace(/^......../, 'AAAAAAAA')].join('.')
  const { error } = await mine.auth.getClaims(forged)
  assert.equal(error.code, 'invalid_jwt')
})

check('auth: a refresh rotates the token', async () => {
  const before = good(await mine.auth.getSession()).session
  const after = good(await mine.auth.refreshSession()).session
  assert.notEqual(after.refresh_token, before.refresh_token)
  const { error } = await client().auth.refreshSession({ refresh_token: 'no-such-token' })
  assert.deepEqual([error.status, error.code], [400, 'refresh_token_not_found'])
})

check('auth: a user changes what is theirs', async () => {
  const { user } = good(await mine.auth.updateUser({ data: { shoe: 'brown' } }))
  assert.equal(user.user_metadata.shoe, 'brown')
  const weak = await mine.auth.updateUser({ password: 'x' })
  assert.deepEqual([weak.error.status, weak.error.code], [422, 'weak_password'])
})

check('auth: an administrator makes, finds, changes and removes a user', async () => {
  const email = 'fresh@clienttest.example'
  const { user } = good(await admin.auth.admin.createUser({
    email, password: 'a-long-password', email_confirm: true, app_metadata: { org_id: env.org }, user_metadata: { name: 'Fresh Face' },
  }))
  assert.equal(user.app_metadata.org_id, env.org)
  const twice = await admin.auth.admin.createUser({ email, password: 'a-long-password' })
  assert.deepEqual([twice.error.status, twice.error.code], [422, 'email_exists'])

  assert.equal(good(await admin.auth.admin.getUserById(user.id)).user.email, email)
  const listed = good(await admin.auth.admin.listUsers({ page: 1, perPage: 1000 }))
  assert.ok(listed.users.some((u) => u.id === user.id))
  assert.equal(listed.total, listed.users.length)

  const fresh = client()
  good(await fresh.auth.signInWithPassword({ email, password: 'a-long-password' }))
  const { user: renamed } = good(await admin.auth.admin.updateUserById(user.id, { user_metadata: { name: 'Renamed' } }))
  assert.equal(renamed.user_metadata.name, 'Renamed')

  good(await admin.auth.admin.deleteUser(user.id))
  const gone = await admin.auth.admin.getUserById(user.id)
  assert.deepEqual([gone.error.status, gone.error.code], [404, 'user_not_found'])
  const late = await fresh.auth.refreshSession()
  assert.ok(late.error)
})

check('auth: strangers do not sign up', async () => {
  const { data, error } = await client().auth.signUp({ email: 'stranger@clienttest.example', password: 'a-long-password' })
  assert.deepEqual([error.status, error.code, data.user], [422, 'signup_disabled', null])
})

check('auth: nobody else is an administrator', async () => {
  for (const c of [nobody, mine]) {
    const { error } = await c.auth.admin.listUsers()
    assert.ok([401, 403].includes(error.status), `${error.status}`)
  }
})

check('auth: after a sign-out the session is over', async () => {
  const brief = client()
  const { session } = good(await brief.auth.signInWithPassword({ email: env.email, password: env.password }))
  assert.equal((await brief.auth.signOut({ scope: 'local' })).error, null)
  assert.equal(good(await brief.auth.getSession()).session, null)
  const { error } = await client().auth.refreshSession({ refresh_token: session.refresh_token })
  assert.ok(error)
})

check('keys: a wrong one opens nothing', async () => {
  const answer = await client('sb_publishable_wrong').from('things').select()
  assert.equal(answer.status, 401)
  assert.equal(answer.error.message, 'Invalid API key')
})

check('keys: the publishable one alone sees nothing', async () => {
  bad(await nobody.from('things').select(), 401, '42501')
})
