// Runs npm's script after `npm ci` in a temporary offline installation, with and without development packages.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'

const root = join(import.meta.dirname, '..', '..', '..')
const folder = mkdtempSync(join(tmpdir(), 'lendloom-install-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
}
const npm = (...args: string[]) =>
  execFileSync('npm', [...args, '--offline', '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      npm_config_cache: join(folder, 'cache'),
      npm_config_loglevel: 'error',
    },
  })

// Uses the real npm scripts with a stub `vite` package and a stub build that writes only the last output file.
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const { prepare, build } = scripts
const devDependencies = { vite: 'file:vite' }
write(
  'package.json',
  JSON.stringify({ name: 'app', version: '1.0.0', type: 'module', scripts: { prepare, build }, devDependencies }),
)
write('vite/package.json', '{ "name": "vite", "version": "1.0.0" }')
write(
  'tools/web/build.ts',
  `import { mkdirSync, writeFileSync } from 'node:fs'
   mkdirSync('dist/web', { recursive: true })
   writeFileSync('dist/web/embed.json', 'built')`,
)
cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true })
npm('install', '--package-lock-only', '--ignore-scripts')
const pages = join(folder, 'dist', 'web', 'embed.json')

test('npm ci --omit=dev works without Vite: it builds no pages and keeps existing ones', () => {
  npm('ci', '--omit=dev')
  assert.equal(existsSync(join(folder, 'node_modules', 'vite')), false)
  assert.equal(existsSync(pages), false)
  write('dist/web/embed.json', 'built before')
  npm('ci', '--omit=dev')
  assert.equal(readFileSync(pages, 'utf8'), 'built before')
})

test('npm ci builds the pages; a later npm prune --omit=dev keeps them', () => {
  npm('ci')
  assert.equal(readFileSync(pages, 'utf8'), 'built')
  write('dist/web/embed.json', 'built before')
  npm('prune', '--omit=dev')
  assert.equal(existsSync(join(folder, 'node_modules', 'vite')), false)
  assert.equal(readFileSync(pages, 'utf8'), 'built before')
})

test('npx lendloom builds no pages that are there', () => {
  write('package.json', JSON.stringify({ name: 'app', version: '1.0.0', type: 'module', bin: 'bin/app.js', scripts }))
  write('bin/app.js', `#!/usr/bin/env node\nconsole.log('it runs')`)
  write('node_modules/vite/package.json', '{}')
  write('dist/web/embed.json', 'built before')
  assert.match(npm('exec', '--', 'app'), /it runs/)
  assert.equal(readFileSync(pages, 'utf8'), 'built before')
})

test('without development packages, the command line runs on the current Node or names the required version', () => {
  const run = (needed: string) => {
    write('package.json', JSON.stringify({ type: 'module', engines: { node: needed } }))
    return spawnSync(process.execPath, ['bin/lendloom.js', 'start'], { cwd: folder, encoding: 'utf8' })
  }
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
  write('packages/foundation/src/quick-imports.mjs', '')
  write('apps/cli/src/main.ts', 'export const runCommandLine = async () => console.log(process.argv[2])')
  assert.equal(run(`>=${process.versions.node}`).stdout, 'start\n')
  const { status, stderr } = run('>=99.0.0')
  assert.equal(status, 1)
  assert.match(stderr, /^lendloom: Node >=99\.0\.0 is needed and this is [\d.]+: .+\n$/)
})
