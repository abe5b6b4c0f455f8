// Migrations: each is applied once, in order, by one of several processes, and never edited afterwards.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, connect as tcp } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { testDatabase } from '@lendloom/tests/setup/database'
import { databaseProxy } from '@lendloom/tests/setup/database-line'
import { freePort } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import { indexStatements, type MigrationFolder, migrate, missingMigrations } from './migrate.ts'
import { connect } from './sql.ts'

/** A database, and an empty folder for its migrations. */
async function newMigrations() {
  const url = await testDatabase('platform')
  const db = connect(url, { connections: 4 })
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-migrations-'))
  after(async () => {
    await db.close()
    rmSync(directory, { recursive: true })
  })
  const write = (name: string, text: string) => writeFileSync(join(directory, name), text)
  const tables = async () => {
    const rows = await db<{ name: string }>`
      select table_name as name from information_schema.tables where table_name like 'made%' order by 1`
    return rows.map(({ name }) => name)
  }
  return { url, db, directory, migrations: { folders: [{ directory }] }, write, tables }
}

test('applies files in order, once each', async () => {
  const { db, migrations, write, tables } = await newMigrations()
  write('102-two.sql', 'create table made_two (id int references made_one);')
  write('101-one.sql', 'create table made_one (id int primary key);')
  write('notes.md', 'not a migration')
  write('1-short.sql', 'nonsense')
  assert.deepEqual(await migrate(db, migrations), ['101-one.sql', '102-two.sql'])
  assert.deepEqual(await migrate(db, migrations), [])
  write('103-three.sql', 'create table made_three (id int);')
  assert.deepEqual(await migrate(db, migrations), ['103-three.sql'])
  assert.deepEqual(await tables(), ['made_one', 'made_three', 'made_two'])
})

test('rejects a file that was edited after it was applied, and applies no later file', async () => {
  const { db, migrations, write, tables } = await newMigrations()
  write('101-one.sql', 'create table made_one (id int);')
  await migrate(db, migrations)
  write('101-one.sql', 'create table made_one (id bigint);')
  write('102-two.sql', 'create table made_two (id int);')
  await assert.rejects(migrate(db, migrations), /101-one.sql was edited/)
  assert.deepEqual(await tables(), ['made_one'])
})

test('a failed file rolls back its whole run and can be corrected', async () => {
  const { db, migrations, write, tables } = await newMigrations()
  write('101-one.sql', 'create table made_one (id int);')
  write('102-two.sql', 'create table made_two (id int); select 1 / 0;')
  await assert.rejects(migrate(db, migrations), /division by zero/)
  assert.deepEqual(await tables(), [])
  write('102-two.sql', 'create table made_two (id int);')
  assert.deepEqual(await migrate(db, migrations), ['101-one.sql', '102-two.sql'])
})

test('does not apply a migration twice when the commit response is lost', async () => {
  const { url, migrations, write, tables } = await newMigrations()
  write('101-one.sql', 'create table made_one (id int);')
  const line = await databaseProxy(url)
  const proxied = connect(line.url, { connections: 1 })
  line.loseCommit()
  await migrate(proxied, migrations, { lockTimeoutMs: 5 })
  assert.deepEqual(await tables(), ['made_one'])
  await proxied.close()
  line.close()
})

/** Folders of a package and of a program, in a database without migrations. */
async function newFolders() {
  const { db, migrations, write, tables } = await newMigrations()
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-package-'))
  after(() => rmSync(directory, { recursive: true }))
  const writeInPackage = (name: string, text: string) => writeFileSync(join(directory, name), text)
  const folders: MigrationFolder[] = [{ owner: 'box', directory }, ...migrations.folders]
  const recorded = async () => (await db<{ name: string }>`select name from migration where name ~ '^(box/)?1'`).length
  return { db, folders, writeInPackage, write, tables, recorded }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

test('applies the files of a package before those of the program, under its name', async () => {
  const { db, folders, write, writeInPackage } = await newFolders()
  write('101-one.sql', 'create index made_box_id on made_box (id);')
  writeInPackage('101-one.sql', 'create table made_box (id int);')
  const { missing } = await missingMigrations(db, { folders })
  assert.deepEqual(missing, ['box/101-one.sql', '101-one.sql'])
  assert.deepEqual(await migrate(db, { folders }), missing)
  writeInPackage('102-two.sql', 'alter table made_box add column two int;')
  assert.deepEqual(await migrate(db, { folders }), ['box/102-two.sql'])
  assert.deepEqual((await missingMigrations(db, { folders })).missing, [])
})

test('rejects a file of a package that was edited, and applies no file of the program', async () => {
  const { db, folders, write, writeInPackage, tables } = await newFolders()
  writeInPackage('101-one.sql', 'create table made_box (id int);')
  await migrate(db, { folders })
  writeInPackage('101-one.sql', 'create table made_box (id bigint);')
  write('101-one.sql', 'create table made_one (id int);')
  await assert.rejects(migrate(db, { folders }), /box\/101-one.sql was edited/)
  assert.deepEqual(await tables(), ['made_box'])
})

test('the files of the program follow in a later run if one of them failed after the package had built an index', async () => {
  const { db, folders, write, writeInPackage, tables } = await newFolders()
  writeInPackage('101-one.sql', 'create table made_box (id int);')
  writeInPackage('102-two.concurrent.sql', 'create index concurrently if not exists made_box_id on made_box (id);')
  write('101-one.sql', 'create table made_one (id int); select 1 / 0;')
  await assert.rejects(migrate(db, { folders }), /division by zero/)
  assert.deepEqual(await tables(), ['made_box'])
  write('101-one.sql', 'create table made_one (id int);')
  assert.deepEqual(await migrate(db, { folders }), ['101-one.sql'])
})

test('a replaced file and the files that replace it stand for each other: each statement runs once', async () => {
  const { db, folders, write, writeInPackage, tables, recorded } = await newFolders()
  const before = 'create table made_box (id int); create table made_one (id int);'
  const replaced = [{ name: '101-both.sql', digest: sha256(before), by: ['box/101-one.sql', '101-one.sql'] }]
  write('101-both.sql', before)
  await migrate(db, { folders })
  rmSync(join(folders[1]!.directory, '101-both.sql'))
  writeInPackage('101-one.sql', 'create table made_box (id int);')
  write('101-one.sql', 'create table made_one (id int);')
  writeInPackage('102-two.sql', 'create table made_later (id int);')
  assert.deepEqual((await missingMigrations(db, { folders, replaced })).missing, ['box/102-two.sql'])
  const applied = await Promise.all(Array.from({ length: 3 }, () => migrate(db, { folders, replaced })))
  assert.deepEqual(applied.flat(), ['box/102-two.sql'])
  assert.deepEqual(await tables(), ['made_box', 'made_later', 'made_one'])
  assert.equal(await recorded(), 4)
  writeInPackage('101-one.sql', 'create table made_box (id bigint);')
  await assert.rejects(migrate(db, { folders, replaced }), /box\/101-one.sql was edited/)
})

test('a process of the version before the replacement applies nothing again, and is refused while a part is missing', async () => {
  const { db, folders, write, writeInPackage } = await newFolders()
  const before = 'create table made_box (id int); create table made_one (id int);'
  const replaced = [{ name: '101-both.sql', digest: sha256(before), by: ['box/101-one.sql', '102-one.sql'] }]
  const [packageFolder, programFolder] = folders
  writeInPackage('101-one.sql', 'create table made_box (id int);')
  await migrate(db, { folders: [packageFolder!], replaced })
  write('101-both.sql', before)
  await assert.rejects(migrate(db, { folders: [programFolder!] }), /made_box.* already exists/)
  rmSync(join(programFolder!.directory, '101-both.sql'))
  write('102-one.sql', 'create table made_one (id int);')
  assert.deepEqual(await migrate(db, { folders, replaced }), ['102-one.sql'])
  write('101-both.sql', before)
  assert.deepEqual(await migrate(db, { folders: [programFolder!] }), [])
  write('101-both.sql', `${before} -- edited`)
  await assert.rejects(migrate(db, { folders: [programFolder!] }), /101-both.sql was edited/)
})

test('one of several concurrent processes applies a migration, and the others wait', async () => {
  const { db, migrations, write, tables } = await newMigrations()
  write('101-one.sql', 'select pg_sleep(0.1); create table made_one (id int);')
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(db, migrations)))
  assert.deepEqual(applied.flat(), ['101-one.sql'])
  assert.deepEqual(await tables(), ['made_one'])
})

test('rejects two files with the same number before applying any', async () => {
  const { db, migrations, write, tables } = await newMigrations()
  write('101-one.sql', 'create table made_one (id int);')
  write('101-other.sql', 'create table made_other (id int);')
  await assert.rejects(migrate(db, migrations), /two migrations of number 101/)
  assert.deepEqual(await tables(), [])
})

test('a migration that waits for a lock lets waiting statements run, and retries', async () => {
  const { db, migrations, write, tables } = await newMigrations()
  write('101-one.sql', 'create table made_one (id int);')
  await migrate(db, migrations)
  write('102-wider.sql', 'alter table made_one add column wider text; create table made_two (id int);')
  const locked = Promise.withResolvers<void>()
  const reading = Promise.withResolvers<void>()
  const holder = db.tx(async (tx) => {
    await tx`select id from made_one`
    locked.resolve()
    await reading.promise
  })
  await locked.promise
  const migrating = migrate(db, migrations, { lockTimeoutMs: 100 })
  const isWaiting = async () => {
    const [row] = await db<{ count: bigint }>`
      select count(*) from pg_locks where relation = 'made_one'::regclass and not granted`
    return row!.count > 0n
  }
  // The loop also ends if the migration fails.
  while (!(await isWaiting())) await Promise.race([migrating, new Promise((resolve) => setTimeout(resolve, 1))])
  await db.tx(async (tx) => {
    // This transaction waits behind the migration, which must time out to let the transaction run.
    await tx`set local lock_timeout = '10s'`
    await tx`select id from made_one`
  })
  assert.deepEqual(await tables(), ['made_one'])
  reading.resolve()
  await holder
  assert.deepEqual(await migrating, ['102-wider.sql'])
  assert.deepEqual(await tables(), ['made_one', 'made_two'])
})

/** The response of a starting PostgreSQL: error 57P03, then the end of the connection. */
function startingUp(): Buffer {
  const fields = Buffer.from('SFATAL\0VFATAL\0C57P03\0Mthe database system is starting up\0\0')
  const head = Buffer.alloc(5)
  head.write('E')
  head.writeInt32BE(4 + fields.length, 1)
  return Buffer.concat([head, fields])
}

test('waits for a starting database until `patienceMs`', async () => {
  const { url, migrations, write } = await newMigrations()
  write('101-one.sql', 'create table made_one (id int);')
  const { hostname, port } = new URL(url)
  let refusals = 0
  let isStarting = true
  const server = createServer((client) => {
    client.on('error', () => {})
    if (isStarting) return client.once('data', () => client.end(startingUp(), () => refusals++))
    const upstream = tcp({ host: hostname, port: Number(port) }).on('error', () => client.destroy())
    return client.pipe(upstream).pipe(client)
  })
  const proxyPort = await freePort()
  await once(server.listen(proxyPort, '127.0.0.1'), 'listening')
  const proxyUrl = new URL(url)
  proxyUrl.port = String(proxyPort)
  const db = connect(proxyUrl.href, { connections: 1 })
  await assert.rejects(migrate(db, migrations, { lockTimeoutMs: 5, patienceMs: 0 }), { code: '57P03' })
  const migrating = migrate(db, migrations, { lockTimeoutMs: 5 })
  while (refusals < 4) await new Promise((resolve) => setTimeout(resolve, 1))
  isStarting = false
  assert.deepEqual(await migrating, ['101-one.sql'])
  await db.close()
  server.close()
})

test('builds indexes outside a transaction, while others write, and replaces one that an interruption left invalid', async () => {
  const { url, db, migrations, write } = await newMigrations()
  write('101-one.sql', 'create table made_one (id int, name text);')
  await migrate(db, migrations)
  await db`insert into made_one (id, name) select n, 'n' || n % 2 from generate_series(1, 1000) n`
  write(
    '102-indexes.concurrent.sql',
    `-- Two indexes.
create index concurrently if not exists made_one_name on made_one (name);
create unique index concurrently if not exists made_one_id on made_one (id);
`,
  )
  await db`insert into made_one (id, name) values (1000, 'twice')`
  await assert.rejects(migrate(db, migrations), /could not create unique index/)
  const validity = async () => {
    const rows = await db<{ name: string; isValid: boolean }>`
      select c.relname as name, i.indisvalid as is_valid from pg_index i join pg_class c on c.oid = i.indexrelid
      where c.relname like 'made_one_%' order by 1`
    return rows.map(({ name, isValid }) => `${name} ${isValid}`)
  }
  assert.deepEqual(await validity(), ['made_one_id false', 'made_one_name true'])
  await db`delete from made_one where name = 'twice'`
  const other = connect(url, { connections: 1 })
  after(() => other.close())
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const writing = other.tx(async (tx) => {
    await tx`insert into made_one (id, name) values (5000, 'open')`
    await finished
  })
  await until('the other transaction has written', async () => {
    const rows =
      await db`select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`
    return rows.length > 0
  })
  const migrating = migrate(db, migrations)
  try {
    await until('the build waits for the open transaction', async () => {
      const rows = await db`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query ~ '^(create|drop).* index concurrently'`
      return rows.length > 0
    })
    await db`insert into made_one (id, name) values (5001, 'meanwhile')`
  } finally {
    finish()
  }
  await writing
  assert.deepEqual(await migrating, ['102-indexes.concurrent.sql'])
  assert.deepEqual(await validity(), ['made_one_id true', 'made_one_name true'])
  assert.deepEqual(await migrate(db, migrations), [])
})

test('processes that wait for a migration do not stop its index', async () => {
  const { db, migrations, write } = await newMigrations()
  write('101-one.sql', 'create table made_one (id int);')
  write('102-indexes.concurrent.sql', 'create index concurrently if not exists made_one_id on made_one (id);')
  const applied = await Promise.all([migrate(db, migrations), migrate(db, migrations)])
  assert.deepEqual(applied.flat().sort(), ['101-one.sql', '102-indexes.concurrent.sql'])
})

test('a concurrent file may only build indexes that can be repeated', () => {
  const indexesIn = (text: string) => indexStatements('102-x.concurrent.sql', text).map(({ index }) => index)
  for (const text of [
    'create index made on one (id);',
    'alter table one add column two int;',
    'create index concurrently made on one (id);',
  ])
    assert.throws(() => indexesIn(text), /may contain/)
  assert.deepEqual(indexesIn('-- Why;\ncreate index concurrently if not exists made on one (id);\n'), ['made'])
})
