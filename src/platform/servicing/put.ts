// Puts what a borrower asked to the lender of the loan: over the network, or to the partner.
import type { Tx } from '#kit/db/sql.ts'
import type { Context } from '#platform/context.ts'
import { askStatus, moneyStatus } from '#platform/exchange/status.ts'
import { findCaseOf } from '#platform/exchange/store.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { status } from '#platform/network/ask-lender.ts'
import { readConversation } from '#platform/network/store.ts'
import type { Offer } from '#platform/offer/offer.ts'
import { overdueOf } from './claim.ts'
import { claimUrl } from './claim-link.ts'
import { moveServicing } from './move.ts'
import { sendWaiting } from './send.ts'
import type { Servicing } from './servicing.ts'

export async function putToLender(
  tx: Tx,
  ctx: Context,
  journey: Journey,
  offer: Offer,
  operation: Servicing,
  at: Date,
): Promise<void> {
  if (offer.via === 'NETWORK') {
    const conversation = await readConversation(tx, journey.tenantId, journey.journeyId, offer.conversationId)
    return sendWaiting(tx, ctx, journey, conversation!, at)
  }
  const application = (await findCaseOf(tx, journey))!
  if (operation.kind === 'STATUS_REFRESH') return askStatus(tx, application, operation.operationId, at)
  // The partner has no payment page: the borrower pays by transfer, and tells of it on a page of ours.
  const owed = operation.kind === 'MISSED_EMI_PAYMENT' ? overdueOf(moneyStatus(ctx, application, at)) : null
  const change = { url: claimUrl(ctx, operation), amountPaise: operation.requestedPaise ?? owed }
  await moveServicing(tx, journey, operation, 'linked', change, at)
}

/** Asks how the loan stands, to learn what has become of an operation. `cause` names the occasion. */
export async function askHowItStands(
  tx: Tx,
  ctx: Context,
  journey: Journey,
  offer: Offer,
  cause: string,
  at: Date,
): Promise<void> {
  if (offer.via === 'PARTNER') return askStatus(tx, (await findCaseOf(tx, journey))!, cause, at)
  const conversation = await readConversation(tx, journey.tenantId, journey.journeyId, offer.conversationId)
  // Once the lender was asked how the loan stands, it may tell of a payment only when asked again (FIS12 §4.1).
  await status(tx, ctx, conversation!, at)
}
