// What is known of the files of a process that ended before its report.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { WorkerResult } from './worker.ts'

const directory = mkdtempSync(join(tmpdir(), 'lendloom-worker-'))
after(() => rmSync(directory, { recursive: true, force: true }))

function write(name: string, body: string): string {
  const path = join(directory, name)
  writeFileSync(path, `import { test } from 'node:test'\n${body}\n`)
  return path
}
const completed = write('completed.test.ts', "test('passes', () => {})\ntest('fails', () => { throw new Error() })")
const ending = write('ending.test.ts', "test('ends the process', () => process.exit(0))")

/** Runs files one after another in one process; beside this one, because both print the lines of a reporter. */
function resultOf(...paths: string[]): WorkerResult {
  const code = `
    import { startWorker } from './tests/setup/worker.ts'
    const files = ${JSON.stringify(paths)}.map((path) => ({ path, sharing: 'any', seconds: 0, processor: 0 }))
    const worker = startWorker(files[0], 1, [])
    for (const file of files) await worker.run(file)
    console.log('\\n' + JSON.stringify(await worker.end()))`
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' })
  return JSON.parse(output.trimEnd().split('\n').at(-1)!)
}

test('a process that ends in a file loses the results of the files before it, and names them', () => {
  const { lost, faults } = resultOf(completed, ending)
  assert.deepEqual(lost, [completed])
  assert.equal(faults.length, 1)
  assert.match(faults[0]!, /^a process ended with 0 while it ran .*ending\.test\.ts/)
})

test('a process that reports loses nothing', () => {
  const { lost, failed, counts } = resultOf(completed)
  assert.deepEqual(lost, [])
  assert.deepEqual(failed, [`${completed}: fails`])
  assert.deepEqual(counts, { pass: 1, fail: 1, skipped: 0 })
})
