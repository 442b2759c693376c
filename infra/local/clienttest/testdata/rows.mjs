import assert from 'node:assert/strict'
import { bad, good } from './answers.mjs'
import { check } from './tap.mjs'
import { admin, mine, other } from './project.mjs'

const codes = (rows) => rows.map((r) => r.code)

check('rows: there is something to look at', async () => {
  const things = good(await mine.from('things').insert([
    { code: 'r1', name: 'Red kite', tags: ['red', 'air'], data: { size: 3, of: { wood: 'ash' } }, maker_id: 1, held: '[1,5)' },
    { code: 'r2', name: 'Blue boat', tags: ['blue', 'water'], data: { size: 1 }, maker_id: 2, held: '[4,9)' },
    { code: 'r3', name: 'Red boat', tags: ['red', 'water'], data: { size: 2 }, maker_id: 1 },
    { code: 'r4', name: 'Plain box', maker_id: null },
  ], { defaultToNull: false }).select())
  const id = Object.fromEntries(things.map((t) => [t.code, t.id]))
  good(await mine.from('parts').insert([
    { thing_id: id.r1, name: 'frame', n: 1 }, { thing_id: id.r1, name: 'tail', n: 2 }, { thing_id: id.r1, name: 'string', n: 3 },
    { thing_id: id.r2, name: 'hull', n: 1 }, { thing_id: id.r3, name: 'hull', n: 2 },
  ]))
  good(await other.from('things').insert({ code: 'o1', name: 'Somebody else’s' }))
})

check('rows: people see their own', async () => {
  assert.deepEqual(codes(good(await mine.from('things').select().order('code'))), ['r1', 'r2', 'r3', 'r4'])
  assert.deepEqual(codes(good(await other.from('things').select())), ['o1'])
  assert.equal(good(await admin.from('things').select()).length, 5)
  assert.deepEqual(good(await other.from('parts').select()), [])
})

check('rows: columns, aliases, casts and paths', async () => {
  const row = good(await mine.from('things').select('called:name, changed::text, data->size, wood:data->of->>wood').eq('code', 'r1').single())
  assert.deepEqual(row, { called: 'Red kite', changed: '0', size: 3, wood: 'ash' })
})

check('rows: embedding to one', async () => {
  const rows = good(await mine.from('things').select('code, makers(name)').order('code'))
  assert.deepEqual(rows.map((r) => r.makers?.name ?? null), ['Ada Workbench', 'Bo Lathe', 'Ada Workbench', null])
})

check('rows: embedding to many, ordered and limited', async () => {
  const rows = good(await mine.from('things').select('code, parts(name, n)').order('code')
    .order('n', { referencedTable: 'parts', ascending: false }).limit(2, { referencedTable: 'parts' }))
  assert.deepEqual(rows.map((r) => r.parts.map((p) => p.name)), [['string', 'tail'], ['hull'], ['hull'], []])
})

check('rows: embedding inner, hinted, filtered', async () => {
  const rows = good(await mine.from('things').select('code, maker:makers!things_maker_id_fkey!inner(name)').eq('maker.name', 'Ada Workbench').order('code'))
  assert.deepEqual(rows, [{ code: 'r1', maker: { name: 'Ada Workbench' } }, { code: 'r3', maker: { name: 'Ada Workbench' } }])
  const hulls = good(await mine.from('things').select('code, parts!inner(name)').eq('parts.name', 'hull').order('code'))
  assert.deepEqual(codes(hulls), ['r2', 'r3'])
  const some = good(await mine.from('things').select('code, parts(name)').eq('parts.name', 'hull').order('code'))
  assert.deepEqual(some.map((r) => r.parts.length), [0, 1, 1, 0])
})

check('rows: embedding three levels deep', async () => {
  const makers = good(await mine.from('makers').select('name, things(code, parts(name))').order('name').order('code', { referencedTable: 'things' }))
  assert.deepEqual(makers.map((m) => m.things.map((t) => t.parts.length)), [[3, 1], [1], []])
})

check('rows: embedding spread', async () => {
  assert.deepEqual(good(await mine.from('things').select('code, ...makers(maker:name)').eq('code', 'r2').single()), { code: 'r2', maker: 'Bo Lathe' })
})

check('rows: or over the embedded', async () => {
  const rows = good(await mine.from('things').select('code, parts(name)').or('name.eq.tail,n.eq.3', { referencedTable: 'parts' }).eq('code', 'r1').single())
  assert.deepEqual(rows.parts.map((p) => p.name).sort(), ['string', 'tail'])
})

check('rows: an unknown relationship', async () => {
  bad(await mine.from('parts').select('name, makers(name)'), 400, 'PGRST200')
})

check('rows: count with rows, with a part, and alone', async () => {
  const whole = await mine.from('things').select('code', { count: 'exact' })
  assert.deepEqual([good(whole).length, whole.count, whole.status], [4, 4, 200])
  const part = await mine.from('things').select('code', { count: 'exact' }).order('code').range(1, 2)
  assert.deepEqual([codes(good(part)), part.count, part.status], [['r2', 'r3'], 4, 206])
  const alone = await mine.from('things').select('*', { count: 'exact', head: true }).contains('tags', ['red'])
  assert.deepEqual([alone.error, alone.data, alone.count], [null, null, 2])
  for (const count of ['planned', 'estimated']) {
    const guess = await mine.from('things').select('code', { count })
    good(guess)
    assert.equal(typeof guess.count, 'number')
  }
})

check('rows: a range behind the end', async () => {
  bad(await mine.from('things').select('code', { count: 'exact' }).range(50, 60), 416, 'PGRST103')
  assert.deepEqual(good(await mine.from('things').select('code').range(50, 60)), [])
})

const found = async (name, wanted, filter) => check(`rows: ${name}`, async () => {
  assert.deepEqual(codes(good(await filter(mine.from('things').select('code')).order('code'))), wanted)
})

found('eq and neq', ['r2'], (q) => q.eq('maker_id', 2).neq('code', 'r1'))
found('gt, gte, lt, lte', ['r2', 'r3'], (q) => q.gt('code', 'r1').gte('code', 'r2').lt('code', 'r4').lte('code', 'r3'))
found('or', ['r1', 'r2'], (q) => q.or('code.eq.r1,name.eq."Blue boat"'))
found('or of and', ['r3', 'r4'], (q) => q.or('and(name.like.*boat,tags.cs.{red}),maker_id.is.null'))
found('two ors', ['r1'], (q) => q.or('code.eq.r1,code.eq.r2').or('code.eq.r1,code.eq.r3'))
found('in', ['r1', 'r4'], (q) => q.in('code', ['r4', 'r1', 'absent']))
found('in of nothing', [], (q) => q.in('code', []))
found('not in', ['r3', 'r4'], (q) => q.not('code', 'in', '(r1,r2)'))
found('notIn', ['r3', 'r4'], (q) => q.notIn('code', ['r1', 'r2']))
found('is null', ['r4'], (q) => q.is('maker_id', null))
found('is not null', ['r1', 'r2', 'r3'], (q) => q.not('maker_id', 'is', null))
found('isDistinct', ['r2', 'r4'], (q) => q.isDistinct('maker_id', 1))
found('like and ilike', ['r1'], (q) => q.like('name', 'Red%').ilike('name', '%KITE'))
found('like any', ['r1', 'r2', 'r3'], (q) => q.likeAnyOf('name', ['Red%', '%boat']))
found('ilike all', ['r3'], (q) => q.ilikeAllOf('name', ['RED%', '%BOAT']))
found('a regular expression', ['r1', 'r3'], (q) => q.filter('name', 'match', '^Red'))
found('a list contains', ['r1', 'r3'], (q) => q.contains('tags', ['red']))
found('a list is contained', ['r2', 'r4'], (q) => q.containedBy('tags', ['blue', 'water', 'fire']))
found('lists overlap', ['r1', 'r2', 'r3'], (q) => q.overlaps('tags', ['air', 'water']))
found('a document contains', ['r1'], (q) => q.contains('data', { of: { wood: 'ash' } }))
found('a path in a document', ['r1', 'r3'], (q) => q.gte('data->size', 2))
found('ranges overlap', ['r1', 'r2'], (q) => q.overlaps('held', '[4,5)'))
found('a range lies right of', ['r2'], (q) => q.rangeGt('held', '[1,3)'))
found('ranges adjoin', ['r1'], (q) => q.rangeAdjacent('held', '[5,8)'))
found('match', ['r3'], (q) => q.match({ maker_id: 1, name: 'Red boat' }))
found('words of a text', ['r2', 'r3'], (q) => q.textSearch('name', 'boat', { config: 'english', type: 'plain' }))
found('an empty embedding is filtered out', ['r1', 'r2', 'r3'], (q) => q.not('parts', 'is', null).select('code, parts()'))

check('rows: order with nulls, and by what is embedded', async () => {
  assert.equal(good(await mine.from('things').select('code').order('maker_id', { nullsFirst: true }).order('code'))[0].code, 'r4')
  const by = good(await mine.from('things').select('code, makers(name)').order('makers(name)', { ascending: false, nullsFirst: false }).order('code'))
  assert.deepEqual(codes(by), ['r2', 'r1', 'r3', 'r4'])
})

check('rows: single with one, none and two', async () => {
  assert.equal(good(await mine.from('things').select('code').eq('code', 'r1').single()).code, 'r1')
  bad(await mine.from('things').select('code').eq('code', 'absent').single(), 406, 'PGRST116')
  const two = bad(await mine.from('things').select('code').in('code', ['r1', 'r2']).single(), 406, 'PGRST116')
  assert.match(two.details, /2 rows/)
})

check('rows: maybeSingle with one, none and two', async () => {
  assert.equal(good(await mine.from('things').select('code').eq('code', 'r1').maybeSingle()).code, 'r1')
  assert.equal(good(await mine.from('things').select('code').eq('code', 'absent').maybeSingle()), null)
  bad(await mine.from('things').select('code').in('code', ['r1', 'r2']).maybeSingle(), 406, 'PGRST116')
})

check('rows: csv', async () => {
  const text = good(await mine.from('things').select('code,name').order('code').limit(2).csv())
  assert.equal(text, 'code,name\nr1,"Red kite"\nr2,"Blue boat"')
})

check('rows: nulls stripped', async () => {
  assert.deepEqual(good(await mine.from('things').select('code,maker_id').eq('code', 'r4').stripNulls()), [{ code: 'r4' }])
})

check('rows: what does not exist', async () => {
  bad(await mine.from('no_such_table').select(), 404, 'PGRST205')
  bad(await mine.from('things').select('no_such_column'), 400, '42703')
  bad(await mine.from('things').select().eq('no_such_column', 1), 400, '42703')
  bad(await mine.from('things').select().eq('id', 'a word'), 400, '22P02')
  bad(await mine.from('things').select().filter('name', 'sounds_like', 'x'), 400, 'PGRST100')
  bad(await mine.schema('auth').from('users').select(), 406, 'PGRST106')
})

check('rows: a request can be called off', async () => {
  const { error } = await mine.from('things').select().abortSignal(AbortSignal.abort())
  assert.match(error.message, /AbortError/)
})
