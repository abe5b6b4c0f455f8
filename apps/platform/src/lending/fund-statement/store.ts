// Store of the table fund_statement.

import type { Run, Tx } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'
import type { JourneyKey } from '#platform/lending/journey/journey.ts'
import type { FundStatement } from './fund-statement.ts'

/** Finds the newest attempt of a journey. */
export async function findFundStatement(
  db: Run,
  { tenantId, journeyId }: JourneyKey,
): Promise<FundStatement | undefined> {
  const [newest] = await db<FundStatement>`
    select tenant_id, journey_id, attempt, adapter, provider_reference, status, reason, page_ends_at, created_at, updated_at
    from fund_statement where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}
    order by attempt desc limit 1`
  return newest
}

/** The caller holds the journey's lock. */
export async function insertFundStatement(tx: Tx, statement: FundStatement): Promise<void> {
  await tx`insert into fund_statement ${tx({ bucket: bucketOf(statement.journeyId), ...statement })}`
}

export async function endFundStatement(
  tx: Tx,
  { tenantId, journeyId, attempt }: Pick<FundStatement, 'tenantId' | 'journeyId' | 'attempt'>,
  { status, reason }: Pick<FundStatement, 'status' | 'reason'>,
  at: Date,
): Promise<void> {
  await tx`
    update fund_statement set status = ${status}, reason = ${reason}, updated_at = ${at}
    where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId} and attempt = ${attempt}`
}
