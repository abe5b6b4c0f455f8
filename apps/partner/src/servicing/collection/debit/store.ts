// Tables of the holds on debits, of the check of each case's dues on a day, and of the bank's results of debits:
// collection_hold, collection_day, bank_result.

import type { Run, Tx } from '@lendloom/postgres/sql'
import type { DebitResult } from '@lendloom/wire/bank/bank'

export interface Hold {
  caseRef: string
  policy: 'new-mandate' | 'stop' | 'review'
  reasonCode: string
  umrn: string | null
  /** The returned or rejected debit; null for a manual hold. */
  paymentId: string | null
  sinceAt: Date
}

export async function readHold(db: Run, caseRef: string): Promise<Hold | undefined> {
  const [row] = await db<Hold>`
    select case_ref, policy, reason_code, umrn, payment_id, since_at from collection_hold where case_ref = ${caseRef}`
  return row
}

/** Places a hold. Replaces an earlier hold of the case. */
export async function putHold(tx: Tx, hold: Hold): Promise<void> {
  await tx`insert into collection_hold ${tx({ ...hold })} on conflict (case_ref) do update set policy = excluded.policy,
    reason_code = excluded.reason_code, umrn = excluded.umrn, payment_id = excluded.payment_id, since_at = excluded.since_at`
}

export async function removeHold(tx: Tx, caseRef: string): Promise<void> {
  await tx`delete from collection_hold where case_ref = ${caseRef}`
}

interface CollectionDay {
  caseRef: string
  collectionOn: string
  outcome: string
  at: Date
}

export async function recordDayCheck(tx: Tx, { caseRef, collectionOn, outcome, at }: CollectionDay): Promise<void> {
  await tx`insert into collection_day ${tx({ caseRef, collectionOn, outcome, lookedAt: at })}
    on conflict (case_ref) do update set collection_on = excluded.collection_on, outcome = excluded.outcome,
      looked_at = excluded.looked_at`
}

/** Returns cases with dues that were not yet checked on a business day: the next after `after`, by case reference. */
export const casesToCollect = (
  db: Run,
  on: string,
  after: string,
  limit: number,
): Promise<{ caseRef: string }[]> => db<{
  caseRef: string
}>`
  select l.case_ref from loan l left join collection_day d on d.case_ref = l.case_ref
  where l.next_due_on <= ${on}::date and l.case_ref > ${after}
    and (d.collection_on is null or d.collection_on < ${on}::date)
  order by l.case_ref limit ${limit}`

/** `STRANGE`: the debit is unknown, or its status does not allow the result. */
type ResultOutcome = 'APPLIED' | 'SUPERSEDED' | 'STRANGE'

interface StoredResult {
  provider: string
  result: DebitResult
  outcome: ResultOutcome
  at: Date
}

/**
 * Stores a bank result. Returns false if it was stored before, unless it was STRANGE and has an effect now: after a
 * restore, the bank reports the results of a debit before the debit exists again.
 */
export async function storeResult(tx: Tx, { provider, result, outcome, at }: StoredResult): Promise<boolean> {
  const { result_id, reference, sequence, status, return_code, bank_reference, value_date } = result
  const row = {
    provider,
    resultId: result_id,
    reference,
    sequence,
    status,
    returnCode: return_code,
    bankReference: bank_reference,
    valueOn: value_date,
    outcome,
    receivedAt: at,
  }
  const inserted = await tx`
    insert into bank_result ${tx(row)}
    on conflict (provider, result_id) do update set outcome = excluded.outcome, received_at = excluded.received_at
      where bank_result.outcome = 'STRANGE' and excluded.outcome <> 'STRANGE' returning 1`
  return inserted.length > 0
}
