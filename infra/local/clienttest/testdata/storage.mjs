import assert from 'node:assert/strict'
import { good } from './answers.mjs'
import { check } from './tap.mjs'
import { admin, env, mine, nobody, other } from './project.mjs'

const storage = (name, run) => check(`storage: ${name}`, run)

const files = (c = mine) => c.storage.from('papers')
const text = (words, type = 'text/plain') => new Blob([words], { type })

// refused checks the status that stands in the refusal's body: the answer's own
// is 400 for nearly all of them.
const refused = ({ data, error }, status) => {
  assert.ok(error, `not refused: ${JSON.stringify(data)}`)
  assert.equal(error.name, 'StorageApiError')
  assert.equal(String(error.statusCode), String(status), error.message)
}

storage('buckets are made and listed', async () => {
  good(await admin.storage.createBucket('papers', { public: false, fileSizeLimit: 1024, allowedMimeTypes: ['text/plain', 'image/png'] }))
  good(await admin.storage.createBucket('posters', { public: true }))
  refused(await admin.storage.createBucket('papers'), 409)
  refused(await nobody.storage.createBucket('mine'), 403)
  const bucket = good(await admin.storage.getBucket('papers'))
  assert.deepEqual([bucket.public, bucket.file_size_limit, bucket.allowed_mime_types], [false, 1024, ['text/plain', 'image/png']])
  assert.deepEqual(good(await admin.storage.listBuckets()).map((b) => b.name).filter((n) => n.startsWith('p')).sort(), ['papers', 'posters'])
})

storage('upload, and not twice', async () => {
  const { path } = good(await files().upload(`${env.user}/notes/a.txt`, text('first')))
  assert.equal(path, `${env.user}/notes/a.txt`)
  refused(await files().upload(`${env.user}/notes/a.txt`, text('second')), 409)
  good(await files().upload(`${env.user}/notes/a.txt`, text('third'), { upsert: true }))
  good(await files().update(`${env.user}/notes/a.txt`, text('fourth')))
})

storage('download', async () => {
  const blob = good(await files().download(`${env.user}/notes/a.txt`))
  assert.deepEqual([await blob.text(), blob.type.split(';')[0]], ['fourth', 'text/plain'])
  refused(await files().download(`${env.user}/notes/absent.txt`), 404)
  assert.equal(good(await files().exists(`${env.user}/notes/a.txt`)), true)
  const info = good(await files().info(`${env.user}/notes/a.txt`))
  assert.equal(info.size, 6)
})

storage('a bucket keeps its limits', async () => {
  refused(await files().upload(`${env.user}/large.txt`, text('x'.repeat(2000))), 413)
  refused(await files().upload(`${env.user}/page.html`, text('<p>', 'text/html')), 415)
})

storage('others see and change nothing', async () => {
  refused(await files(other).download(`${env.user}/notes/a.txt`), 404)
  refused(await files(other).upload(`${env.user}/notes/b.txt`, text('intruder')), 403)
  refused(await files(nobody).upload(`${env.user}/notes/b.txt`, text('intruder')), 403)
  assert.deepEqual(good(await files(other).list(`${env.user}/notes`)), [])
  good(await files(other).remove([`${env.user}/notes/a.txt`]))
  assert.equal(await good(await files().download(`${env.user}/notes/a.txt`)).text(), 'fourth')
})

storage('list', async () => {
  for (const name of ['c.txt', 'b.txt']) good(await files().upload(`${env.user}/notes/${name}`, text(name)))
  const listed = good(await files().list(`${env.user}/notes`, { sortBy: { column: 'name', order: 'asc' } }))
  assert.deepEqual(listed.map((f) => f.name), ['a.txt', 'b.txt', 'c.txt'])
  assert.deepEqual(good(await files().list(`${env.user}/notes`, { limit: 1, offset: 1 })).map((f) => f.name), ['b.txt'])
  assert.deepEqual(good(await files().list(env.user)).map((f) => [f.name, f.id]), [['notes', null]])
})

storage('move and copy', async () => {
  good(await files().move(`${env.user}/notes/b.txt`, `${env.user}/old/b.txt`))
  good(await files().copy(`${env.user}/notes/c.txt`, `${env.user}/old/c.txt`))
  assert.deepEqual(good(await files().list(`${env.user}/old`)).map((f) => f.name).sort(), ['b.txt', 'c.txt'])
  assert.deepEqual(good(await files().list(`${env.user}/notes`)).map((f) => f.name).sort(), ['a.txt', 'c.txt'])
})

storage('signed downloads', async () => {
  const { signedUrl } = good(await files().createSignedUrl(`${env.user}/notes/a.txt`, 60, { download: 'nice name.txt' }))
  const answer = await fetch(signedUrl)
  assert.deepEqual([answer.status, await answer.text()], [200, 'fourth'])
  assert.match(answer.headers.get('content-disposition'), /nice/)
  const bent = await fetch(signedUrl.replace('a.txt', 'c.txt'))
  await bent.arrayBuffer()
  assert.ok(bent.status >= 400, `${bent.status}`)
  const several = good(await files().createSignedUrls([`${env.user}/notes/a.txt`, `${env.user}/absent.txt`], 60))
  assert.deepEqual(several.map((s) => Boolean(s.signedUrl)), [true, false])
  refused(await files(other).createSignedUrl(`${env.user}/notes/a.txt`, 60), 404)
})

storage('signed uploads', async () => {
  const { path, token } = good(await files().createSignedUploadUrl(`${env.user}/later.txt`))
  good(await files(nobody).uploadToSignedUrl(path, token, text('by a guest')))
  assert.equal(await good(await files().download(path)).text(), 'by a guest')
  refused(await files(nobody).uploadToSignedUrl(`${env.user}/elsewhere.txt`, token, text('x')), 400)
})

storage('public files', async () => {
  good(await admin.storage.from('posters').upload('wall.txt', text('see me')))
  const { publicUrl } = mine.storage.from('posters').getPublicUrl('wall.txt').data
  const answer = await fetch(publicUrl)
  assert.deepEqual([answer.status, await answer.text()], [200, 'see me'])
  const hidden = await fetch(publicUrl.replace('posters/wall.txt', `papers/${env.user}/notes/a.txt`))
  await hidden.arrayBuffer()
  assert.ok(hidden.status >= 400, `${hidden.status}`)
})

storage('names are names', async () => {
  for (const name of ['a b.txt', 'a+b.txt', 'a&b=c.txt', "it's.txt", '(x),y.txt', '50$.txt', 'a;b@c!.txt']) {
    const path = `${env.user}/odd/${name}`
    good(await files().upload(path, text(name)))
    assert.equal(await good(await files().download(path)).text(), name)
  }
  for (const name of ['../../../escape.txt', '..%2f..%2fescape.txt', 'a\\b.txt', 'Zoë\u0007.txt']) {
    const answer = await files().upload(`${env.user}/odd/${name}`, text(name))
    // Refused, or kept under some name of the same bucket; never outside.
    if (!answer.error) assert.ok(good(await admin.storage.from('papers').list('', { limit: 100 })).every((f) => f.name === env.user), name)
  }
})

storage('remove', async () => {
  const removed = good(await files().remove([`${env.user}/notes/a.txt`, `${env.user}/absent.txt`]))
  assert.deepEqual(removed.map((f) => f.name), [`${env.user}/notes/a.txt`])
  refused(await files().download(`${env.user}/notes/a.txt`), 404)
})

storage('buckets are emptied and removed', async () => {
  refused(await admin.storage.deleteBucket('papers'), 409)
  for (const name of ['papers', 'posters']) {
    good(await admin.storage.emptyBucket(name))
    good(await admin.storage.deleteBucket(name))
  }
})
