// Median payout time of a tenant's lenders, over ninety days.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { uuidv4 } from '#kit/crypto/id.ts'
import { testPlatform } from '#test/setup/platform.ts'
import { dayMs } from '../figure.ts'
import { usualPayouts } from './payout.ts'

const at = new Date('2026-03-02T04:30:00.000Z')
const {
  ctx: { db },
  tenant,
  secondTenant,
} = await testPlatform()

/** Adds loans of a lender with a payout time in this bucket, disbursed some days ago. */
const paidOut = (of: typeof tenant, lenderId: string, [outcome, count]: [bucket: number, count: number], daysAgo = 0) =>
  db`insert into figure ${db({ tenantId: of.tenantId, name: 'payout-time', grain: 'HALF_HOUR', beginsAt: new Date(at.getTime() - daysAgo * dayMs), applicationId: of.applicationId, product: 'PERSONAL_LOAN', subject: lenderId, action: '', outcome: String(outcome), count })}`

test('returns the median of at least ten loans of the tenant', async () => {
  const [many, few, old, elsewhere] = [uuidv4(), uuidv4(), uuidv4(), uuidv4()]
  // Bucket 48 holds 2^12 to 2^12.25 seconds: an hour and eight minutes to an hour and 21.
  await paidOut(tenant, many, [48, 9])
  await paidOut(tenant, many, [80, 1])
  await paidOut(tenant, few, [48, 9])
  await paidOut(tenant, old, [48, 50], 91)
  await paidOut(secondTenant, elsewhere, [48, 50])
  const payouts = await usualPayouts({ db })(tenant.tenantId, at)
  assert.deepEqual([...payouts.keys()], [many])
  const median = payouts.get(many)!
  assert.ok(median >= 2 ** 12 && median <= 2 ** 12.25, `${median} s`)
})

test('caches the medians for ten minutes', async () => {
  const lenderId = uuidv4()
  const usual = usualPayouts({ db: new Proxy(db, {}) })
  await usual(tenant.tenantId, at)
  await paidOut(tenant, lenderId, [8, 20])
  assert.equal((await usual(tenant.tenantId, at)).has(lenderId), false)
  assert.equal((await usualPayouts({ db: new Proxy(db, {}) })(tenant.tenantId, at)).has(lenderId), true)
})
