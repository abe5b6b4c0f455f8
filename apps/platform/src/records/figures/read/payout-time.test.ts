// Median payout times of a tenant's lenders in the last ninety days.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv4 } from '@lendloom/seal/id'
import { testPlatform } from '@lendloom/tests/setup/platform'
import { dayMs } from '#platform/records/figures/half-hours.ts'
import { medianPayoutsOf } from './payout-time.ts'

const at = new Date('2026-03-02T04:30:00.000Z')
const {
  ctx: { db },
  tenant,
  secondTenant,
} = await testPlatform()

/** Inserts `count` loans that a lender disbursed `daysAgo`, with a payout time in the given histogram bucket. */
const insertPayouts = (
  owner: typeof tenant,
  lenderId: string,
  [outcome, count]: [bucket: number, count: number],
  daysAgo = 0,
) =>
  db`insert into figure ${db({ tenantId: owner.tenantId, name: 'payout-time', grain: 'HALF_HOUR', beginsAt: new Date(at.getTime() - daysAgo * dayMs), applicationId: owner.applicationId, product: 'PERSONAL_LOAN', subject: lenderId, action: '', outcome: String(outcome), count })}`

test('a lender with ten recent loans of the tenant has a median payout time', async () => {
  const enoughLoans = uuidv4()
  const tooFewLoans = uuidv4()
  const oldLoans = uuidv4()
  const otherTenantLoans = uuidv4()
  // Bucket 48 covers 2^12 to 2^12.25 seconds, which is 1 h 8 min to 1 h 21 min.
  await insertPayouts(tenant, enoughLoans, [48, 9])
  await insertPayouts(tenant, enoughLoans, [80, 1])
  await insertPayouts(tenant, tooFewLoans, [48, 9])
  await insertPayouts(tenant, oldLoans, [48, 50], 91)
  await insertPayouts(secondTenant, otherTenantLoans, [48, 50])
  const payouts = await medianPayoutsOf({ db })(tenant.tenantId, at)
  assert.deepEqual([...payouts.keys()], [enoughLoans])
  const median = payouts.get(enoughLoans)!
  assert.ok(median >= 2 ** 12 && median <= 2 ** 12.25, `${median} s`)
})

test('cached median payout times do not include a later payout', async () => {
  const lenderId = uuidv4()
  const readMedians = medianPayoutsOf({ db: new Proxy(db, {}) })
  await readMedians(tenant.tenantId, at)
  await insertPayouts(tenant, lenderId, [8, 20])
  assert.equal((await readMedians(tenant.tenantId, at)).has(lenderId), false)
  assert.equal((await medianPayoutsOf({ db: new Proxy(db, {}) })(tenant.tenantId, at)).has(lenderId), true)
})
