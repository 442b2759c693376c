// A list of checks that reports in the Test Anything Protocol.
import { inspect } from 'node:util'

const checks = []

// check adds a check. run throws when it fails. With the environment variable ONLY
// only the checks whose names contain its value are run.
export function check(name, run) {
  if (name.includes(process.env.ONLY ?? '')) checks.push({ name, run })
}

// runAll runs the checks in order and prints a line for each. The plan comes
// last, so that a script that dies half-way is seen to.
export async function runAll() {
  let n = 0
  for (const { name, run } of checks) {
    n++
    const begun = performance.now()
    try {
      await run()
      console.log(`ok ${n} - ${name}\n# ${Math.round(performance.now() - begun)} ms`)
    } catch (err) {
      console.log(`not ok ${n} - ${name}`)
      for (const line of String(err?.stack ?? inspect(err)).split('\n')) console.log(`# ${line}`)
    }
  }
  console.log(`1..${n}`)
}
