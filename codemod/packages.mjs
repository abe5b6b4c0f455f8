// Writes package.json of each workspace from what its files import: node codemod/packages.mjs .
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtinModules } from 'node:module'
import { workspaceOf } from './map.mjs'
const root = process.argv[2]
const files = execFileSync('git', ['ls-files'], { cwd: root, maxBuffer: 1 << 28 }).toString().trim().split('\n')
const rootPackage = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const versions = { ...rootPackage.devDependencies, ...rootPackage.dependencies }
const about = {
  'apps/platform': 'The platform: hosted sessions (D1), headless API (D2), our side of the partner exchange (D3), the open network.',
  'apps/partner': 'The reference lender: origination, loans, books and the desk, behind the five interfaces of D3.',
  'apps/sandbox': 'The outside world for development: registry, gateway, bank, aggregator, bureau, and lenders of the network.',
  'apps/console': "The staff's application in the browser.",
  'apps/page': "The borrower's page.",
  'apps/demo': 'The demo app, which embeds a journey.',
  'apps/cli': 'The command `lendloom`.',
  'packages/foundation': 'Refusals, schemas, clock, settings, log, metrics and traces: what every program stands on.',
  'packages/postgres': 'The client of PostgreSQL: statements, transactions, migrations, partitions, sealed columns.',
  'packages/queue': 'Jobs and the delivery engine.',
  'packages/event-log': 'Inbox and outbox of the partner exchange (D3).',
  'packages/http': 'Server, client, egress, routes, OpenAPI and rate limits.',
  'packages/identity': 'Sign-in, sessions, passkeys, second factor and the audit chain of staff.',
  'packages/seal': 'Encryption, digests, tokens, ids and keys.',
  'packages/files': 'Stored files and their checks.',
  'packages/documents': 'PDF, CSV, XLSX and calendars: reading and writing.',
  'packages/mail': 'Mail: sending, the incoming server, and reading.',
  'packages/archive': 'The cold archive of old rows.',
  'packages/design': 'Tokens, themes and style sheets of every page.',
  'packages/lending': 'The vocabulary of lending without a wire: money, calendar, products, reasons, languages.',
  'packages/wire': 'Formats as the documents spell them: hosted, headless, exchange, network, console, providers.',
  'packages/conformance': 'Plays either side of D3 and judges transcripts of the network.',
  tests: 'The tests that need more than one workspace, and what all tests share.',
}
const open = new Set(['packages/wire', 'packages/conformance', 'tests'])
const spaces = Object.keys(about)
const byName = new Map(spaces.map((w) => [w.replace(/^(apps|packages)\//, ''), w]))
const deps = new Map(spaces.map((w) => [w, { own: new Set(), test: new Set(), npm: new Set(), npmTest: new Set() }]))
const doors = new Map(spaces.map((w) => [w, new Map()]))
const rootDeps = new Set()
for (const file of files) {
  if (!/\.(ts|tsx|mjs|js)$/.test(file)) continue
  const w = workspaceOf(file)
  const text = readFileSync(join(root, file), 'utf8')
  const isTest = /\.test\.tsx?$/.test(file) || w === 'tests' || !deps.has(w)
  const list = deps.get(w)
  for (const [, s] of text.matchAll(/(?:\bfrom|\bimport|\bimport\(|\bload\(|require\(|\bresolve\()\s*\(?\s*['"]([^'"\n]+)['"]/g)) {
    if (/^[.#/]|^node:/.test(s) || builtinModules.includes(s)) continue
    const name = s.split('/').slice(0, s.startsWith('@') ? 2 : 1).join('/')
    if (name.startsWith('@lendloom/')) {
      const to = byName.get(name.slice(10))
      if (!to) { if (name !== '@lendloom/embed' && name !== '@lendloom/server') console.log('unknown', s, file); continue }
      list?.[isTest ? 'test' : 'own'].add(name)
      const door = s.slice(name.length + 1)
      if (!door.startsWith('src/') && !open.has(to)) doors.get(to).set(door, true)
      continue
    }
    if (versions[name]) { list?.[isTest ? 'npmTest' : 'npm'].add(name); if (!list && !isTest) rootDeps.add(name) }
  }
}
const has = (file) => existsSync(join(root, file))
for (const w of spaces) {
  const { own, npm } = deps.get(w)
  const name = `@lendloom/${w.replace(/^(apps|packages)\//, '')}`
  const hasSrc = has(`${w}/src`)
  const exports = {}
  if (open.has(w)) {
    const base = hasSrc ? './src/' : './'
    exports['./*.json'] = `${base}*.json`
    exports['./*'] = `${base}*.ts`
  } else {
    for (const door of [...doors.get(w).keys()].sort()) {
      const path = ['.ts', '.tsx', ''].map((end) => `src/${door}${end}`).find((p) => has(`${w}/${p}`))
      if (!path) console.log('no file for', w, door)
      exports[`./${door}`] = `./${path}`
    }
  }
  if (hasSrc && !open.has(w)) exports['./src/*'] = { inside: './src/*' }
  const short = w === 'tests' ? 'test' : w.replace(/^(apps|packages)\//, '')
  const dependencies = Object.fromEntries([...[...own].filter((n) => n !== name).sort().map((n) => [n, '*']), ...[...npm].sort().filter((n) => rootPackage.dependencies[n]).map((n) => [n, versions[n]])].sort(([a], [b]) => (a < b ? -1 : 1)))
  const json = {
    name, version: '0.0.0', private: true, description: about[w], license: 'Apache-2.0', type: 'module',
    exports, imports: { [`#${short}/*`]: hasSrc ? './src/*' : './*' },
    scripts: { test: `node ../../tests/run.ts commit ${w}` },
    ...(Object.keys(dependencies).length > 0 && { dependencies }),
  }
  if (w === 'tests') json.scripts = undefined
  writeFileSync(join(root, w, 'package.json'), `${JSON.stringify(json, null, 2)}\n`)
}
const documents = join(root, 'packages/documents/package.json')
const own = JSON.parse(readFileSync(documents, 'utf8'))
for (const [name, version] of Object.entries(rootPackage.dependencies)) if (name.startsWith('@expo')) own.dependencies[name] = version
own.dependencies = Object.fromEntries(Object.entries(own.dependencies).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(documents, `${JSON.stringify(own, null, 2)}\n`)
const libraries = 'archive conformance design documents event-log files foundation http identity lending mail postgres queue seal wire'.split(' ')
delete rootPackage.imports
delete rootPackage.dependencies
const { name, version, description, license, private: isPrivate, type, engines, bin, ...rest } = rootPackage
writeFileSync(join(root, 'package.json'), `${JSON.stringify({ name, version, description, license, private: isPrivate, type, engines, workspaces: ['apps/*', ...libraries.map((n) => `packages/${n}`), 'tests'], bin, ...rest }, null, 2)}\n`)
const usedByWorkspaces = new Set([...deps.values()].flatMap(({ npm }) => [...npm]))

