// Draws the tables of each program and their relations, from its migrated database and the modules that write them.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { code, mermaid, page, table } from './markdown.ts'
import type { TableRow } from './store.ts'

export const programs = ['platform', 'partner', 'sandbox'] as const
type Program = (typeof programs)[number]
export type Schema = Record<Program, TableRow[]>

const home = join(import.meta.dirname, '..', '..')

const about: Record<Program, string> = {
  platform:
    "Keys begin with `tenant_id`; those of a borrower's rows end with `bucket`. Inbox messages and provider references are keyed by the id of their sender.",
  partner: 'Keys of tables that belong to an application begin with `case_ref`.',
  sandbox: 'The simulated network, lenders, providers and bank. Not used in production.',
}

export const dataModel = (schema: Schema): string =>
  page(
    'Data model',
    'Each program has its own database. In the diagrams a line leads from a table to the tables that contain its whole key. Columns ending in `_sealed` are encrypted, `_digest` is a keyed digest for look-ups, `_at` a time, `_on` a day.',
    ...programs.flatMap((program) => [
      `## ${title(program)}`,
      about[program],
      mermaid(['erDiagram', ...relations(schema[program].map(withoutBucket))]),
      ...byModule(program, schema[program]),
    ]),
  )

const title = (program: Program): string => `The ${program}`

/** A bucket is a location, not an owner, so keys are compared without it. */
const withoutBucket = (row: TableRow): TableRow => ({ ...row, key: row.key.filter((column) => column !== 'bucket') })

interface Relation {
  parent: TableRow
  child: TableRow
}

/** A table belongs to the tables whose whole key it has, unless a table between them implies it. */
function relations(tables: TableRow[]): string[] {
  const all = tables.flatMap((child) =>
    tables.filter((parent) => parent !== child && isParent(parent, child, tables)).map((parent) => ({ parent, child })),
  )
  const direct = all.filter(({ parent, child }) => !all.some((via) => isBetween(via, parent, child, all)))
  return direct.map(({ parent, child }) => {
    const isOne = child.key.every((column) => parent.key.includes(column))
    return `  ${parent.name} ||--o${isOne ? '|' : '{'} ${child.name} : ""`
  })
}

const isBetween = (via: Relation, parent: TableRow, child: TableRow, all: Relation[]): boolean =>
  via.child === child && via.parent !== parent && all.some((up) => up.parent === parent && up.child === via.parent)

/** Columns that have another table's key name with another meaning. */
const namesakes = new Set([
  'consent > aa_session',
  'embed_session > headless_session',
  'outbox_entity > inbox_entity',
  'service_payment > conversation',
])

const isWithin = (inner: string[], outer: string[]): boolean => inner.every((column) => outer.includes(column))

function isParent(parent: TableRow, child: TableRow, tables: TableRow[]): boolean {
  const columns = child.columns.map(({ name }) => name)
  if (!isWithin(parent.key, columns) || !isOwner(parent, tables)) return false
  if (namesakes.has(`${parent.name} > ${child.name}`)) return false
  return !isWithin(child.key, parent.key) || (isWithin(parent.key, child.key) && !isOwner(child, tables))
}

/** Whether the key names this table, among the tables with that key; the others hold more about it. */
function isOwner({ name, key }: TableRow, tables: TableRow[]): boolean {
  const last = key.at(-1) ?? ''
  const named = last.replace(/_(?:id|ref)$/, '')
  if (named === last) return false
  const alike = tables.filter((each) => each.key.length === key.length && isWithin(each.key, key))
  const fitting = alike.filter((each) => each.name === named || each.name.endsWith(`_${named}`))
  return fitting[0] ? fitting[0].name === name : alike.length === 1
}

function byModule(program: Program, tables: TableRow[]): string[] {
  const owners = ownersOf(program)
  const modules = [...new Set(tables.map(({ name }) => owners.get(name) ?? shared))].sort()
  return modules.flatMap((module) => [
    `### ${title(program)}: ${module}`,
    table(
      ['Table', 'Key', 'Other columns'],
      tables
        .filter(({ name }) => (owners.get(name) ?? shared) === module)
        .map(({ name, key, columns }) => [
          code(name),
          key.map(code).join(', '),
          columns
            .filter((column) => !key.includes(column.name))
            .map((column) => `${code(column.name)} ${column.type}${column.nullable ? ', may be null' : ''}`)
            .join('; '),
        ]),
    ),
  ])
}

const shared = 'packages'

/** The module that writes each table; tables that no module writes belong to the packages. */
function ownersOf(program: Program): Map<string, string> {
  const owners = new Map<string, string>()
  for (const path of globSync(`apps/${program}/src/**/{store,*-store}.ts`, { cwd: home }).sort()) {
    const [, , , module = ''] = path.replaceAll('\\', '/').split('/')
    const text = readFileSync(join(home, path), 'utf8')
    for (const [, name = ''] of text.matchAll(/\b(?:insert into|update|delete from)\s+([a-z_]+)\b/g))
      if (!owners.has(name)) owners.set(name, module)
  }
  return owners
}
