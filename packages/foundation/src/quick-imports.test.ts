// Faster imports find the same modules as Node.js, and name a missing one.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..', '..', '..')

/** Runs an expression after `quick-imports` and returns the output. */
const runAfterQuickening = (expression: string) => {
  const code = `import './packages/foundation/src/quick-imports.mjs'\n${expression}`
  return spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: root, encoding: 'utf8' })
}

test('returns the same module by name and by path', () => {
  const { stdout } = runAfterQuickening(`
    const before = await import('./packages/foundation/src/record.ts')
    console.log(before === await import('@lendloom/foundation/record'), typeof (await import('fastify')).fastify)
    console.log(before === await import('./packages/../packages/foundation/src/record.ts'))`)
  assert.equal(stdout, 'true function\ntrue\n')
})

test('the error of a missing module names its file', () => {
  const { stderr, status } = runAfterQuickening(`await import('@lendloom/foundation/no-such-file')`)
  assert.match(stderr, /packages\/foundation\/src\/no-such-file\.ts/)
  assert.equal(status, 1)
})
