// Which case a provider means by its own reference: noted with each session, and of those from before by the migration.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { uuidv7 } from '#kit/crypto/id.ts'
import { migrate } from '#kit/db/migrate.ts'
import { connect } from '#kit/db/sql.ts'
import { databaseBefore, platformMigrations } from '#test/setup/database-before.ts'
import { caseByReference, noteReference, type ProviderName } from './store.ts'

const db = connect(await databaseBefore('046-provider-reference.sql'), { connections: 1 })
after(() => db.close())
const tenantId = uuidv7()
const place = () => ({ tenantId, caseRef: uuidv7() })
const [older, newer, stated] = [place(), place(), place()]
const early = new Date('2026-11-01T00:00:00Z')
const late = new Date('2026-11-02T00:00:00Z')
const check = (of: typeof older, kind: string, createdAt: Date) => db`
  insert into partner_check ${db({
    ...{ bucket: 0, ...of, kind, attempt: 1, adapter: 'lendloom', provider: 'P', providerReference: 'ref-1' },
    ...{ urlSealed: Buffer.from('x'), status: 'REQUESTED', createdAt, updatedAt: createdAt },
  })}`
const statement = (attempt: number, providerReference: string | null) => db`
  insert into partner_statement ${db({
    ...{ bucket: 0, ...stated, attempt, source: 'STATEMENT_UPLOAD', adapter: 'lendloom', providerReference },
    ...{ status: providerReference ? 'PENDING' : 'DECLINED', createdAt: early, updatedAt: early },
  })}`
await check(newer, 'kyc', late)
await check(older, 'kyc', early)
await check(older, 'esign', early)
await statement(1, 'ref-1')
await statement(2, null)
await migrate(db, platformMigrations)
const named = (kind: ProviderName['kind'], adapter = 'lendloom', providerReference = 'ref-1') =>
  caseByReference(db, { kind, adapter, providerReference })

test('D3 §6: sessions from before the look-up are found by what their provider calls them', async () => {
  assert.deepEqual(await named('esign'), older)
  assert.deepEqual(await named('kyc'), newer, 'of two with one reference the newer')
  assert.deepEqual(await named('bank-statement'), stated)
})

test('D3 §6: a reference is its provider’s own: with another adapter or kind it names nothing', async () => {
  assert.equal(await named('mandate'), undefined)
  assert.equal(await named('kyc', 'another'), undefined)
  assert.equal(await named('kyc', 'lendloom', 'ref-2'), undefined)
})

test('D3 §6: a reference that is given again names the newer session; noting it twice changes nothing', async () => {
  const of = { kind: 'mandate', adapter: 'lendloom', providerReference: 'ref-9' } as const
  for (const each of [older, older, newer]) await db.tx((tx) => noteReference(tx, { ...of, ...each }))
  assert.deepEqual(await caseByReference(db, of), newer)
})
