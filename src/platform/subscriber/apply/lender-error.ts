// An error from the lender that holds the journey: what the network's code means for the step at hand (FIS12 §3.4, §13.3).
import { type Effect, effectOf, reasonOf } from '#contract/network/errors.ts'
import type { Tx } from '#kit/sql.ts'
import { consentRefused } from '#platform/aa/lender-word.ts'
import type { Journey } from '#platform/journey/journey.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import { dialectOf } from '#platform/network/dialect.ts'
import { endConversation } from '#platform/network/open-conversation.ts'
import { visitFailed } from '#platform/offer/visit.ts'
import { stepFailed } from '#platform/step/move.ts'
import { lenderRejected } from '#platform/step/outcome.ts'
import type { StepName } from '#platform/step/step.ts'
import { findStep } from '#platform/step/store.ts'
import { scheduleChase } from '#platform/subscriber/chase.ts'
import type { World } from '#platform/world.ts'

/** Effects that let the borrower try a step again. */
const repeatable: Partial<Record<Effect, StepName>> = {
  kycRetry: 'kyc',
  bankFailed: 'bankMandate',
  backToForm: 'bankMandate',
  mandateFailed: 'eMandate',
  agreementFailed: 'loanAgreement',
}

const lienFailed = 'The registrar could not mark the lien on your units. Please try again.'

/** A code says to try again, and nothing is left to try. */
const overWithoutStep = reasonOf('40000')

/** Where a step is repeated: one that a visit spares at the branch, which is the step `kyc` (FIS12 §13.3). Null once the visit is over. */
async function placeOf(tx: Tx, journey: Journey, name: StepName): Promise<StepName | null> {
  const { status } = await findStep(tx, journey, name)
  if (journey.type !== 'GOLD_LOAN' && status !== 'NOT_REQUIRED') return name
  const visit = await findStep(tx, journey, 'kyc')
  return visit.status === 'SUCCESS' ? null : 'kyc'
}

export async function lenderError(
  tx: Tx,
  world: World,
  journey: Journey,
  conversation: Conversation,
  code: string,
  at: Date,
): Promise<void> {
  const effect = effectOf(code, 'after-offer', dialectOf(journey))
  if (conversation.stage === 'LIEN_ASKED' && effect === 'retry')
    return void (await stepFailed(tx, journey, 'eMandate', lienFailed, true, at))
  const isUnderWay =
    journey.status === 'LENDER_REDIRECTED' || (journey.type === 'LAMF_LOAN' && journey.status === 'OFFER_ACCEPTED')
  const wanted = isUnderWay ? repeatable[effect] : undefined
  const step = wanted && (await placeOf(tx, journey, wanted))
  const reason = step === null ? overWithoutStep : reasonOf(code, dialectOf(journey))
  if (step) {
    await stepFailed(tx, journey, step, reason, true, at)
    return step === 'kyc' ? visitFailed(tx, journey, conversation.conversationId, at) : undefined
  }
  if (effect === 'disbursalPending') await consentRefused(tx, journey, conversation, reason, at)
  if (effect === 'retry' || effect === 'disbursalPending') return scheduleChase(tx, conversation, at)
  if (effect === 'kycFailed') await stepFailed(tx, journey, 'kyc', reason, false, at)
  await endConversation(tx, conversation, `error ${code}`, at)
  await lenderRejected(tx, world, journey, reason, at)
}
