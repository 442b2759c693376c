import assert from 'node:assert/strict'
import { bad, good } from './answers.mjs'
import { check } from './tap.mjs'
import { mine, nobody, other } from './project.mjs'

check('writes: insert, silent and told', async () => {
  const silent = await mine.from('things').insert({ code: 'w1', name: 'One' })
  assert.deepEqual([silent.status, silent.data, silent.error], [201, null, null])
  const told = await mine.from('things').insert({ code: 'w2', name: 'Two', tags: ['a,b', 'c"d', '{e}'], data: { n: null } }).select().single()
  const row = good(told)
  assert.deepEqual([told.status, row.tags, row.data], [201, ['a,b', 'c"d', '{e}'], { n: null }])
})

check('writes: insert many, with defaults for what is missing', async () => {
  const answer = await mine.from('things').insert([{ code: 'w3', name: 'Three', tags: ['x'] }, { code: 'w4', name: 'Four' }], { defaultToNull: false, count: 'exact' }).select('code,tags')
  assert.deepEqual(good(answer), [{ code: 'w3', tags: ['x'] }, { code: 'w4', tags: [] }])
  assert.equal(answer.count, 2)
  bad(await mine.from('things').insert([{ code: 'w5', name: 'Five', tags: ['x'] }, { code: 'w6', name: 'Six' }]), 400, '23502')
})

check('writes: what is refused', async () => {
  const twice = bad(await mine.from('things').insert({ code: 'w1', name: 'Again' }), 409, '23505')
  // The detail would name the key; the database keeps it back where row policies rule.
  assert.equal(twice.details, null)
  assert.match(twice.message, /things_code_key/)
  bad(await mine.from('things').insert({ code: 'w7', name: 'Lost', maker_id: 99 }), 409, '23503')
  bad(await mine.from('things').insert({ code: 'w7', name: 'forbidden' }), 400, '23514')
  bad(await mine.from('things').insert({ code: 'w7' }), 400, '23502')
  bad(await mine.from('things').insert({ code: 'w7', name: 'Odd', colour: 'red' }), 400, 'PGRST204')
  bad(await mine.from('things').insert({ code: 'w7', name: 'Foreign', owner: '00000000-0000-4000-8000-000000000001' }), 403, '42501')
  bad(await mine.from('makers').insert({ id: 9, name: 'Di' }), 403, '42501')
  bad(await nobody.from('things').insert({ code: 'w7', name: 'Nobody’s' }), 401, '42501')
  assert.deepEqual(good(await mine.from('things').select('code').eq('code', 'w7')), [])
})

check('writes: upsert merges', async () => {
  const answer = await mine.from('things').upsert([{ code: 'w1', name: 'One anew' }, { code: 'w8', name: 'Eight' }], { onConflict: 'code' }).select('code,name').order('code')
  assert.deepEqual(good(answer), [{ code: 'w1', name: 'One anew' }, { code: 'w8', name: 'Eight' }])
})

check('writes: upsert ignores', async () => {
  const answer = await mine.from('things').upsert([{ code: 'w1', name: 'Not this' }, { code: 'w9', name: 'Nine' }], { onConflict: 'code', ignoreDuplicates: true }).select('code,name')
  assert.deepEqual(good(answer), [{ code: 'w9', name: 'Nine' }])
  assert.equal(good(await mine.from('things').select('name').eq('code', 'w1').single()).name, 'One anew')
})

check('writes: upsert never reaches another’s row', async () => {
  bad(await mine.from('things').upsert({ code: 'o1', name: 'Mine now' }, { onConflict: 'code' }), 403, '42501')
  assert.equal(good(await other.from('things').select('name').eq('code', 'o1').single()).name, 'Somebody else’s')
  bad(await mine.from('things').upsert({ code: 'w1', name: 'x' }, { onConflict: 'name' }), 400, '42P10')
})

check('writes: update', async () => {
  const silent = await mine.from('things').update({ changed: 1 }, { count: 'exact' }).eq('code', 'w2')
  assert.deepEqual([silent.status, silent.data, silent.count], [204, null, 1])
  const told = good(await mine.from('things').update({ changed: 2, data: { a: { b: [1, 2] } } }).eq('code', 'w2').eq('changed', 1).select('changed,data').single())
  assert.deepEqual(told, { changed: 2, data: { a: { b: [1, 2] } } })
  const late = await mine.from('things').update({ changed: 3 }).eq('code', 'w2').eq('changed', 1).select()
  assert.deepEqual([late.status, good(late)], [200, []])
})

check('writes: update of one row that is several changes none', async () => {
  bad(await mine.from('things').update({ changed: 7 }).in('code', ['w3', 'w4']).select().single(), 406, 'PGRST116')
  bad(await mine.from('things').update({ changed: 7 }).in('code', ['w3', 'w4']).maxAffected(1), 400, 'PGRST124')
  assert.deepEqual(good(await mine.from('things').select('code').eq('changed', 7)), [])
})

check('writes: update reaches nobody else’s rows', async () => {
  const answer = await mine.from('things').update({ name: 'Taken' }).eq('code', 'o1').select()
  assert.deepEqual(good(answer), [])
  bad(await mine.from('things').update({ owner: '00000000-0000-4000-8000-000000000001' }).eq('code', 'w2'), 403, '42501')
})

check('writes: a whole table is not changed by accident', async () => {
  bad(await mine.from('things').update({ changed: 9 }), 400, '21000')
  bad(await mine.from('things').delete(), 400, '21000')
})

check('writes: delete', async () => {
  const gone = good(await mine.from('things').delete().like('code', 'w%').select('code, parts(name)'))
  assert.deepEqual(gone.map((r) => r.code).sort(), ['w1', 'w2', 'w3', 'w4', 'w8', 'w9'])
  const again = await mine.from('things').delete({ count: 'exact' }).eq('code', 'w1')
  assert.deepEqual([again.status, again.count, again.error], [204, 0, null])
  bad(await mine.from('makers').delete().eq('id', 1), 403, '42501')
})
