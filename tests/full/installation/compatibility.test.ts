// Compatibility of versions: the newest migrations must not break what the previous version reads and writes.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { incompatibleMigrations } from '@lendloom/cli/src/incompatible-migrations.ts'
import { migrationsOf } from '@lendloom/cli/src/migrations.ts'
import { createDatabase } from '@lendloom/cli/src/postgres/server.ts'
import { indexStatements, type MigrationFile, migrationFiles } from '@lendloom/postgres/migrate'
import { uuidv4 } from '@lendloom/seal/id'
import { Client } from 'pg'
import { testServer } from '#test/setup/database.ts'

/** A schema element that statements of an older version may rely on. */
interface Fact {
  kind: 'column' | 'check' | 'unique' | 'foreign'
  table: string
  columns: string[]
  text: string
  /** For a column: whether an insert must name it. */
  isNeeded: boolean
}

const factQuery = `
  select 'column' as kind, table_name as table, array[column_name::text] as columns,
    concat_ws(' ', udt_name, case when is_nullable = 'NO' then 'not null' end) as text,
    is_nullable = 'NO' and column_default is null and is_identity = 'NO' and is_generated = 'NEVER' as "isNeeded"
  from information_schema.columns where table_schema = 'public'
  union all
  select case contype when 'c' then 'check' else 'foreign' end, conrelid::regclass::text,
    array(select attname::text from pg_attribute where attrelid = conrelid and attnum = any(conkey) order by attnum), pg_get_constraintdef(oid), false
  from pg_constraint where connamespace = 'public'::regnamespace and contype in ('c', 'f')
  union all
  select 'unique', i.indrelid::regclass::text,
    array(select attname::text from pg_attribute where attrelid = i.indrelid and attnum = any(i.indkey::int2[]) order by attnum),
    regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING ', ''), false
  from pg_index i join pg_class c on c.oid = i.indrelid where i.indisunique and c.relnamespace = 'public'::regnamespace`

const factsOf = async (client: Client): Promise<Fact[]> => (await client.query<Fact>(factQuery)).rows

const isColumn = ({ kind }: Fact) => kind === 'column'
const named = ({ kind, table, columns, text }: Fact): string => `${kind} ${table} (${columns}): ${text}`
const isOfColumn = (one: Fact, other: Fact): boolean => one.table === other.table && one.columns[0] === other.columns[0]
const words = (text: string): string[] => text.match(/'[^']*'/g) ?? []

/** Whether a check constraint only allows additional values. */
const isWidened = (before: Fact, after: Fact): boolean =>
  before.table === after.table &&
  String(before.columns) === String(after.columns) &&
  words(before.text).length > 0 &&
  words(before.text).every((word) => words(after.text).includes(word))

/** Changes that break statements of the previous version: elements that are removed, stricter, or new and required. */
function breaks(before: Fact[], after: Fact[]): string[] {
  const texts = new Set(after.map(named))
  const known = new Set(before.map(named))
  const gone = before.filter((fact) => !texts.has(named(fact)))
  const lost = gone.filter((fact) => {
    // A removed check rejects nothing, but "on conflict" relies on unique indexes.
    if (!isColumn(fact)) return fact.kind === 'unique'
    const now = after.find((one) => isColumn(one) && isOfColumn(one, fact))
    return !now || now.text !== fact.text.replace(' not null', '')
  })
  const isOld = ({ table, columns }: Fact) =>
    columns.every((column) =>
      before.some((fact) => isColumn(fact) && fact.table === table && fact.columns[0] === column),
    )
  const tables = new Set(before.map(({ table }) => table))
  const unmet = after.filter((fact) => {
    if (!tables.has(fact.table)) return false
    const column = before.find((one) => isColumn(one) && isOfColumn(one, fact))
    if (isColumn(fact)) return fact.isNeeded && !column?.isNeeded
    return !known.has(named(fact)) && isOld(fact) && !gone.some((one) => one.kind === 'check' && isWidened(one, fact))
  })
  return [...lost.map((fact) => `gone: ${named(fact)}`), ...unmet.map((fact) => `new: ${named(fact)}`)]
}

async function emptyDatabase(): Promise<Client> {
  const url = await createDatabase(await testServer(), `compatible_${uuidv4().replaceAll('-', '')}`)
  const client = new Client({ connectionString: url })
  await client.connect()
  return client
}

/** What each migration after 0.1.0 breaks, by migration name. */
async function brokenBy(program: 'platform' | 'partner'): Promise<Map<string, string[]>> {
  const client = await emptyDatabase()
  const [foundation] = migrationsOf[program].replaced!
  const files = migrationFiles(migrationsOf[program])
  const isReleased = ({ name }: MigrationFile) => foundation!.by.includes(name)
  for (const file of files.filter(isReleased)) await apply(client, file)
  const broken = new Map<string, string[]>()
  let before = await factsOf(client)
  for (const file of files.filter((each) => !isReleased(each))) {
    await apply(client, file)
    const after = await factsOf(client)
    broken.set(file.name, breaks(before, after))
    before = after
  }
  await client.end()
  return broken
}

async function apply(client: Client, { name, path }: MigrationFile): Promise<void> {
  const text = readFileSync(path, 'utf8')
  if (name.endsWith('.concurrent.sql')) for (const { sql } of indexStatements(name, text)) await client.query(sql)
  else await client.query(text)
}

const upgrade = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'how-to', 'upgrade.md'), 'utf8')

for (const program of ['platform', 'partner'] as const)
  test(`docs/how-to/upgrade.md: statements of the previous version work after each migration of the ${program}, except those listed there`, async () => {
    const listed = incompatibleMigrations[program]
    for (const [name, what] of await brokenBy(program))
      if (!(name in listed))
        assert.deepEqual(
          what,
          [],
          `${name}: keep statements working, or list it in apps/cli/src/incompatible-migrations.ts`,
        )
    for (const [name, why] of Object.entries(listed))
      assert.ok(upgrade.includes(`| \`${name}\` of the ${program} | ${why} |`), `${name} is missing in upgrade.md`)
  })

for (const [statement, broken] of [
  ['alter table one add column added text', []],
  ['alter table one drop constraint one_state_check, add check (state in ($$A$$, $$B$$))', []],
  ['alter table one add column added text not null', ['new: column one (added): text not null']],
  ['alter table one drop column state', ['gone: column one (state): text']],
  ['create unique index one_state on one (state)', ['new: unique one (state): btree (state)']],
] as const)
  test(`a statement of a migration that breaks ${broken.length === 0 ? 'nothing' : 'the previous version'}: ${statement}`, async () => {
    const client = await emptyDatabase()
    await client.query(`create table one (id integer primary key, state text check (state in ('A')))`)
    const before = await factsOf(client)
    await client.query(statement)
    assert.deepEqual(breaks(before, await factsOf(client)), broken)
    await client.end()
  })
