// The npm package `lendloom`: installed from its tarball in an empty app, every command loads and speaks to a platform.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { consoleCommands, machineCommands } from '@lendloom/cli/src/commands.ts'
import { changeContexts } from '@lendloom/cli/src/contexts.ts'
import { publint } from 'publint'
import { consoleUser } from '#test/setup/console.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { buildPackagesOnce, installPackage } from './consumer.ts'

const app = await installPackage('command-line')
const env = { LENDLOOM_CONFIG_DIR: app.directory, PATH: process.env.PATH }

/** Runs the installed program with the Node of the tests. */
const run = (...args: string[]) =>
  new Promise<{ code: number; output: string }>((resolve) => {
    const program = join(app.directory, 'node_modules', '.bin', 'lendloom')
    execFile(process.execPath, [program, ...args], { env }, (error, output, complaint) =>
      resolve({ code: Number(error?.code ?? 0), output: `${output}${complaint}` }),
    )
  })

test('the package contains only JavaScript, has no dependencies and passes publint', async () => {
  assert.ok(app.packedFiles.length > 10)
  for (const path of app.packedFiles)
    assert.match(path, /^(dist\/cli\/(lib\/)?[\w.-]+\.(js|txt)|package\.json|README\.md|LICENSE)$/)
  const { messages } = await publint({ pkgDir: join(await buildPackagesOnce(), 'command-line'), strict: true })
  assert.deepEqual(messages, [])
})

test('no file imports by name what Node 22.15 lacks, because such a module does not even load there', () => {
  const files = globSync('dist/cli/lib/*.js', { cwd: join(app.directory, 'node_modules', 'lendloom') })
  const newer = /import\s*(?:\w+\s*,\s*)?\{[^}]*\bargon2(?:Sync)?\b[^}]*\}\s*from\s*["']node:crypto["']/
  assert.ok(files.length > 10)
  for (const file of files)
    assert.doesNotMatch(readFileSync(join(app.directory, 'node_modules', 'lendloom', file), 'utf8'), newer, file)
})

test('every command loads; those of an installation are named where they run', async () => {
  for (const name of Object.keys(consoleCommands)) {
    const { code, output } = await run('help', name)
    assert.equal(code, 0, `${name}: ${output}`)
    assert.equal(output.includes('Usage') || output.includes('Commands'), true, `${name}: ${output}`)
  }
  for (const name of Object.keys(machineCommands))
    if (!(name in consoleCommands)) assert.equal((await run(name)).code, 2, name)
  assert.match((await run('start')).output, /run in an installation of Lendloom/)
})

test('without a sign-in it says how to sign in, and makes nothing', async () => {
  const { code, output } = await run('status')
  assert.equal(code, 1)
  assert.equal(output.trim(), 'lendloom: not signed in; run lendloom login <url>')
  assert.equal(existsSync(join(app.directory, 'node_modules', 'lendloom', '.lendloom')), false)
})

test('an older Node gets the version that is needed', async () => {
  const entry = join(app.directory, 'node_modules', 'lendloom', 'dist', 'cli', 'lendloom.js')
  const olderNode = `Object.defineProperty(process.versions, 'node', { value: '20.20.2' }); await import(${JSON.stringify(entry)})`
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, ['--input-type=module', '--eval', olderNode], { env }, (_error, text, complaint) =>
      resolve(`${text}${complaint}`),
    )
  })
  assert.equal(output.trim(), 'lendloom: Node >=22.15 is needed, and this is 20.20.2')
})

test('it acts as the person of the context', async () => {
  const platform = await testPlatform()
  const { cookie, person } = await consoleUser(platform, { role: 'developer', tenantId: platform.tenant.tenantId })
  changeContexts(env, (file) => {
    file.contexts.shop = { url: platform.url, cookie, person, expiresAt: new Date().toISOString() }
    file.current = 'shop'
  })
  const { code, output } = await run('status', '--json')
  assert.equal(code, 0)
  assert.equal(JSON.parse(output).email, person.email)
  assert.match((await run('webhook', 'add', 'http://127.0.0.1:9/', '--application', 'Sandbox Pay')).output, /^whsec_/)
})
