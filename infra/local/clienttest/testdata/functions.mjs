import assert from 'node:assert/strict'
import { bad, good } from './answers.mjs'
import { check } from './tap.mjs'
import { admin, mine, nobody, other } from './project.mjs'

check('functions: a number, by POST and by GET', async () => {
  assert.equal(good(await mine.rpc('add', { a: 2, b: 3 })), 5)
  assert.equal(good(await mine.rpc('add', { a: 2, b: -3 }, { get: true })), -1)
})

check('functions: a text, a document and nothing', async () => {
  assert.equal(good(await mine.rpc('echo', { said: 'a "b" \\ c' })), 'a "b" \\ c')
  assert.equal(good(await mine.rpc('echo', { said: null })), null)
  const document = { list: [1, 'two', null], deep: { er: true } }
  assert.deepEqual(good(await mine.rpc('echo_json', { said: document })), document)
  const none = await mine.rpc('nothing')
  assert.deepEqual([none.status, none.data, none.error], [204, null, null])
})

check('functions: rows, narrowed and embedded', async () => {
  const rows = await mine.rpc('things_tagged', { tag: 'red' }, { count: 'exact' }).select('code, makers(name)').order('code', { ascending: false }).limit(1)
  assert.deepEqual([good(rows), rows.count], [[{ code: 'r3', makers: { name: 'Ada Workbench' } }], 2])
  assert.equal(good(await mine.rpc('things_tagged', { tag: 'red' }, { get: true }).eq('code', 'r1').single()).name, 'Red kite')
  const alone = await mine.rpc('things_tagged', { tag: 'red' }, { head: true, count: 'exact' })
  assert.deepEqual([alone.data, alone.count], [null, 2])
  assert.deepEqual(good(await other.rpc('things_tagged', { tag: 'red' })), [])
})

check('functions: one row, changed', async () => {
  assert.equal(good(await mine.rpc('rename_thing', { p_code: 'r4', p_name: 'Plainer box' })).name, 'Plainer box')
  assert.equal(good(await mine.from('things').select('name').eq('code', 'r4').single()).name, 'Plainer box')
})

check('functions: one that is not there', async () => {
  const error = bad(await mine.rpc('no_such_function', { a: 1 }), 404, 'PGRST202')
  assert.match(error.message, /no_such_function/)
  bad(await mine.rpc('no_such_function', { a: 1 }, { get: true }), 404, 'PGRST202')
})

check('functions: wrong arguments', async () => {
  bad(await mine.rpc('add', { a: 1 }), 404, 'PGRST202')
  bad(await mine.rpc('add', { a: 1, b: 2, c: 3 }), 404, 'PGRST202')
  bad(await mine.rpc('add', { a: 1, b: 'two' }), 400, '22P02')
  bad(await mine.rpc('add', { a: 1, b: 2147483648 }), 400, '22003')
  bad(await mine.rpc('add', { a: 1, b: 'two' }, { get: true }), 400, '22P02')
})

check('functions: an error of the database', async () => {
  bad(await mine.rpc('divide', { a: 1, b: 0 }), 400, '22012')
  bad(await mine.rpc('rename_thing', { p_code: 'r4', p_name: 'forbidden' }), 400, '23514')
})

for (const status of [400, 402, 403, 404, 409, 410, 422, 429, 500, 503]) {
  check(`functions: a raised ${status}`, async () => {
    const error = bad(await mine.rpc('refuse', { status }), status, `PT${status}`)
    assert.deepEqual([error.message, error.details, error.hint], ['refused', 'Because.', 'Ask elsewhere.'])
  })
}

check('functions: a plain exception', async () => {
  const error = bad(await mine.rpc('complain'), 400, 'P0001')
  assert.deepEqual([error.message, error.details, error.hint], ['a plain complaint', 'With a detail.', 'And a hint.'])
})

check('functions: one that takes too long', async () => {
  bad(await mine.rpc('ponder'), 500, '57014')
})

check('functions: writing is stopped by GET', async () => {
  bad(await mine.rpc('rename_thing', { p_code: 'r4', p_name: 'By GET' }, { get: true }), 405, '25006')
})

check('functions: who may not call', async () => {
  bad(await mine.rpc('staff_only'), 403, '42501')
  bad(await nobody.rpc('staff_only'), 401, '42501')
  assert.equal(good(await admin.rpc('staff_only')), 1)
})

check('functions: those of the application', async () => {
  const me = good(await mine.rpc('whoami'))
  assert.equal(me.guarded, true)
  bad(await mine.rpc('availability', { p_entity: me.entities[0].id, p_from: '2035-03-04', p_to: '2035-03-01' }), 422, 'PT422')
  bad(await nobody.rpc('whoami'), 401, '42501')
})
