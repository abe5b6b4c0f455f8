// The migration that turned stored sentences into codes, run again over rows as an earlier release wrote them.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { connect } from '#kit/db/sql.ts'
import { testDatabase } from '#test/setup/database.ts'

const db = connect(await testDatabase('platform'), { connections: 1 })
after(() => db.close())

test('a stored sentence becomes its code; any other stays as it is', async () => {
  const [tenantId, journeyId] = [randomUUID(), randomUUID()]
  const stepWith = (name: string, problem: string) =>
    db.pool.query(
      `insert into step (bucket, tenant_id, journey_id, name, status, diagnostics, updated_at) values (0, $1, $2, $3, 'FAILURE', $4, now())`,
      [tenantId, journeyId, name, { problem, retryable: true }],
    )
  await stepWith('kyc', 'The lender could not verify your identity.')
  await stepWith('bankMandate', 'The account was closed on Monday.')
  await stepWith('eMandate', 'MANDATE_MISSING')
  await db.pool.query(
    `insert into servicing (bucket, tenant_id, journey_id, operation_id, kind, status, reason, requested_at, updated_at)
     values (0, $1, $2, $3, 'FORECLOSURE', 'FAILED', 'The lender has not answered. Please try again later.', now(), now())`,
    [tenantId, journeyId, randomUUID()],
  )
  // In one packet, as a migration runs: its own table lasts until the end of it.
  await db.pool.query(readFileSync(join(import.meta.dirname, 'migrations', '024-reason-codes.sql'), 'utf8'))
  const steps = await db<{ name: string; diagnostics: object }>`
    select name, diagnostics from step where tenant_id = ${tenantId} order by name`
  assert.deepEqual(
    steps.map(({ name, diagnostics }) => [name, diagnostics]),
    [
      ['bankMandate', { problem: 'The account was closed on Monday.', retryable: true }],
      ['eMandate', { problem: 'MANDATE_MISSING', retryable: true }],
      ['kyc', { problem: 'IDENTITY_NOT_VERIFIED', retryable: true }],
    ],
  )
  const operations = await db<{ reason: string }>`select reason from servicing where tenant_id = ${tenantId}`
  assert.deepEqual(operations, [{ reason: 'LENDER_NOT_ANSWERING' }])
})
