import assert from 'node:assert/strict'
import { good } from './answers.mjs'
import { check } from './tap.mjs'
import { mine } from './project.mjs'

// Texts that mean something to SQL, to a URL, to JSON or to the filters' syntax.
const values = [
  'a,b', 'a"b', 'a\\b', 'a\\', '\\"', '"', "'", "''", "' or '1'='1", "'; drop table things; --", 'a)b', '(x)', '((', 'x),or(name.not.is.null',
  'x,name.not.is.null', 'name.eq.y', 'eq.5', 'not.is.null', 'null', 'true', '50%', 'a_c', 'abc', '%', '_', '{a}', '{"a":1}', '[1,2]',
  'a&select=*', 'a=b&or=(name.not.is.null)', 'a+b', 'a%20b', 'a#b', 'a;b', 'a:b::text', '->>x', '$1', '?', '../../etc', '<script>',
  'Zoë', '日本', '👩‍🍳', 'tab\there', 'line\nbreak', ' padded ', '.', '..', '-- x', '/* x */', 'NaN', '1e309',
]

// The client writes or() and the members of a list as they are given: quoting is
// the caller's part. In an in() it quotes by itself, but only what holds a comma
// or a parenthesis.
const quote = (text) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
const like = (text) => text.replace(/[\\%_]/g, '\\$&')
const names = (rows) => rows.map((r) => r.name)
const table = () => mine.from('things').select('name').like('code', 'h%')

check('hostile: every value is stored as it is', async () => {
  const rows = good(await mine.from('things').insert(values.map((v, i) => ({
    code: `h${i}`, name: v, tags: [v, 'common'], data: { [v]: v },
  }))).select('code,name,tags,data'))
  assert.equal(rows.length, values.length)
  for (const row of rows) {
    const v = values[Number(row.code.slice(1))]
    assert.deepEqual([row.name, row.tags, row.data], [v, [v, 'common'], { [v]: v }])
  }
})

const positions = {
  eq: (v) => table().eq('name', v),
  in: (v) => table().in('name', ['absent', v]),
  ilike: (v) => table().ilike('name', like(v)),
  or: (v) => table().or(`name.eq.${quote(v)},name.eq."absent"`),
  'or of in': (v) => table().or(`name.in.(${quote(v)},absent),and(name.is.null,name.eq.${quote(v)})`),
  'contains, a list': (v) => table().contains('tags', [quote(v)]),
  'contains, a document': (v) => table().contains('data', { [v]: v }),
  match: (v) => table().match({ name: v }),
  'isDistinct, turned': (v) => table().not('name', 'isdistinct', v),
  overlaps: (v) => table().overlaps('tags', [quote(v), 'absent']),
  'neq, turned': (v) => table().not('name', 'neq', v),
  'an argument by POST': (v) => mine.rpc('things_tagged', { tag: v }).select('name').like('code', 'h%'),
}

for (const [position, ask] of Object.entries(positions)) {
  check(`hostile: ${position}`, async () => {
    const wrong = []
    for (const v of values) {
      const { data, error, status } = await ask(v)
      const got = error ? `${status} ${error.code} ${error.message}` : names(data)
      if (JSON.stringify(got) !== JSON.stringify([v])) wrong.push([v, got])
    }
    assert.deepEqual(wrong, [])
  })
}

check('hostile: neq and not in find all others', async () => {
  for (const v of values) {
    assert.equal(good(await table().neq('name', v)).length, values.length - 1, v)
    assert.equal(good(await table().or(`name.not.in.(${quote(v)})`)).length, values.length - 1, v)
  }
})

check('hostile: a function hears what was said', async () => {
  for (const v of values) {
    assert.equal(good(await mine.rpc('echo', { said: v })), v)
    assert.deepEqual(good(await mine.rpc('echo_json', { said: { [v]: [v] } })), { [v]: [v] })
  }
})

check('hostile: an update and a delete hit the one row', async () => {
  for (const v of values) {
    assert.deepEqual(good(await mine.from('things').update({ changed: 5 }).eq('name', v).select('name')), [{ name: v }])
  }
  for (const v of values) {
    assert.deepEqual(good(await mine.from('things').delete().eq('name', v).like('code', 'h%').select('name')), [{ name: v }])
  }
  assert.deepEqual(good(await table()), [])
})
