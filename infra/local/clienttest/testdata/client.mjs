// The official client against the local stack. Each file adds its checks; they
// run in this order, in one process, as one person.
import { runAll } from './tap.mjs'

await import('./auth.mjs')
await import('./rows.mjs')
await import('./writes.mjs')
await import('./functions.mjs')
await import('./hostile.mjs')
await import('./storage.mjs')

await runAll()
