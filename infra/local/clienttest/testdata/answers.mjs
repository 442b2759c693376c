// What every check needs to know of an answer.
import assert from 'node:assert/strict'
import { inspect } from 'node:util'

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
