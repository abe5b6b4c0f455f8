// Bulk-stored borrowers with one journey each, and sessions for some of them, for benchmarks of the headless API.
import { randomBytes } from 'node:crypto'
import { secondsAfter } from '@lendloom/foundation/clock'
import { insertSession } from '@lendloom/platform/src/integrators/access/headless/store.ts'
import { buckets, uuidv7 } from '@lendloom/seal/id'
import { mintToken } from '@lendloom/seal/token'
import { latestVersion } from '@lendloom/wire/headless/session'
import type { Api } from './api.ts'
import type { BenchDatabase } from './database.ts'

/** The fourth group of an id is its kind. The third group contains the bucket: the number modulo `buckets`. */
const kinds = { journey: '8000', borrower: '8001' }
const uuid = (kind: string, number: number): string =>
  `01940000-0000-7${(number % buckets).toString(16).padStart(3, '0')}-${kind}-${number.toString(16).padStart(12, '0')}`
const sqlId = (kind: string, n: string): string =>
  `('01940000-0000-7' || lpad(to_hex(${n} % ${buckets}), 3, '0') || '-${kind}-' || lpad(to_hex(${n}), 12, '0'))::uuid`

/** Returns the ids of a numbered journey and its borrower. */
export const idsOf = (number: number) => ({
  journeyId: uuid(kinds.journey, number),
  borrowerId: uuid(kinds.borrower, number),
})
/** SQL that computes the same ids and their bucket from the number `:n`. */
export const sqlOf = {
  journeyId: sqlId(kinds.journey, ':n'),
  borrowerId: sqlId(kinds.borrower, ':n'),
  bucket: `(:n % ${buckets})::smallint`,
}

/** Stores journeys with three offers each, numbered from `first` to `last`. */
export async function storeJourneys(
  { db }: BenchDatabase,
  { tenant }: Api,
  first: number,
  last: number,
): Promise<void> {
  const journeyId = sqlId(kinds.journey, 'n')
  const borrowerId = sqlId(kinds.borrower, 'n')
  const bucket = `n % ${buckets}`
  const { tenantId, applicationId } = tenant
  const many = `generate_series(${first}, ${last}) as n`
  const statements = [
    `insert into borrower (bucket, tenant_id, borrower_id, external_id, mobile_digest, created_at)
     select ${bucket}, '${tenantId}', ${borrowerId}, 'bench-' || n, '\\x00', now() from ${many}`,
    `insert into journey (bucket, tenant_id, journey_id, application_id, borrower_id, type, status, active, search, network_transaction_id,
       last_borrower_act_at, created_at, updated_at)
     select ${bucket}, '${tenantId}', ${journeyId}, '${applicationId}', ${borrowerId}, 'PERSONAL_LOAN', 'OFFERED', true, 'CLOSED',
       gen_random_uuid(), now(), now(), now() from ${many}`,
    `insert into offer (bucket, tenant_id, journey_id, offer_id, conversation_id, lender_id, status, limits, created_at, updated_at)
     select ${bucket}, '${tenantId}', ${journeyId}, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'OFFER_RECEIVED', '{}', now(), now()
     from ${many}, generate_series(1, 3)`,
  ]
  for (const statement of statements) await db.pool.query(statement)
  for (const table of ['borrower', 'journey', 'offer']) await db.pool.query(`vacuum (analyze) ${table}`)
}

/** Opens a session for each numbered borrower and returns the tokens. */
export async function openSessions({ db }: BenchDatabase, { tenant }: Api, numbers: number[]): Promise<string[]> {
  const { tenantId, applicationId } = tenant
  const at = new Date()
  const until = secondsAfter(at, 86_400)
  return db.tx((tx) =>
    Promise.all(
      numbers.map(async (number) => {
        const bucket = number % buckets
        const session = mintToken('st', { tenantId, bucket }, randomBytes)
        const refresh = mintToken('rt', { tenantId, bucket }, randomBytes)
        await insertSession(tx, {
          tenantId,
          applicationId,
          keyId: null,
          borrowerId: idsOf(number).borrowerId,
          apiVersion: latestVersion,
          familyId: uuidv7(at.getTime(), bucket),
          sessionId: session.tokenId,
          sessionDigest: session.digest,
          refreshId: refresh.tokenId,
          refreshDigest: refresh.digest,
          createdAt: at,
          sessionExpiresAt: until,
          refreshExpiresAt: until,
        })
        return session.token
      }),
    ),
  )
}
