// The page as people use it, in a browser, at the real doors. Each story opens
// the page for itself; what was done is read from the database.
import { closeBrowser } from './visit.mjs'
import { runAll } from './tap.mjs'

await import('./signin.mjs')
await import('./answer.mjs')
await import('./talk.mjs')
await import('./consent.mjs')
await import('./broken.mjs')
await import('./forged.mjs')
await import('./hostile.mjs')
await import('./forms.mjs')
await import('./parts.mjs')
await import('./tables.mjs')
await import('./morning.mjs')
await import('./tape.mjs')
await import('./files.mjs')
await import('./kept.mjs')
await import('./voice.mjs')
await import('./rating.mjs')
await import('./intents.mjs')
await import('./looks.mjs')
await import('./dev.mjs')
await runAll()
await closeBrowser()
