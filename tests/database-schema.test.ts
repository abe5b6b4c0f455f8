// Checks the schemas of platform and partner against rules 10 and 11 of ARCHITECTURE.md: the same code runs on one server, a replicated and a sharded cluster.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { placementOf } from '@lendloom/cli/src/database/placement.ts'
import { migrate } from '@lendloom/postgres/migrate'
import { connect } from '@lendloom/postgres/sql'
import { testDatabase } from './setup/database.ts'
import { completeProfile, startHeadlessClient } from './setup/headless-api.ts'
import { testPlatform } from './setup/platform.ts'

const databases = {
  platform: await testDatabase('platform'),
  partner: await testDatabase('partner'),
  sandbox: await testDatabase('sandbox'),
}
const db = connect(databases.platform, { connections: 1 })
const partnerDb = connect(databases.partner, { connections: 1 })
const sandboxDb = connect(databases.sandbox, { connections: 1 })
after(() => Promise.all([db.close(), partnerDb.close(), sandboxDb.close()]))

/** Tables whose keys do not begin with the tenant, and the reason. */
const exceptions: Record<string, string> = {
  migration: 'which migrations have run: about the database, not about anybody in it',
  digest_key: 'which key the digests were made with: about the database, as the migrations are',
  inbox:
    'kept by its message: it is stored before anybody knows whose it is, and its effect is a transaction of its own',
  inbox_waiting: 'the part of the inbox that is not settled yet',
  command_line_sign_in: 'kept by its code: whose it is is known only after a person allows it',
  provider_reference: 'whose a session is that a provider names: only its own name is known then',
}

/** Partner tables whose keys do not begin with the case, and the reason. */
const partnerExceptions: Record<string, string> = {
  migration: exceptions.migration!,
  digest_key: exceptions.digest_key!,
  inbox: exceptions.inbox!,
  inbox_waiting: exceptions.inbox_waiting!,
  job: 'what is due, of the machinery that all programs share: it is worked on by itself',
  dedupe_check: 'kept by its request, as the inbox is: it comes before there is a case',
  dedupe_review: 'kept by its check, as that is by its request: it comes before there is a case',
  borrower_lock: 'what one borrower may have is decided over all of their cases, one decision at a time',
  document_request: 'kept by its request, as the inbox is',
  bank_result: "kept by the bank's message, as the inbox is",
  bank_statement: "kept as the bank gave it: it is about the lender's account, not about one case",
  bank_statement_closing: 'see bank_statement',
  bank_statement_line: 'see bank_statement',
  bank_statement_pair: 'see bank_statement',
  bank_receipt: "kept by the bank's message, as the inbox is: whose money it is is found out later",
  receipt_return: 'see bank_receipt',
  receipt_return_proposal: 'see bank_receipt',
  staff: 'who works at the lender: about nobody who borrows',
  person_session: 'who is signed in at the desk',
  person_device: 'in which browsers staff have signed in',
  person_totp: 'the second factors of staff',
  person_recovery_code: 'see person_totp',
  person_passkey: 'the passkeys of staff',
  passkey_challenge_used: 'see person_passkey',
  person_open_id: 'the accounts of staff at the OpenID provider',
  sign_in_failure: 'tries to sign in that failed',
  staff_password_link: 'how staff come to their passwords',
  guess_count: 'wrong guesses at the passwords of staff',
  request_count: 'requests of platforms, over all cases',
  tax_document: 'numbered without gaps over all cases',
  audit_entry: 'what staff did: not every act is about a case',
  audit_chain: 'the end of the chain of what staff did',
  approval_limit: 'limits of roles: about the people of the lender',
  setting_change: 'what is changed for every case',
  month_closing: 'the books of all loans',
  bank_rule_set: 'rules for every case',
  collection_policy: 'how debits are asked for: about all cases',
  bank_holiday: 'on which days banks are closed',
  provision_rate: 'what is provided for by class: about the whole book',
  business_day: 'what the end of a day did: about the whole book',
  business_day_class: 'how the book stood at the end of a day',
  portfolio_roll: 'how the whole book moved from one month to the next',
  portfolio_vintage: 'how the loans of each month do: about the whole book',
  portfolio_month: 'what fell due in a month and was paid: about the whole book',
  autopilot_switch: 'whether rules decide: about the whole program',
  bank_place: "how far the bank's lists were read: about the bank, not about a case",
}

interface Key {
  table: string
  name: string
  isPrimary: boolean
  columns: string[]
}

const keysOf = (database: typeof db) => database<Key>`
  select t.relname as table, i.relname as name, x.indisprimary as is_primary,
    array(select a.attname::text from unnest(x.indkey::int[]) with ordinality k (number, place)
      join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number order by k.place) as columns
  from pg_index x join pg_class t on t.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
  where x.indisunique and t.relnamespace = 'public'::regnamespace order by 1, 2`

interface Column {
  table: string
  column: string
  type: string
  nullable: boolean
}

const columns = await db<Column>`
  select c.table_name as table, c.column_name as column, c.data_type as type, c.is_nullable = 'YES' as nullable
  from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
  where c.table_schema = 'public' and t.table_type = 'BASE TABLE'`
const tables = [...new Set(columns.map(({ table }) => table))]
const keys = await keysOf(db)
const partnerKeys = await keysOf(partnerDb)

test('rule 10: every table has a primary key, in the partner and the sandbox too', async () => {
  assert.ok(tables.length > 10, 'the schema was read')
  const having = new Set(keys.filter(({ isPrimary }) => isPrimary).map(({ table }) => table))
  assert.deepEqual(
    tables.filter((table) => !having.has(table)),
    [],
  )
  for (const other of [partnerDb, sandboxDb]) {
    const bare = await other<{ table: string }>`
      select relname as table from pg_class t where relkind = 'r' and relnamespace = 'public'::regnamespace
        and not exists (select from pg_index where indrelid = t.oid and indisprimary)`
    assert.deepEqual(bare, [])
  }
})

test('rule 10: every primary and every unique key of a platform table begins with the tenant, and ends with the bucket if it belongs to a borrower', () => {
  const inBuckets = new Set(columns.filter(({ column }) => column === 'bucket').map(({ table }) => table))
  assert.ok(inBuckets.size > 25, `${inBuckets.size} tables have buckets`)
  for (const { table, name, columns: key } of keys) {
    if (table in exceptions) continue
    assert.equal(key[0], 'tenant_id', `${name} of ${table}`)
    if (inBuckets.has(table)) assert.equal(key.at(-1), 'bucket', `${name} of ${table}`)
  }
  const unused = Object.keys(exceptions).filter((table) => !tables.includes(table))
  assert.deepEqual(unused, [], 'an exception for a table that does not exist')
})

test('rule 10: every primary and every unique key of a partner table begins with case_ref', () => {
  for (const {
    table,
    name,
    columns: [first],
  } of partnerKeys)
    if (!(table in partnerExceptions)) assert.equal(first, 'case_ref', `${name} of ${table} begins with ${first}`)
  const having = new Set(partnerKeys.map(({ table }) => table))
  const unused = Object.keys(partnerExceptions).filter((table) => !having.has(table))
  assert.deepEqual(unused, [], 'an exception for a table that does not exist')
})

test('rule 10: on several servers, every partner table with a case is distributed by it, except those listed above', async () => {
  const knowing = await partnerDb<{ table: string }>`
    select table_name as table
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and column_name = 'case_ref' and table_type = 'BASE TABLE'`
  const { dealt, whole } = await placementOf('partner', partnerDb)
  assert.ok(Object.values(dealt).every((by) => by === 'case_ref'))
  assert.deepEqual(
    Object.keys(dealt),
    knowing
      .map(({ table }) => table)
      .filter((table) => !(table in partnerExceptions))
      .sort(),
  )
  for (const table of whole) assert.ok(table in partnerExceptions, table)
})

test('rule 10: tenant_id is a uuid everywhere, and never missing', () => {
  const ids = columns.filter(({ column }) => column === 'tenant_id')
  const having = new Set(ids.map(({ table }) => table))
  assert.deepEqual(
    tables.filter((table) => !having.has(table) && !(table in exceptions)),
    [],
  )
  for (const { table, type, nullable } of ids) {
    assert.equal(type, 'uuid', table)
    assert.equal(nullable, false, table)
  }
})

test('rule 10: a row refers only to rows of its own tenant', async () => {
  const references = await db<{ name: string; columns: string[] }>`
    select conname as name, array(select a.attname::text from unnest(conkey) k (number)
      join pg_attribute a on a.attrelid = conrelid and a.attnum = k.number) as columns
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`
  for (const { name, columns: own } of references) assert.ok(own.includes('tenant_id'), name)
})

test('rule 10: there are no sequences, and no code runs inside the database', async () => {
  for (const one of [db, partnerDb]) {
    const found = await one<{ what: string }>`
      select sequencename::text as what from pg_sequences where schemaname = 'public'
      union all select tgname::text from pg_trigger where not tgisinternal
      union all select proname::text from pg_proc where pronamespace = 'public'::regnamespace`
    assert.deepEqual(found, [])
  }
})

test('column names match their types: sealed values and digests are bytes, instants have a time zone', () => {
  for (const { table, column, type } of columns) {
    const where = `${table}.${column}`
    if (/_(sealed|digest)$/.test(column)) assert.equal(type, 'bytea', where)
    if (/_at$|_until$/.test(column) || column === 'at') assert.equal(type, 'timestamp with time zone', where)
    if (/_on$/.test(column)) assert.equal(type, 'date', where)
    if (/_paise$/.test(column)) assert.equal(type, 'bigint', where)
  }
})

test('while a migration adds a column and an index to journey, the previous version keeps responding', async () => {
  const platform = await testPlatform({ RATE_LIMITS: 'off' })
  const api = startHeadlessClient(platform)
  const failed: string[] = []
  let requests = 0
  let isOver = false
  const use = async () => {
    const borrower = await api.borrower()
    const { body } = await borrower.post('/journeys', { type: 'PERSONAL_LOAN' })
    const path = `/journeys/${body.data.journeyID}`
    while (!isOver) {
      const replies = [
        await borrower.get(path),
        await borrower.put(`${path}/profile`, completeProfile),
        await borrower.post('/journeys', { type: 'PERSONAL_LOAN' }),
        await api.bootstrap(),
      ]
      requests += replies.length
      for (const { status, body: answer } of replies)
        if (status >= 400) failed.push(`${status} ${JSON.stringify(answer)}`)
    }
  }
  const served = async (count: number) => {
    for (const until = requests + count; requests < until; ) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const directory = mkdtempSync(join(tmpdir(), 'lendloom-migrations-'))
  writeFileSync(
    join(directory, '900-wider.sql'),
    'alter table journey add column wider text; create index journey_wider on journey (wider);',
  )
  const migrating = connect(platform.ctx.config.DATABASE_URL, { connections: 1 })
  const load = Promise.all(Array.from({ length: 4 }, use))
  await served(48)
  assert.deepEqual(await migrate(migrating, { folders: [{ directory }] }), ['900-wider.sql'])
  await served(96)
  isOver = true
  await load
  await migrating.close()
  rmSync(directory, { recursive: true })
  assert.deepEqual(failed, [])
})
