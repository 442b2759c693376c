// A list of checks that reports in the Test Anything Protocol.
import assert from 'node:assert/strict'
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

// good returns the data of an answer that must have no error.
export function good({ data, error, status }) {
  if (error) assert.fail(`refused with ${status}: ${inspect(error)}`)
  return data
}

// bad checks that an answer is this refusal, and returns its error.
export function bad({ data, error, status }, wantStatus, wantCode) {
  assert.ok(error, `not refused, but answered with ${inspect(data)}`)
  assert.deepEqual({ status, code: error.code }, { status: wantStatus, code: wantCode }, inspect(error))
  assert.equal(data, null)
  return error
}
