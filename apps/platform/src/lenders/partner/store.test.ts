// Finds a case by the reference that a provider uses for it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { connect } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import { testDatabase } from '@lendloom/tests/setup/database'
import { findCaseByReference, storeReference } from './store.ts'

const db = connect(await testDatabase('platform'), { connections: 1 })
after(() => db.close())
const tenantId = uuidv7()
const newCaseKey = () => ({ tenantId, caseRef: uuidv7() })
const older = newCaseKey()
const newer = newCaseKey()

test('D3 §6: a case is found only by the same reference, adapter and kind', async () => {
  const reference = { kind: 'kyc', adapter: 'lendloom', providerReference: 'ref-1' } as const
  await db.tx((tx) => storeReference(tx, { ...reference, ...older }))
  assert.deepEqual(await findCaseByReference(db, reference), older)
  assert.equal(await findCaseByReference(db, { ...reference, kind: 'mandate' }), undefined)
  assert.equal(await findCaseByReference(db, { ...reference, adapter: 'another' }), undefined)
  assert.equal(await findCaseByReference(db, { ...reference, providerReference: 'ref-2' }), undefined)
})

test('D3 §6: a reference that two cases used finds the newer case', async () => {
  const reference = { kind: 'mandate', adapter: 'lendloom', providerReference: 'ref-9' } as const
  for (const each of [older, older, newer]) await db.tx((tx) => storeReference(tx, { ...reference, ...each }))
  assert.deepEqual(await findCaseByReference(db, reference), newer)
})
