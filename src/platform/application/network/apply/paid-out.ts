// Applies a lender's messages about a disbursed loan (FIS12 §11.1), and the borrower's visits to the agreement page
// (FIS12 §19.3).

import { effectOf, reasonOf } from '#contract/network/errors.ts'
import type { NetworkOrder } from '#contract/network/v203/read-order.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { hastenFollowUp, scheduleFollowUp } from '#platform/application/network/follow-up.ts'
import type { TxContext } from '#platform/context.ts'
import type { Installment, Journey } from '#platform/journey/journey.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import type { InboundMessage } from '#platform/network/inbound/inbound-message.ts'
import { reopenPage } from '#platform/network/open-conversation.ts'
import { storeDocuments } from '#platform/offer/documents.ts'
import { storeLine } from '#platform/offer/pledge.ts'
import { setPayoutReference } from '#platform/offer/store.ts'
import { failServicing, receiveLoan } from '#platform/servicing/receive.ts'
import { markStepFailed } from '#platform/step/move.ts'

export async function onDisbursedLoanCallback(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { type, order, error, solicited }: InboundMessage<'on_init' | 'on_status' | 'on_confirm' | 'on_update' | 'on_cancel'>,
): Promise<void> {
  const { tx, at } = ctx
  if (error) {
    const action = !solicited ? null : type === 'on_status' ? 'status' : 'update'
    return failServicing(ctx, journey, conversation, { code: error.code, action })
  }
  if (!order) return
  await storeDocuments(ctx, journey, order.documents)
  if (order.payoutReference) await setPayoutReference(tx, journey, order.payoutReference)
  if (order.secured?.line) await storeLine(tx, journey, order.secured.line, at)
  const isStatusAnswer = type === 'on_status' && solicited
  await receiveLoan(ctx, journey, conversation, {
    order,
    installments: installmentsFrom(order),
    isStatusAnswer,
    isUnsolicited: !solicited,
  })
}

/** Uses the end of an instalment's period as its due date, because the network states no due date (FIS12 §13.5). */
export const installmentsFrom = ({ installments }: NetworkOrder): Installment[] =>
  installments.map(({ amount, status, startsAt, endsAt }, i) => ({
    serialNumber: i + 1,
    amount: amount.toString(),
    status,
    startsAt: startsAt.toISOString(),
    dueAt: endsAt.toISOString(),
  }))

/** Time after which a borrower who has not returned from the agreement page is assumed to have signed. */
const signingSeconds = 120
/** Time that the lender has to report the signature after the borrower has returned. */
const reportSeconds = 5

export async function onAgreementVisited(
  { tx, at }: TxContext,
  _: Journey,
  conversation: Conversation | null,
  { isBack }: InboundMessage<'agreement_visited'>,
): Promise<void> {
  if (!conversation) return
  await scheduleFollowUp(tx, conversation, at, signingSeconds)
  if (isBack) await hastenFollowUp(tx, conversation, secondsAfter(at, reportSeconds))
}

/**
 * Handles the lender's error about a confirmation that was sent before the lender reported the signature. Reopens the
 * agreement page, and confirms the loan later. Returns false for a final rejection, or if no page can be reopened.
 */
export async function recoverFromConfirmationError(
  { tx, at }: TxContext,
  journey: Journey,
  conversation: Conversation,
  code: string,
): Promise<boolean> {
  const effect = effectOf(code, 'after-offer')
  const isFinal = effect === 'kycFailed' || (effect === 'rejected' && /^(?:80|40003)/.test(code))
  const reopened = isFinal ? undefined : await reopenPage(tx, conversation, at)
  if (!reopened) return false
  if (effect === 'agreementFailed')
    await markStepFailed(tx, journey, { name: 'loanAgreement', problem: reasonOf(code), retryable: true, at })
  await scheduleFollowUp(tx, reopened, at, signingSeconds)
  return true
}
