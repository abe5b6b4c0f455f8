// Withdrawal of the consent to share the application. It ends the journey and all transmission to lenders.

import { Refusal } from '@lendloom/foundation/refusal'
import type { TxContext } from '#platform/context.ts'
import { type ConsentOrigin, recordWithdrawal } from '#platform/lending/borrower/consent.ts'
import { advance } from '#platform/lending/journey/advance.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { endWaiting } from './store.ts'

/** Whether the borrower may withdraw the consent. This is possible from submission until an offer is accepted. */
export const mayWithdraw = ({ active, status, search }: Pick<Journey, 'active' | 'status' | 'search'>): boolean =>
  active &&
  ((status === 'STARTED' && search !== 'NONE') ||
    status === 'PROFILED' ||
    status === 'OFFERED' ||
    status === 'OFFER_SELECTED')

/**
 * Records the withdrawal of every consent, and ends the journey as REJECTED (D1 §3). Pending requests and files are not
 * sent any more. Throws `wrong-state` before submission and after an offer is accepted.
 */
export async function withdrawConsent(ctx: TxContext, journey: Journey, origin: ConsentOrigin): Promise<Journey> {
  const { tx, at } = ctx
  const { status } = journey
  if (!mayWithdraw(journey))
    throw new Refusal(
      'wrong-state',
      status === 'STARTED'
        ? 'no consent has been given yet'
        : 'the consent can only be withdrawn before an offer is accepted',
      { status },
    )
  const endReason = 'CONSENT_WITHDRAWN'
  await recordWithdrawal(ctx, journey, { origin })
  await endWaiting(tx, journey, endReason, at)
  for (const channel of Object.values(ctx.channels)) await channel.withdraw(ctx, journey)
  await updateJourney(tx, journey, { lastBorrowerActAt: at, endReason }, at)
  return advance(ctx, { ...journey, endReason }, 'rejected')
}
