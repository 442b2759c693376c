// Recorded runs, held against AG-UI's own schemas and the order that its client
// checks. Runs are of one turn each: a name, and the data of its events.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { EventSchemas } from '@ag-ui/core/schemas'
import { verifyEvents } from '@ag-ui/client'
import { from, lastValueFrom, toArray } from 'rxjs'
import { check, runAll } from './tap.mjs'

const runs = JSON.parse(readFileSync(JSON.parse(process.env.SETTINGS).runs, 'utf8'))

for (const [name, frames] of Object.entries(runs)) {
  check(name, async () => {
    const events = frames.map(frame => JSON.parse(frame))
    for (const event of events) {
      const read = EventSchemas.safeParse(event)
      assert.ok(read.success, `${JSON.stringify(event)}: ${read.error}`)
      // The schemas are open: a member that they do not know would not be read.
      const known = Object.keys(EventSchemas.options.find(o => o.shape.type.value === event.type).shape)
      assert.deepEqual(Object.keys(event).filter(key => !known.includes(key)), [], JSON.stringify(event))
    }
    const verified = await lastValueFrom(from(events).pipe(verifyEvents(), toArray()))
    assert.equal(verified.length, events.length)
  })
}

await runAll()
