// Runs snippets of the documentation, each in a process of its own, and compares what
// they print. The settings are a list of snippets: name, code, env, files (contents in
// base64, by name) and prints, a regular expression.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { check, runAll } from './tap.mjs'

const { snippets } = JSON.parse(process.env.SETTINGS)

function run(file, env) {
  return new Promise((resolve, reject) => {
    const node = spawn(process.execPath, [file], { env: { ...process.env, SETTINGS: '', ...env } })
    let out = '', errors = ''
    node.stdout.on('data', piece => (out += piece))
    node.stderr.on('data', piece => (errors += piece))
    node.on('error', reject)
    node.on('close', status => resolve({ status, out, errors }))
  })
}

snippets.forEach(({ name, code, env, files, prints }, i) => {
  check(name, async () => {
    for (const [file, content] of Object.entries(files ?? {})) writeFileSync(file, Buffer.from(content, 'base64'))
    writeFileSync(`snippet-${i}.mjs`, code)
    const { status, out, errors } = await run(`snippet-${i}.mjs`, env)
    assert.equal(status, 0, errors)
    assert.match(out, new RegExp(prints, 's'))
  })
})

await runAll()
