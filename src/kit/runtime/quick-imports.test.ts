// Faster imports find the same modules as Node.js, and name a missing one.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..', '..', '..')

/** Runs an expression after `quick-imports` and returns the output. */
const runAfterQuickening = (expression: string) => {
  const code = `import '#kit/runtime/quick-imports.mjs'\n${expression}`
  return spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: root, encoding: 'utf8' })
}

test('returns the same module by name and by path', () => {
  const { stdout } = runAfterQuickening(`
    const before = await import('./src/kit/runtime/record.ts')
    console.log(before === await import('#kit/runtime/record.ts'), typeof (await import('fastify')).fastify)
    console.log(before === await import('./src/kit/../kit/runtime/record.ts'))`)
  assert.equal(stdout, 'true function\ntrue\n')
})

test('the error of a missing module names its file', () => {
  const { stderr, status } = runAfterQuickening(`await import('#kit/runtime/no-such-file.ts')`)
  assert.match(stderr, /src\/kit\/runtime\/no-such-file\.ts/)
  assert.equal(status, 1)
})
