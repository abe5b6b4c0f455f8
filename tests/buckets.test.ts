// Rows of a borrower are stored by bucket.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findJourneys } from '@lendloom/platform/src/api/console/journeys/search-store.ts'
import { borrowerBucket } from '@lendloom/platform/src/lending/borrower/store.ts'
import { bucketOf, buckets, uuidv7 } from '@lendloom/seal/id'
import { enter, newApplicant, openSession } from './setup/borrower.ts'
import { bucketFaults } from './setup/buckets.ts'
import { testPlatform } from './setup/platform.ts'

/** An applicant whose bucket is not the first one. */
function applicantOf(tenantId: string) {
  for (;;) {
    const one = newApplicant()
    if (borrowerBucket(tenantId, one.borrowerProviderID) > 0) return one
  }
}

const platform = await testPlatform({ RATE_LIMITS: 'off' })
const {
  tenant,
  ctx: { db },
} = platform
const activeOf = (externalId: string) => db<{ bucket: number; journeyId: string; type: string }>`
  select j.bucket, j.journey_id, j.type from journey j join borrower b using (bucket, tenant_id, borrower_id)
  where b.external_id = ${externalId} order by j.journey_id`

test('an id contains its bucket', () => assert.equal(bucketOf(uuidv7(Date.now(), 77)), 77))

test('a new borrower has the bucket of the identifier', async () => {
  const fresh = applicantOf(tenant.tenantId)
  const { body } = await openSession(platform.url, tenant, fresh)
  const { journeyId } = await enter(platform.url, body.embedUrl)
  const bucket = borrowerBucket(tenant.tenantId, fresh.borrowerProviderID)
  assert.deepEqual(await activeOf(fresh.borrowerProviderID), [{ bucket, journeyId, type: 'PERSONAL_LOAN' }])
  assert.equal(bucketOf(journeyId), bucket)
  const found = await findJourneys(db, [{ kind: 'borrower', value: fresh.borrowerProviderID }], {
    tenantId: null,
    senders: [],
  })
  assert.deepEqual(
    found.map((one) => one.journeyId),
    [journeyId],
  )
  assert.deepEqual(await bucketFaults(db), [])
})

test('a row whose bucket differs from that in its ids is found', async () => {
  const fresh = applicantOf(tenant.tenantId)
  const { body } = await openSession(platform.url, tenant, fresh)
  const { journeyId } = await enter(platform.url, body.embedUrl)
  const elsewhere = (bucketOf(journeyId) % (buckets - 1)) + 1
  await db`update journey set bucket = ${elsewhere} where journey_id = ${journeyId}`
  const faults = await bucketFaults(db)
  assert.ok(
    faults.some((fault) => fault.includes(`journey_id ${journeyId} of journey is in bucket ${elsewhere}`)),
    String(faults),
  )
})
