// Repeats the request to a lender that a journey waits for, with growing pauses, until the lender answers.

import { pauseSeconds } from '@lendloom/foundation/schedule'
import type { Tx } from '@lendloom/postgres/sql'
import { finish, type Job, payloadOf, type Worker, work } from '@lendloom/queue/queue'
import type { Context, TxContext } from '#platform/context.ts'
import { type Conversation, isPageFinished } from '#platform/lenders/network/conversation.ts'
import { isSecured } from '#platform/lenders/network/dialect.ts'
import {
  awaitedEventKey,
  creditLinePollSeconds,
  type FollowUp,
  followUpKeyOf,
  followUpKind,
  followUpSchedule,
  scheduleRound,
  unusedNotifiedConsent,
} from '#platform/lenders/network/follow-up.ts'
import {
  isNoAnswerPending,
  requestLoanStatus,
  sendApproval,
  sendConfirm,
  sendInit,
  sendSelect,
} from '#platform/lenders/network/lender-requests.ts'
import { isLeft, mayStayUnreported } from '#platform/lenders/network/page-left.ts'
import { leavePage } from '#platform/lenders/network/reactions/appliers/page-progress.ts'
import { sendPledge } from '#platform/lenders/network/secured-loan-requests.ts'
import type { ConversationStage } from '#platform/lenders/network/stage.ts'
import { readConversation } from '#platform/lenders/network/store.ts'
import { requestAmountForm } from '#platform/lenders/network/submit-form.ts'
import { findDrawdown } from '#platform/lending/drawdown/store.ts'
import { isWithLender, type Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import type { FinalTerms } from '#platform/lending/offer/final-terms.ts'
import { findByConversation } from '#platform/lending/offer/store.ts'
import { finalTermsOf } from '#platform/lending/step/final-terms.ts'
import { findStep } from '#platform/lending/step/store.ts'
import { goOnUnreported } from './appliers/unreported-page.ts'

/** Rejections of the same request after which the request is not repeated. */
const maxRejections = 5

/** Whether the lender has rejected the current request too often for another retry. */
export async function hasExhaustedRetries(tx: Tx, conversation: Conversation): Promise<boolean> {
  const { tenantId, conversationId, stage } = conversation
  if (stage !== 'INITIATED' && !selectStages.includes(stage)) return false
  const key = followUpKeyOf(conversationId, await awaitedEventKey(tx, conversation))
  const followUpJob = await payloadOf<FollowUp>(tx, { tenantId, kind: followUpKind, key })
  return followUpJob !== null && followUpJob.round >= maxRejections
}

export const followUpWorker = (ctx: Context): Worker =>
  work<FollowUp>({ kind: followUpKind, ...ctx, handle: (job) => ctx.db.tx((tx) => followUp(tx, ctx, job)) })

async function followUp(tx: Tx, ctx: Context, job: Job<FollowUp>): Promise<void> {
  const { journeyId, conversationId, wait, round } = job.payload
  const at = ctx.clock()
  const journey = await lockJourney(tx, job.tenantId, journeyId)
  const conversation = await readConversation(tx, job.tenantId, journeyId, conversationId)
  await finish(tx, job)
  if (!journey?.active || !conversation || (await awaitedEventKey(tx, conversation)) !== wait) return
  if (conversation.isDrawdown && !(await isPayoutAwaited(tx, journey, conversation))) return
  if (conversation.stage === 'SELECTED' && !(await isOfferAwaited(tx, journey, conversation))) return
  if (await isNoAnswerPending(tx, conversation))
    await repeatRequest({ ...ctx, tx, at }, journey, conversation, () => finalTermsOf(tx, ctx, journey))
  const seconds = (await isCreditLineOpen(tx, journey, conversation))
    ? creditLinePollSeconds
    : pauseSeconds(followUpSchedule, round + 1)
  await scheduleRound({ tx, at }, conversation, { wait, round: round + 1 }, seconds)
}

/** Whether the lender still has to pay out a drawdown to which the borrower has agreed. */
const isPayoutAwaited = async (tx: Tx, journey: Journey, { conversationId }: Conversation): Promise<boolean> =>
  (await findDrawdown(tx, journey, conversationId))?.status === 'AGREED'

/** Whether the lender's offer is still awaited, because the offer window is open. */
async function isOfferAwaited(tx: Tx, journey: Journey, { conversationId }: Conversation): Promise<boolean> {
  return (await findByConversation(tx, journey, conversationId))?.status === 'OFFER_AWAITED'
}

const isCreditLineOpen = async (tx: Tx, journey: Journey, conversation: Conversation): Promise<boolean> =>
  (conversation.stage === 'CONFIRMED' || conversation.stage === 'DISBURSED') &&
  isSecured(conversation) &&
  (await findByConversation(tx, journey, conversation.conversationId))?.lineOpenedAt != null

/** Whether the borrower has visited the agreement page of a lender that handles all other steps itself (FIS12 §19.3). */
const isAgreementVisited = async (tx: Tx, journey: Journey, conversation: Conversation): Promise<boolean> =>
  conversation.stage === 'AGREEMENT_REQUESTED' &&
  !isSecured(conversation) &&
  journey.lenderMode === 'OFFLINE' &&
  (await findStep(tx, journey, 'loanAgreement')).status === 'IN_PROGRESS'

/** Stages in which `sendSelect` is repeated. It requests an offer or its final terms, or reports the consent again. */
const selectStages: ConversationStage[] = ['SELECTED', 'CONSENT_REQUESTED', 'CONSENT_GIVEN', 'RESELECTED']

/** Repeats the last request. In stages without a repeatable request, asks for the status. */
async function repeatRequest(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  finalTerms: () => Promise<FinalTerms>,
): Promise<void> {
  const { tx } = ctx
  if (conversation.isDrawdown) return void (await requestLoanStatus(ctx, conversation))
  // The form is being submitted.
  if (conversation.stage === 'AMOUNT_SENT') return
  if (conversation.stage === 'RESELECTED' && isSecured(conversation))
    await sendPledge(ctx, conversation, (await finalTerms()).pledges)
  else if (conversation.stage === 'FINAL_TERMS' && isSecured(conversation) && isPageFinished(conversation))
    await leavePage(ctx, journey, conversation)
  else if (selectStages.includes(conversation.stage)) await sendSelect(ctx, conversation)
  else if (conversation.stage === 'OFFERED' && journey.status === 'OFFER_SELECTED')
    // The lender's server was unreachable for too long.
    await requestAmountForm(ctx, journey, conversation, `${conversation.formId}:${ctx.at.getTime()}`)
  else if (conversation.stage === 'INITIATED') await sendInit(ctx, conversation, await finalTerms())
  else if (isLeft(conversation) && mayStayUnreported(conversation) && isWithLender(journey))
    await goOnUnreported(ctx, journey, conversation, await finalTerms())
  else if (await isAgreementVisited(tx, journey, conversation)) await sendConfirm(ctx, conversation, await finalTerms())
  // Until the borrower is back, there is nothing to ask for.
  else if (mayStayUnreported(conversation)) return
  else if (conversation.stage === 'MONITORING_GIVEN' && (await unusedNotifiedConsent(tx, conversation)))
    await sendApproval(ctx, conversation)
  else await requestLoanStatus(ctx, conversation)
}
