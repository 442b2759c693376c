// A list of checks that reports in the Test Anything Protocol.
import { inspect } from 'node:util'

const checks = []

// check adds a check. run throws when it fails.
export function check(name, run) {
  checks.push({ name, run })
}

// runAll runs the checks in order and prints a line for each. The plan comes
// last, so that a script that dies half-way is seen to.
export async function runAll() {
  let n = 0
  for (const { name, run } of checks) {
    n++
    try {
      await run()
      console.log(`ok ${n} - ${name}`)
    } catch (err) {
      console.log(`not ok ${n} - ${name}`)
      for (const line of String(err?.stack ?? inspect(err)).split('\n')) console.log(`# ${line}`)
    }
  }
  console.log(`1..${n}`)
}
