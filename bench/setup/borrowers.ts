// Many borrowers with a journey each, stored in bulk, and sessions for some of them; for benchmarks of the headless API.
import { randomBytes } from 'node:crypto'
import { latestVersion } from '#contract/headless/version.ts'
import { uuidv7 } from '#kit/crypto/id.ts'
import { mintToken } from '#kit/crypto/token.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { insertSession } from '#platform/access/headless/store.ts'
import type { Api } from './api.ts'
import type { BenchDatabase } from './database.ts'

const prefixes = { journey: '01940000-0000-7000-8000-', borrower: '01940000-0000-7001-8000-' }
const uuid = (prefix: string, number: number): string => prefix + number.toString(16).padStart(12, '0')

/** The ids of the journey of that number and of its borrower, and the SQL that makes them of `:n`. */
export const idsOf = (number: number) => ({
  journeyId: uuid(prefixes.journey, number),
  borrowerId: uuid(prefixes.borrower, number),
})
export const sqlOf = {
  journeyId: `('${prefixes.journey}' || lpad(to_hex(:n), 12, '0'))::uuid`,
  borrowerId: `('${prefixes.borrower}' || lpad(to_hex(:n), 12, '0'))::uuid`,
}

/** Stores journeys with three offers each, numbered from `first` to `last`. */
export async function storeJourneys(
  { db }: BenchDatabase,
  { tenant }: Api,
  first: number,
  last: number,
): Promise<void> {
  const id = (prefix: string) => `('${prefix}' || lpad(to_hex(n), 12, '0'))::uuid`
  const { tenantId, applicationId } = tenant
  const many = `generate_series(${first}, ${last}) as n`
  const statements = [
    `insert into borrower (tenant_id, borrower_id, external_id, mobile_digest, created_at)
     select '${tenantId}', ${id(prefixes.borrower)}, 'bench-' || n, '\\x00', now() from ${many}`,
    `insert into journey (tenant_id, journey_id, application_id, borrower_id, type, status, active, search, network_transaction_id,
       last_borrower_act_at, created_at, updated_at)
     select '${tenantId}', ${id(prefixes.journey)}, '${applicationId}', ${id(prefixes.borrower)}, 'PERSONAL_LOAN', 'OFFERED', true, 'CLOSED',
       gen_random_uuid(), now(), now(), now() from ${many}`,
    `insert into offer (tenant_id, journey_id, offer_id, conversation_id, lender_id, status, limits, created_at, updated_at)
     select '${tenantId}', ${id(prefixes.journey)}, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'OFFER_RECEIVED', '{}', now(), now()
     from ${many}, generate_series(1, 3)`,
  ]
  for (const statement of statements) await db.pool.query(statement)
  for (const table of ['borrower', 'journey', 'offer']) await db.pool.query(`vacuum (analyze) ${table}`)
}

/** Opens a session for the borrower of each number and gives its token. */
export async function openSessions({ db }: BenchDatabase, { tenant }: Api, numbers: number[]): Promise<string[]> {
  const { tenantId, applicationId } = tenant
  const at = new Date()
  const until = secondsAfter(at, 86_400)
  return db.tx((tx) =>
    Promise.all(
      numbers.map(async (number) => {
        const [session, refresh] = [
          mintToken('st', { tenantId }, randomBytes),
          mintToken('rt', { tenantId }, randomBytes),
        ]
        await insertSession(tx, {
          ...{
            tenantId,
            applicationId,
            borrowerId: idsOf(number).borrowerId,
            apiVersion: latestVersion,
            familyId: uuidv7(),
          },
          ...{
            sessionId: session.tokenId,
            sessionDigest: session.digest,
            refreshId: refresh.tokenId,
            refreshDigest: refresh.digest,
          },
          ...{ createdAt: at, sessionExpiresAt: until, refreshExpiresAt: until },
        })
        return session.token
      }),
    ),
  )
}
