// Tables of packages: new databases and those of earlier versions, whose programs had the tables in their own migrations, have one schema.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { migrationsOf } from '@lendloom/cli/src/migrations.ts'
import { programs } from '@lendloom/cli/src/program-names.ts'
import { migrate, migrationFiles, missingMigrations } from '@lendloom/postgres/migrate'
import { connect, type Db } from '@lendloom/postgres/sql'
import { type Program, testDatabase } from '#test/setup/database.ts'
import { databaseOfEarlierVersion, migrateAsEarlierVersion, replacedMigrations } from '#test/setup/recording.ts'

/** Migrations that came after the tables had moved to the packages. */
const newer = ['008-vacuum-of-jobs.sql']

/** The files of a program of the last version in which it had all tables itself. */
function lastNames(program: Program): string[] {
  const { folders, replaced = [] } = migrationsOf[program]
  const replacements = replaced.flatMap(({ by }) => by)
  const kept = migrationFiles({ folders: folders.filter(({ owner }) => owner === undefined) })
    .map(({ name }) => name)
    .filter((name) => !replacements.includes(name) && !newer.includes(name))
  return [...replaced.map(({ name }) => name), ...kept].sort()
}

const firstName = (program: Program): string => migrationsOf[program].replaced![0]!.name

const catalogQuery = `
  select c.relname, 'column ' || a.attnum || ' ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull
    || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '') || ' ' || a.attidentity::text || ' ' || a.attstorage::text
    || ' ' || coalesce(a.attoptions::text, '') || ' ' || coalesce(col_description(c.oid, a.attnum), '') as fact
  from pg_attribute a join pg_class c on c.oid = a.attrelid
    left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where c.relkind in ('r', 'p') and a.attnum > 0 and c.relnamespace = 'public'::regnamespace
  union all
  select relname, relkind::text || ' ' || relpersistence::text || ' ' || coalesce(reloptions::text, '') || ' ' || relispartition
    || ' ' || coalesce(pg_get_partkeydef(oid), '') || ' ' || coalesce(obj_description(oid, 'pg_class'), '')
  from pg_class where relnamespace = 'public'::regnamespace
  union all
  select c.relname, pg_get_indexdef(i.indexrelid) || ' ' || i.indisvalid || ' ' || i.indisprimary
  from pg_index i join pg_class c on c.oid = i.indrelid where c.relnamespace = 'public'::regnamespace
  union all
  select c.relname, k.conname || ' ' || pg_get_constraintdef(k.oid) || ' ' || k.convalidated
  from pg_constraint k join pg_class c on c.oid = k.conrelid where k.connamespace = 'public'::regnamespace
  order by 1, 2`

async function catalogOf(db: Db): Promise<string[]> {
  const { rows } = await db.pool.query<{ relname: string; fact: string }>(catalogQuery)
  assert.ok(rows.length > 300, 'the schema was read')
  return rows.map(({ relname, fact }) => `${relname}: ${fact}`)
}

async function appliedIn(db: Db): Promise<string[]> {
  const { rows } = await db.pool.query<{ applied: string }>(
    `select name || ' ' || digest as applied from migration order by name`,
  )
  return rows.map(({ applied }) => applied)
}

function open(url: string): Db {
  const db = connect(url, { connections: 2 })
  after(() => db.close())
  return db
}

const created = async (program: Program): Promise<Db> => open(await testDatabase(program))
const earlier = async (program: Program, names: string[]): Promise<Db> =>
  open(await databaseOfEarlierVersion(program, names))

for (const program of programs)
  describe(`the tables of packages in the database of the ${program}`, () => {
    const migrations = migrationsOf[program]

    test('the replaced migrations are those of earlier versions, and their replacements exist', () => {
      const texts = replacedMigrations()[program]
      const names = migrationFiles(migrations).map(({ name }) => name)
      assert.deepEqual(migrations.replaced!.map(({ name }) => name).sort(), Object.keys(texts).sort())
      for (const { name, digest, by } of migrations.replaced!) {
        assert.equal(createHash('sha256').update(texts[name]!).digest('hex'), digest, name)
        for (const each of by) assert.ok(names.includes(each), each)
      }
    })

    test('a database of 0.1.0 runs what it lacks and has the schema of a new one', async () => {
      const [fresh, db] = await Promise.all([created(program), earlier(program, [firstName(program)])])
      const { missing, isNew } = await missingMigrations(db, migrations)
      assert.equal(isNew, false)
      assert.ok(!missing.includes('queue/001-job.sql') && missing.includes('queue/002-traceparent.sql'))
      assert.deepEqual(await migrate(db, migrations), missing)
      assert.deepEqual(await catalogOf(db), await catalogOf(fresh))
      assert.deepEqual(await appliedIn(db), await appliedIn(fresh))
    })

    test('a database that has applied the last migrations of the program itself runs only newer ones', async () => {
      const [fresh, db] = await Promise.all([created(program), earlier(program, lastNames(program))])
      const later = newer.filter((name) => migrationFiles(migrations).some((file) => file.name === name))
      assert.deepEqual((await missingMigrations(db, migrations)).missing, later)
      assert.deepEqual(await migrate(db, migrations), later)
      assert.deepEqual(await catalogOf(db), await catalogOf(fresh))
      assert.deepEqual(await appliedIn(db), await appliedIn(fresh))
    })

    test('processes of 0.1.0 and of this version start at once on its database, and every statement runs once', async () => {
      const [fresh, db] = await Promise.all([created(program), earlier(program, [firstName(program)])])
      const { missing } = await missingMigrations(db, migrations)
      const applied = await Promise.all([
        migrateAsEarlierVersion(program, db, [firstName(program)]),
        migrate(db, migrations),
        migrate(db, migrations),
      ])
      assert.deepEqual(applied.flat().sort(), missing.toSorted())
      assert.deepEqual(await catalogOf(db), await catalogOf(fresh))
      assert.deepEqual(await appliedIn(db), await appliedIn(fresh))
    })

    test('a process that ends between the migrations of the packages and of the program is followed by another one', async () => {
      const [fresh, db] = await Promise.all([created(program), earlier(program, [])])
      const packages = { folders: migrations.folders.filter(({ owner }) => owner !== undefined) }
      const first = await migrate(db, packages)
      const { missing } = await missingMigrations(db, migrations)
      assert.equal(missing[0], '001-tables.sql')
      assert.deepEqual(await migrate(db, migrations), missing)
      const names = migrationFiles(migrations).map(({ name }) => name)
      assert.deepEqual([...first, ...missing], names)
      assert.deepEqual(await catalogOf(db), await catalogOf(fresh))
      assert.deepEqual(await appliedIn(db), await appliedIn(fresh))
    })

    test('a process of an earlier version finds nothing to apply in a new database', async () => {
      const db = await created(program)
      assert.deepEqual(await migrateAsEarlierVersion(program, db, [firstName(program)]), [])
      assert.deepEqual(await migrateAsEarlierVersion(program, db, lastNames(program)), [])
    })

    test('a replaced migration that was edited after it was applied is refused', async () => {
      const db = await earlier(program, [firstName(program)])
      await db`update migration set digest = 'of another text'`
      await assert.rejects(migrate(db, migrations), /was edited after it was applied/)
    })
  })
