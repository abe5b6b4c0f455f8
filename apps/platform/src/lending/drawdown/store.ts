// Table `drawdown`: the borrower's drawdowns from a credit line, and the moves that change them.

import { next } from '@lendloom/foundation/machine'
import type { Run, Tx } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import { bucketOf } from '@lendloom/seal/id'
import type { Journey, JourneyKey } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { type Drawdown, type DrawdownMove, drawdownMachine } from './drawdown.ts'

/** Lists the drawdowns of a journey, oldest first. */
export const listDrawdowns = (db: Run, { tenantId, journeyId }: JourneyKey) => db<Drawdown>`
  select tenant_id, journey_id, drawdown_id, status, requested_paise, principal_paise, interest_paise, charges_paise, total_paise,
    interest_rate, terms_until, account_ending, paid_account_ending, paid_paise, payout_reference, reason, requested_at, agreed_at, paid_out_at, updated_at
  from drawdown where bucket = ${bucketOf(journeyId)} and tenant_id = ${tenantId} and journey_id = ${journeyId}
  order by requested_at, drawdown_id`

export async function findDrawdown(db: Run, journey: JourneyKey, drawdownId: string): Promise<Drawdown | undefined> {
  return (await listDrawdowns(db, journey)).find((each) => each.drawdownId === drawdownId)
}

/** Inserts a drawdown. The caller holds the journey's lock and has checked that none is open. */
export async function insertDrawdown(tx: Tx, drawdown: Drawdown): Promise<void> {
  await tx`insert into drawdown ${tx({ bucket: bucketOf(drawdown.journeyId), ...drawdown })}`
}

/** Changes the status and other values of a drawdown. An invalid transition changes nothing, and returns null. */
export async function moveDrawdown(
  { tx, at }: Write,
  journey: Journey,
  drawdown: Drawdown,
  { move, ...change }: Partial<Drawdown> & { move: DrawdownMove },
): Promise<Drawdown | null> {
  const status = next(drawdownMachine, drawdown.status, move)
  if (!status) return null
  const after = { ...drawdown, ...change, status, updatedAt: at }
  await tx`
    update drawdown set status = ${status}, principal_paise = ${after.principalPaise}, interest_paise = ${after.interestPaise},
      charges_paise = ${after.chargesPaise}, total_paise = ${after.totalPaise}, interest_rate = ${after.interestRate},
      terms_until = ${after.termsUntil}, account_ending = ${after.accountEnding}, paid_account_ending = ${after.paidAccountEnding}, paid_paise = ${after.paidPaise},
      payout_reference = ${after.payoutReference},
      reason = ${after.reason}, agreed_at = ${after.agreedAt}, paid_out_at = ${after.paidOutAt}, updated_at = ${at}
    where bucket = ${bucketOf(after.journeyId)} and tenant_id = ${after.tenantId} and journey_id = ${after.journeyId}
      and drawdown_id = ${after.drawdownId}`
  await updateJourney(tx, journey, {}, at)
  return after
}
