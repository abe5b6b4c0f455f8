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
  partner:
    'Keys of tables that belong to an application begin with `case_ref`, the key of `case_file`. A `person_id` is the `staff_id` of a member of staff.',
  sandbox: 'The simulated network, lenders, providers and bank. Not used in production.',
}

export const dataModel = (schema: Schema): string =>
  page(
    'Data model',
    'Each program has its own database. The pictures show one area of a program each, named after the module that writes its tables; a line leads from a table to the tables that contain its whole key. Columns ending in `_sealed` are encrypted, `_digest` is a keyed digest for look-ups, `_at` a time, `_on` a day. The migrations, in `src/migrations` of each program and package, have all columns with their comments; the tables below repeat the first sentence about each table, for tables of packages under the platform alone.',
    ...programs.flatMap((program) => [`## ${title(program)}`, about[program], ...areas(program, schema)]),
  )

const title = (program: Program): string => `The ${program}`

function areas(program: Program, schema: Schema): string[] {
  const tables = schema[program]
  const areaOf = areasOf(program)
  const names = [...new Set(tables.map(({ name }) => areaOf.get(name) ?? shared))].sort()
  const lines = relations(tables.map(withoutBucket))
  const comments = commentsOf(program)
  const explained = new Set(program === 'platform' ? [] : schema.platform.map(({ name }) => name))
  return names.flatMap((area) => {
    const within = tables.filter(({ name }) => (areaOf.get(name) ?? shared) === area).map(({ name }) => name)
    const drawn = lines.filter(({ child }) => within.includes(child.name))
    const inLines = drawn.flatMap(({ parent, child }) => [parent.name, child.name])
    const rows = within
      .filter((name) => area !== shared || !explained.has(name))
      .filter((name) => comments.has(name) || !inLines.includes(name))
      .map((name) => [code(name), comments.get(name) ?? ''])
    if (drawn.length === 0 && rows.length === 0) return []
    return [
      `### ${title(program)}: ${area}`,
      ...(drawn.length > 0 ? [mermaid(['erDiagram', ...drawn.map(lineOf)])] : []),
      ...(rows.length > 0 ? [table(['Table', 'Holds'], rows)] : []),
    ]
  })
}

/** A bucket is a location, not an owner, so keys are compared without it. */
const withoutBucket = (row: TableRow): TableRow => ({ ...row, key: row.key.filter((column) => column !== 'bucket') })

interface Relation {
  parent: TableRow
  child: TableRow
}

function lineOf({ parent, child }: Relation): string {
  const isOne = child.key.every((column) => parent.key.includes(column))
  return `  ${parent.name} ||--o${isOne ? '|' : '{'} ${child.name} : ""`
}

/** A table belongs to the tables whose whole key it has, unless a table between them implies it. */
function relations(tables: TableRow[]): Relation[] {
  const all = tables.flatMap((child) =>
    tables.filter((parent) => parent !== child && isParent(parent, child)).map((parent) => ({ parent, child })),
  )
  return all.filter(({ parent, child }) => !all.some((via) => isBetween(via, parent, child, all)))
}

const isBetween = (via: Relation, parent: TableRow, child: TableRow, all: Relation[]): boolean =>
  via.child === child && via.parent !== parent && all.some((up) => up.parent === parent && up.child === via.parent)

/** Columns that have another table's key name with another meaning. */
const namesakes = new Set([
  'api_request > partner_document',
  'approval_request > dedupe_check',
  'approval_request > document_request',
  'approval_request > stored_document',
  'consent > aa_session',
  'dedupe_review > case_review',
  'document_request > dedupe_check',
  'embed_session > headless_session',
  'outbox_entity > inbox',
  'outbox_entity > inbox_entity',
  'outbox_entity > inbox_waiting',
  'service_payment > conversation',
])

const isWithin = (inner: string[], outer: string[]): boolean => inner.every((column) => outer.includes(column))

function isParent(parent: TableRow, child: TableRow): boolean {
  if (child.references.includes(parent.name)) return parent.name !== 'tenant'
  if (!containsKey(child, parent) || !isNamedByKey(parent)) return false
  if (namesakes.has(`${parent.name} > ${child.name}`)) return false
  return !isWithin(child.key, parent.key) || (isWithin(parent.key, child.key) && !isNamedByKey(child))
}

const containsKey = (child: TableRow, parent: TableRow): boolean =>
  parent.key.every((name) =>
    child.columns.some((column) => column.name === name && column.type === typeOf(parent, name)),
  )

const typeOf = ({ columns }: TableRow, column: string): string | undefined =>
  columns.find(({ name }) => name === column)?.type

/** Whether the key names this table: other tables with that key hold more about it. Every table belongs to a tenant. */
function isNamedByKey({ name, key }: TableRow): boolean {
  if (name === 'case_file') return true
  const last = key.at(-1) ?? ''
  const named = last.replace(/_(?:id|ref)$/, '')
  return named !== last && named !== 'tenant' && (name === named || name.endsWith(`_${named}`))
}

const shared = 'packages'
const createdTable = /^create table (?:if not exists )?([a-z_]+)/gm

/** The module that writes each table; the tables of the packages are an area of their own. */
function areasOf(program: Program): Map<string, string> {
  const ofPackages = sources('packages/*/src/migrations/*.sql').flatMap(({ text }) =>
    Array.from(text.matchAll(createdTable), ([, name = '']) => name),
  )
  const found = new Map(ofPackages.map((name) => [name, shared]))
  for (const statement of [/\binsert into\s+([a-z_]+)\b/g, /\b(?:update|delete from)\s+([a-z_]+)\b/g])
    for (const { path, text } of sources(`apps/${program}/src/**/{store,*-store}.ts`)) {
      const [, , , module = ''] = path.split('/')
      for (const [, name = ''] of text.matchAll(statement)) if (!found.has(name)) found.set(name, module)
    }
  return found
}

/** The first sentence of the comment above each table of a migration. */
function commentsOf(program: Program): Map<string, string> {
  const commented = /((?:^-- .*\n)+)create table (?:if not exists )?([a-z_]+)/gm
  const found = new Map<string, string>()
  for (const { text } of sources(`{apps/${program},packages/*}/src/migrations/*.sql`))
    for (const [, comment = '', name = ''] of text.matchAll(commented)) found.set(name, firstSentence(comment))
  return found
}

const firstSentence = (comment: string): string =>
  comment
    .replace(/^-- /gm, '')
    .replace(/\s+/g, ' ')
    .trim()
    .split(/(?<=\.) (?=[A-Z`])/)[0]!

const sources = (pattern: string) =>
  globSync(pattern, { cwd: home })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(home, path), 'utf8') }))
