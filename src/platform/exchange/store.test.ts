// Which case a provider means by its own reference: noted with each session.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { uuidv7 } from '#kit/crypto/id.ts'
import { connect } from '#kit/db/sql.ts'
import { testDatabase } from '#test/setup/database.ts'
import { caseByReference, noteReference } from './store.ts'

const db = connect(await testDatabase('platform'), { connections: 1 })
after(() => db.close())
const tenantId = uuidv7()
const place = () => ({ tenantId, caseRef: uuidv7() })
const [older, newer] = [place(), place()]

test('D3 §6: a reference is its provider’s own: with another adapter or kind it names nothing', async () => {
  const of = { kind: 'kyc', adapter: 'lendloom', providerReference: 'ref-1' } as const
  await db.tx((tx) => noteReference(tx, { ...of, ...older }))
  assert.deepEqual(await caseByReference(db, of), older)
  assert.equal(await caseByReference(db, { ...of, kind: 'mandate' }), undefined)
  assert.equal(await caseByReference(db, { ...of, adapter: 'another' }), undefined)
  assert.equal(await caseByReference(db, { ...of, providerReference: 'ref-2' }), undefined)
})

test('D3 §6: a reference that is given again names the newer session; noting it twice changes nothing', async () => {
  const of = { kind: 'mandate', adapter: 'lendloom', providerReference: 'ref-9' } as const
  for (const each of [older, older, newer]) await db.tx((tx) => noteReference(tx, { ...of, ...each }))
  assert.deepEqual(await caseByReference(db, of), newer)
})
