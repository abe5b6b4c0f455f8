import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const home = join(import.meta.dirname, '..', '..', '..')

/** What a process prints that imports this after `quickenImports`. */
const printed = (expression: string) => {
  const code = `import { quickenImports } from '#kit/runtime/quick-imports.ts'\nquickenImports()\n${expression}`
  return spawnSync(process.execPath, ['--input-type=module', '-e', code], { cwd: home, encoding: 'utf8' })
}

test('a module that was imported before is the same one, by its name or by its path', () => {
  const { stdout } = printed(`
    const before = await import('./src/kit/runtime/record.ts')
    console.log(before === await import('#kit/runtime/record.ts'), typeof (await import('fastify')).fastify)
    console.log(before === await import('./src/kit/../kit/runtime/record.ts'))`)
  assert.equal(stdout, 'true function\ntrue\n')
})

test('a module that is missing is named', () => {
  const { stderr, status } = printed(`await import('#kit/runtime/no-such-file.ts')`)
  assert.match(stderr, /src\/kit\/runtime\/no-such-file\.ts/)
  assert.equal(status, 1)
})
