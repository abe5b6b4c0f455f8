// The rules over imports and tables. To add an area, add it to its program in `areas`.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { circles, filesOfFlow, walks } from './architecture/figures.ts'
import { type Import, importsOf, openSources, type Source, sourceOf } from './architecture/sources.ts'

/** The areas of each program, from the lowest: an area imports, and reads tables of, those that stand before it. */
const areas: Record<string, string[]> = {
  platform: ['mail', 'providers', 'people', 'integrators', 'lending', 'lenders', 'complaints', 'records', 'api'],
  partner: ['bank', 'exchange', 'people', 'books', 'origination', 'servicing', 'records', 'autopilot', 'api', 'desk'],
  sandbox: `core registry bank bureau collector mailbox gateway aggregator verification lender mfcentral`.split(' '),
}
/** Call systems outside. */
const clients =
  /^apps\/(platform\/src\/(integrators\/webhook|people|lenders|providers|api\/(demo|autopilot))|partner\/src\/(exchange|bank)|sandbox\/src\/(bank|lender|gateway|aggregator|verification))\//
/** Delete personal data from the tables of all areas. */
const erasers = /^apps\/(platform\/src\/records\/privacy\/erase|partner\/src\/records\/retention)\/store\.ts$/

const programOf = (path: string): string => path.split('/')[1] ?? ''
/** The area of a file; null for a file of the program itself. */
function areaOf(path: string): string | null {
  const area = path.split('/')[3] ?? ''
  return areas[programOf(path)]?.includes(area) ? area : null
}
/** Whether two files of a program are in areas, of which the second stands above. */
function isAbove(path: string, other: string): boolean {
  const order = areas[programOf(path)] ?? []
  const height = (each: string) => order.indexOf(areaOf(each) ?? '')
  return programOf(path) === programOf(other) && height(path) >= 0 && height(other) > height(path)
}

function faultsOfImports(sources: Source[], imports: Import[]): string[] {
  // Files of a program that bring its areas together, such as its routes.
  const gathering = new Set(
    imports.flatMap(({ from, to, isType }) => (to && !isType && !areaOf(from) && areaOf(to) ? from : [])),
  )
  const upward = imports.filter(
    ({ from, to }) =>
      to && areaOf(from) && (isAbove(from, to) || (programOf(from) === programOf(to) && gathering.has(to))),
  )
  return [
    ...circles(sources).map((files) => `${files.join(', ')} import each other`),
    ...upward.map(({ from, to }) => `${from} imports ${to}, which stands above it`),
    ...sources
      .filter(
        ({ path, text }) => areaOf(path) && /'@lendloom\/http\/(client|open-id)'/.test(text) && !clients.test(path),
      )
      .map(({ path }) => `${path} calls other systems, and is no client`),
  ]
}

const writes = /\b(?:insert into|update|delete from)\s+([a-z_]+)\b(?=[\s\S]{0,40}?(?:\(|set|where))/g
const reads = /\b(?:from|join)\s+([a-z_]+)\b/g

/** The tables in the SQL of each area, with the file. */
function tablesIn(sources: Source[], pattern: RegExp): { path: string; table: string; key: string }[] {
  return sources
    .filter(({ path }) => areaOf(path) && !erasers.test(path))
    .flatMap(({ path, text }) =>
      [...text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').matchAll(pattern)].map(([, table = '']) => ({
        path,
        table,
        key: `${programOf(path)}.${table}`,
      })),
    )
}

function faultsOfTables(sources: Source[]): string[] {
  const written = tablesIn(sources, writes)
  const writers = new Map(written.map(({ key, path }) => [key, path]))
  const writerOf = (key: string, path: string) => writers.get(key) ?? path
  return [
    ...written
      .filter(({ path, key }) => areaOf(writerOf(key, path)) !== areaOf(path))
      .map(({ path, table, key }) => `${path} writes the table ${table} of ${writerOf(key, path)}`),
    ...tablesIn(sources, reads)
      .filter(({ path, key }) => isAbove(path, writerOf(key, path)))
      .map(
        ({ path, table, key }) => `${path} reads the table ${table} of ${writerOf(key, path)}, which stands above it`,
      ),
  ]
}

const workspaces = globSync('{apps,packages}/*/package.json').flatMap((path) => {
  const { private: isOurs, dependencies = {} } = JSON.parse(readFileSync(path, 'utf8'))
  return isOurs ? [{ folder: `${dirname(path)}/`, dependencies: Object.keys(dependencies) }] : []
})

/** Programs meet over HTTP: only the command line imports them. Node itself refuses what is no door of a workspace. */
function faultsOfDoors(sources: Source[]): string[] {
  const program = /^@lendloom\/(?:platform|partner|sandbox)$/
  return sources.flatMap(({ path, text }) => {
    const workspace = workspaces.find(({ folder }) => path.startsWith(folder))
    const doors = [...text.matchAll(/(?:from |import\()'(@lendloom\/[\w-]+)\/([^']+)'/g)]
    return doors.flatMap(([, name = '', door = '']) => [
      ...(door.startsWith('src/') && workspace ? [`${path} looks inside ${name}`] : []),
      ...(program.test(name) && !/^(apps\/cli|tools)\//.test(path) ? [`${path} imports the program ${name}`] : []),
      ...(workspace && !workspace.dependencies.includes(name) ? [`${workspace.folder} does not name ${name}`] : []),
    ])
  })
}

const faultsIn = (sources: Source[]): string[] => [
  ...faultsOfImports(sources, sources.flatMap(importsOf)),
  ...faultsOfTables(sources),
  ...faultsOfDoors(sources),
]

test('imports and tables lead downward, clients alone call other systems, and programs meet over HTTP', () => {
  assert.deepEqual(faultsIn(openSources()), [])
})

test('each kind of fault is named', () => {
  const planted = Object.entries({
    'apps/platform/src/lending/a.ts': `
      import { b } from '#platform/lenders/b.ts'
      import { all } from '#platform/program.ts'
      import { call } from '@lendloom/http/client'
      export const a = sql\`select 1 from stage\``,
    'apps/platform/src/lenders/b.ts': `
      import { a } from '#platform/lending/a.ts'
      export const b = sql\`insert into stage (id) values; insert into mail_out (id) values\``,
    'apps/platform/src/mail/c.ts': 'export const c = sql`update mail_out set id = 1`',
    'apps/platform/src/program.ts': "import { c } from '#platform/mail/c.ts'",
    'packages/seal/src/d.ts': "import { a } from '@lendloom/platform/src/lending/a.ts'",
  })
  assert.deepEqual(faultsIn(planted.map(([path, text]) => sourceOf(path, text))), [
    'apps/platform/src/lenders/b.ts, apps/platform/src/lending/a.ts import each other',
    'apps/platform/src/lending/a.ts imports apps/platform/src/lenders/b.ts, which stands above it',
    'apps/platform/src/lending/a.ts imports apps/platform/src/program.ts, which stands above it',
    'apps/platform/src/lending/a.ts calls other systems, and is no client',
    'apps/platform/src/lenders/b.ts writes the table mail_out of apps/platform/src/mail/c.ts',
    'apps/platform/src/lending/a.ts reads the table stage of apps/platform/src/lenders/b.ts, which stands above it',
    'packages/seal/src/d.ts looks inside @lendloom/platform',
    'packages/seal/src/d.ts imports the program @lendloom/platform',
    'packages/seal/ does not name @lendloom/platform',
  ])
})

test('each walk that `npm run gauge` counts begins at a declaration of the sources', () => {
  const sources = openSources()
  for (const [path, name] of Object.values(walks).flat()) assert.ok(filesOfFlow(sources, path, name).includes(path))
})
