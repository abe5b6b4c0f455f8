// A lender with one page for all steps after its offer, which reports progress by stops (FIS12 §26): the page is opened by
// the borrower's choice, and the loan is confirmed after the lender has paid it out.

import { secondsAfter } from '@lendloom/foundation/clock'
import { required } from '@lendloom/foundation/required'
import type { Tx } from '@lendloom/postgres/sql'
import type { TxContext } from '#platform/context.ts'
import { type Conversation, formUrlOf, isPageFinished } from '#platform/lenders/network/conversation.ts'
import { isSecured, type LenderOrder } from '#platform/lenders/network/dialect.ts'
import { hastenFollowUp, scheduleFollowUp } from '#platform/lenders/network/follow-up.ts'
import type { InboundMessage } from '#platform/lenders/network/inbound/inbound-message.ts'
import { sendConfirm, sendSelect } from '#platform/lenders/network/lender-requests.ts'
import { mayStayUnreported } from '#platform/lenders/network/page-left.ts'
import { stageAfter } from '#platform/lenders/network/queue-request.ts'
import { changeConversation } from '#platform/lenders/network/store.ts'
import { advance, resumeForPayout } from '#platform/lending/journey/advance.ts'
import { isExpired, type Journey } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { recordFinalAsOffered } from '#platform/lending/offer/lender-answers.ts'
import { findSelected, setAccepted } from '#platform/lending/offer/store.ts'
import { finalTermsOf } from '#platform/lending/step/final-terms.ts'
import { recordSanction } from '#platform/lending/step/lender-decision.ts'
import {
  countRetry,
  markStepReady,
  markStepSucceeded,
  skipStepsDoneAtBranch,
} from '#platform/lending/step/move-step.ts'
import { onUnreportedPageLeft } from './unreported-page.ts'

/** While the borrower is on an online page, the lender reports by itself: we ask only if it has been silent for so long. */
const silenceSeconds = 300
/** The borrower's browser tells the end of the page within moments of the lender's last report. */
const hintSeconds = 15

/** Makes the offer final: asks for the page of the chosen branch, or opens the page that came with the offer. */
export async function goOnWithOffer(ctx: TxContext, journey: Journey, conversation: Conversation): Promise<void> {
  if (conversation.branchId !== null) return void (await sendSelect(ctx, conversation, 'chooseBranch'))
  const { tx, at } = ctx
  const opened = await changeConversation(tx, conversation, { stage: stageAfter(conversation, 'openPage') }, at)
  await recordFinalAsOffered(tx, journey, conversation, at)
  await makePageDue(ctx, journey, opened)
}

/** Makes the lender's page the only step that the borrower has to do. */
export async function makePageDue(ctx: TxContext, journey: Journey, conversation: Conversation): Promise<void> {
  const { tx, at, seal } = ctx
  const page = { url: formUrlOf(seal, conversation), formId: required(conversation.formId, 'the page of the lender') }
  await markStepReady(ctx, journey, { name: 'kyc', page, at })
  await skipStepsDoneAtBranch(tx, journey, at)
  const lenderMode = conversation.formHeading === 'JOURNEY_OFFLINE' ? 'OFFLINE' : 'ONLINE'
  if (journey.lenderMode !== lenderMode) await updateJourney(tx, journey, { lenderMode }, at)
}

/**
 * Decides when to ask for the status after a report about the page. The network refuses a request before the lender's
 * first report, and certification counts one that is not needed, so the browser's hint or a payout comes first.
 */
export async function onPageReport(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { state, formResponse }: LenderOrder,
): Promise<void> {
  const { tx, at } = ctx
  const { progress } = conversation.extras
  if (conversation.stage !== 'FINAL_TERMS' || !progress) return
  // Nobody asks about an expired journey any more, so that the payout counts at once.
  if (state === 'DISBURSED' && isExpired(journey))
    return onPaidOut(ctx, journey, await changeConversation(tx, conversation, { stage: 'AGREEMENT_DONE' }, at))
  if (isSecured(conversation)) return onFundPageReport(ctx, journey, conversation)
  // With the lender's help the borrower may be gone for days, so that nobody tells the end of the page.
  const isWithHelp = formResponse?.status === 'OFFLINE_PENDING' && conversation.formHeading === 'JOURNEY_OFFLINE'
  await scheduleFollowUp(tx, conversation, at, isWithHelp ? undefined : silenceSeconds)
  if (progress.isStatusAnswered) return
  if (progress.isLeft) await hastenFollowUp(tx, conversation, at)
  else if (state === 'DISBURSED') await hastenFollowUp(tx, conversation, secondsAfter(at, hintSeconds))
}

/** A loan against mutual funds goes on when all is done on the page; its lender is asked only if reports stay away. */
async function onFundPageReport(ctx: TxContext, journey: Journey, conversation: Conversation): Promise<void> {
  const { tx, at } = ctx
  if (isPageFinished(conversation)) return onAllDone(ctx, journey, conversation)
  if (conversation.extras.progress?.isLeft) return askSoon(tx, conversation, at)
  await scheduleFollowUp(tx, conversation, at, silenceSeconds)
}

/** The lender's last report and the end of the page cross: the browser's hint, or a moment without one, ends the page. */
async function onAllDone(ctx: TxContext, journey: Journey, conversation: Conversation): Promise<void> {
  const { tx, at } = ctx
  // An answer that the lender still owes comes first, because messages must arrive in order (FIS12 §3.3).
  if (conversation.extras.progress?.isLeft && conversation.awaitedMessageId === null)
    return leavePage(ctx, journey, conversation)
  await askSoon(tx, conversation, at)
}

/** Lets reports that are on their way arrive before the lender is asked. */
async function askSoon(tx: Tx, conversation: Conversation, at: Date): Promise<void> {
  await scheduleFollowUp(tx, conversation, at, hintSeconds)
  await hastenFollowUp(tx, conversation, secondsAfter(at, hintSeconds))
}

/** Tells the lender that its page is done: the borrower accepted the loan there, and the lender places the order (FIS12 §27.2). */
export async function leavePage(ctx: TxContext, before: Journey, conversation: Conversation): Promise<void> {
  const { tx, at } = ctx
  const left = await changeConversation(tx, conversation, { stage: stageAfter(conversation, 'leavePage') }, at)
  const journey = await completePageStep(ctx, before)
  await sendConfirm(ctx, left, await finalTermsOf(tx, ctx, journey))
}

/** The borrower did everything on the lender's page, the acceptance too. */
export async function completePageStep(ctx: TxContext, before: Journey): Promise<Journey> {
  const { tx, at } = ctx
  const journey = before.active ? await withLender(ctx, before) : before
  // The borrower accepted on the lender's page: a loan that is agreed has not been idle since before that.
  await updateJourney(tx, journey, { lastBorrowerActAt: at }, at)
  await markStepSucceeded(tx, journey, await countRetry(tx, journey, 'kyc', at), at)
  return journey
}

/** The borrower has left the lender's page. Anybody may tell so: of a lender with stops, it only makes us ask earlier. */
export async function onPageLeft(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation | null,
  _: InboundMessage<'page_left'>,
): Promise<void> {
  const { tx, at } = ctx
  if (conversation && mayStayUnreported(conversation)) return onUnreportedPageLeft(ctx, journey, conversation)
  if (conversation?.stage !== 'FINAL_TERMS' || !conversation.extras.progress) return
  const { extras } = conversation
  const progress = { ...conversation.extras.progress, isLeft: true }
  const left = await changeConversation(tx, conversation, { extras: { ...extras, progress } }, at)
  if (isSecured(left)) return onFundPageReport(ctx, journey, left)
  await scheduleFollowUp(tx, left, at, silenceSeconds)
  if (progress.answer) await hastenFollowUp(tx, left, at)
}

/** Confirms a loan that the lender has paid out: the borrower accepted it on the lender's page. */
export async function onPaidOut(ctx: TxContext, before: Journey, conversation: Conversation): Promise<void> {
  const { tx, at } = ctx
  const journey = await completePageStep(ctx, isExpired(before) ? await resumeForPayout(ctx, before) : before)
  await recordSanction(tx, journey, at)
  await sendConfirm(ctx, conversation, await finalTermsOf(tx, ctx, journey))
}

/** A borrower who reached the lender's page without our link still accepted the offer there (D1 §3). */
async function withLender(ctx: TxContext, journey: Journey): Promise<Journey> {
  const { tx, at } = ctx
  let current = journey
  if (current.status === 'OFFER_SELECTED') {
    await setAccepted(tx, required(await findSelected(tx, current), 'the chosen offer'), at)
    current = await advance(ctx, current, 'accepted')
  }
  return current.status === 'OFFER_ACCEPTED' ? advance(ctx, current, 'redirected') : current
}
