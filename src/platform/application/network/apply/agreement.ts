// An agreement whose signature its lender may not report: the loan is confirmed once the borrower has been on its page (FIS12 §19.3).

import { effectOf, reasonOf } from '#contract/network/errors.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { hastenFollowUp, scheduleFollowUp } from '#platform/application/network/follow-up.ts'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import type { InboundMessage } from '#platform/network/inbound/inbound-message.ts'
import { reopenPage } from '#platform/network/reopen-page.ts'
import { stepFailed } from '#platform/step/move.ts'

/** How long a borrower is given to sign who does not say that they are back. */
const signingSeconds = 120
/** How long the lender's report of the signature may take once the borrower is back. */
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
 * The lender refused a confirmation that came before its report of the signature. Unless it refuses the borrower, the page is
 * due again, and the loan is confirmed later. False when the refusal is for good.
 */
export async function confirmationRefused(
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
    await stepFailed(tx, journey, { name: 'loanAgreement', problem: reasonOf(code), retryable: true, at })
  await scheduleFollowUp(tx, reopened, at, signingSeconds)
  return true
}
