// A lender whose version need not report the end of a page (FIS12 §24): the platform goes on once the borrower is back, and
// reopens the page if the lender then says that it is not done.

import { secondsAfter } from '@lendloom/foundation/clock'
import { next } from '@lendloom/foundation/machine'
import { required } from '@lendloom/foundation/required'
import { uuidv4 } from '@lendloom/seal/id'
import { type ErrorEffect, effectOf, isTransient, reasonOf } from '@lendloom/wire/network/errors'
import type { TxContext } from '#platform/context.ts'
import type { Conversation, UnreportedPages } from '#platform/lenders/network/conversation.ts'
import { hastenFollowUp, scheduleFollowUp } from '#platform/lenders/network/follow-up.ts'
import { sendConfirm, sendInit } from '#platform/lenders/network/lender-requests.ts'
import { reopenPage } from '#platform/lenders/network/open-conversation.ts'
import { isPassedUnreported, stepOfDuePage } from '#platform/lenders/network/page-left.ts'
import { conversationStages } from '#platform/lenders/network/stage.ts'
import { changeConversation } from '#platform/lenders/network/store.ts'
import { advance } from '#platform/lending/journey/advance.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import type { FinalTerms } from '#platform/lending/offer/final-terms.ts'
import { finalTermsOf } from '#platform/lending/step/final-terms.ts'
import { markStepFailed, markStepSucceeded } from '#platform/lending/step/move-step.ts'
import type { StepName } from '#platform/lending/step/step.ts'
import { findStep } from '#platform/lending/step/store.ts'

/** Time that the lender has to report the page after the borrower has left it. */
const reportSeconds = 5

const withPages = ({ extras }: Conversation, pages: UnreportedPages) => ({ extras: { ...extras, pages } })

/** Waits for the lender's report of the page, unless the borrower has not opened it: anybody can send a browser's hint. */
export async function onUnreportedPageLeft(
  { tx, at }: Pick<TxContext, 'tx' | 'at'>,
  journey: Journey,
  conversation: Conversation,
): Promise<void> {
  const { status } = await findStep(tx, journey, required(stepOfDuePage(conversation), 'the step of the page'))
  if (status !== 'IN_PROGRESS' || conversation.formId === null) return
  const pages = { ...conversation.extras.pages, left: conversation.formId }
  const left = await changeConversation(tx, conversation, withPages(conversation, pages), at)
  await scheduleFollowUp(tx, left, at, reportSeconds)
  await hastenFollowUp(tx, left, secondsAfter(at, reportSeconds))
}

/**
 * Sends the request that follows the page. It needs the id of a submission, and the lender has told none, so that the id is
 * ours. The step is done when the lender asks for the next page, or has the order.
 */
export async function goOnUnreported(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  finalTerms: FinalTerms,
): Promise<void> {
  const { tx, at } = ctx
  const passed = await changeConversation(
    tx,
    conversation,
    {
      stage: required(next(conversationStages, conversation.stage, 'pageDone'), 'the stage after the page'),
      submissionId: uuidv4(),
      ...withPages(conversation, { passed: required(conversation.formId, 'the form id of the page') }),
    },
    at,
  )
  if (journey.status === 'OFFER_ACCEPTED') await advance(ctx, journey, 'redirected')
  await sendNext(ctx, passed, finalTerms)
}

const sendNext = (ctx: TxContext, conversation: Conversation, finalTerms: FinalTerms): Promise<Conversation> =>
  (conversation.formHeading === 'LOAN_AGREEMENT' ? sendConfirm : sendInit)(ctx, conversation, finalTerms)

/** A page that the lender never reported is done once the lender goes on, unless it asks for this page again (`due`). */
export async function completePassedSteps(
  tx: TxContext['tx'],
  journey: Journey,
  due: StepName | null,
  at: Date,
): Promise<void> {
  for (const name of ['kyc', 'eMandate', 'loanAgreement'] as const)
    if (name !== due && (await findStep(tx, journey, name)).status === 'IN_PROGRESS')
      await markStepSucceeded(tx, journey, name, at)
}

/** Forgets that the borrower is back, because the lender says that the page must be repeated. */
export async function forgetReturn(tx: TxContext['tx'], conversation: Conversation, at: Date): Promise<void> {
  const { left, ...pages } = conversation.extras.pages ?? {}
  if (left !== undefined) await changeConversation(tx, conversation, withPages(conversation, pages), at)
}

const isAboutPage: ErrorEffect[] = ['kycRetry', 'mandateFailed', 'agreementFailed']

/**
 * Handles the lender's error about a request that followed a page without its report. Repeats the request if the report has
 * come meanwhile, otherwise reopens the page. Ignores an unsolicited error, which may be older than the request. Returns false
 * for a final rejection, a lender that cannot answer now, or if no page can be reopened.
 */
export async function recoverFromPassedPage(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { code, solicited }: { code: string; solicited: boolean },
): Promise<boolean> {
  if (!isPassedUnreported(conversation)) return false
  const { tx, at } = ctx
  const effect = effectOf(code, 'after-offer')
  const isFinal = effect === 'kycFailed' || (effect === 'rejected' && /^(?:80|40003)/.test(code))
  if (isFinal || isTransient(code)) return false
  if (!solicited) {
    ctx.log.warn({ party: conversation.bppId, code }, 'ignored an unsolicited error about a page that was passed')
    return true
  }
  if (conversation.extras.pages?.isReporting) {
    const reported = await changeConversation(tx, conversation, withPages(conversation, { isReporting: true }), at)
    await completePassedSteps(tx, journey, null, at)
    await sendNext(ctx, reported, await finalTermsOf(tx, ctx, journey))
    return true
  }
  const reopened = await reopenPage(tx, conversation, at)
  if (!reopened) return false
  await changeConversation(tx, reopened, withPages(reopened, {}), at)
  const name = required(stepOfDuePage(reopened), 'the step of the page')
  await markStepFailed(tx, journey, {
    name,
    problem: isAboutPage.includes(effect) ? reasonOf(code) : 'LENDER_PAGE_NOT_DONE',
    retryable: true,
    at,
  })
  return true
}
