// Deliveries that a failed read of older messages must not delay.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { quietLog } from '@lendloom/foundation/log'
import { gauge } from '@lendloom/foundation/metrics'
import { connect, sql } from '@lendloom/postgres/sql'
import { testDatabase } from '@lendloom/tests/setup/database'
import { claim, type DueMessage, newClaims } from './delivery-claim.ts'

test('after a slow read of older messages has failed, they are read again after a second', async () => {
  const db = connect(await testDatabase('partner'), { connections: 2 })
  const one = sql`(select gen_random_uuid() as tenant_id, gen_random_uuid() as destination_id, now() as due_at,
    now() as created_at, 0 as attempt)`
  const isNext = sql`pg_sleep(0.3)::text::integer = d.attempt`
  const claims = newClaims<DueMessage>()
  const claiming = claim(
    {
      db,
      queue: 'claim',
      log: quietLog,
      clock: () => new Date(Date.now() + 60_000),
      leaseSeconds: 1,
      rows: { table: one, key: sql`tenant_id`, isNext, matchesDestination: () => sql`true` },
      policy: { maxInFlight: 1, pauseSchedule: null },
      oldest: gauge('claim_test_seconds', 'The age of the oldest message in this test'),
      leaseDue: async () => [],
    },
    claims,
    { free: 1, isCrowded: false },
  )
  await assert.rejects(claiming, { code: '22P02' })
  await claims.oldRead
  assert.ok(claims.readOldAt - performance.now() <= 1000)
  await db.close()
})
