// The borrower is back from a lender's page, as told by our own page, the borrower's app, or the browser on the lender's
// page. A lender that reports the end of a page is only asked earlier; another one is sent the next request (FIS12 §24).

import { isOneOf, ownValue } from '@lendloom/foundation/record'
import type { Run } from '@lendloom/postgres/sql'
import { variantIn } from '@lendloom/wire/network/variants'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import type { StepName } from '#platform/lending/step/step.ts'
import { findStep } from '#platform/lending/step/store.ts'
import { type Conversation, hasStops } from './conversation.ts'
import { dialectOfConversation, isSecured } from './dialect.ts'
import { recordInternalEvent } from './inbound/store.ts'
import type { ConversationStage } from './stage.ts'

/** Of a lender with stops, one report in this time counts: anybody who knows the transaction can send a browser's hint. */
const secondsPerReport = 10

/**
 * The key of the report that the borrower has left the page that is due; null if the borrower has not opened it. Of a page
 * that need not be reported, one report counts for each time that the page is opened.
 */
export async function pageLeftKey(db: Run, conversation: Conversation, at: Date): Promise<string | null> {
  const { formId } = conversation
  const name = mayStayUnreported(conversation) ? stepOfDuePage(conversation) : undefined
  if (name === undefined) return `page_left:${formId}:${Math.floor(at.getTime() / (secondsPerReport * 1000))}`
  const { status, attempts } = await findStep(db, conversation, name)
  return status === 'IN_PROGRESS' ? `page_left:${formId}:${attempts}` : null
}

/** Records that the borrower has left the page that is due, unless the page is not open. */
export async function recordPageLeft(ctx: TxContext, journey: Journey, conversation: Conversation): Promise<void> {
  const { conversationId } = conversation
  const key = await pageLeftKey(ctx.tx, conversation, ctx.at)
  if (key !== null) await recordInternalEvent(ctx, journey, { type: 'page_left' }, { conversationId, key })
}

const stepOfPageStage: Partial<Record<ConversationStage, StepName>> = {
  FINAL_TERMS: 'kyc',
  MANDATE_REQUESTED: 'eMandate',
  AGREEMENT_REQUESTED: 'loanAgreement',
}

/** The step whose page is due; undefined if none is. */
export const stepOfDuePage = ({ stage }: Conversation): StepName | undefined => ownValue(stepOfPageStage, stage)

/** The published pages of a version that need not report them; no version has such a page for a branch. */
const unreportedHeadings = ['KYC', 'EMANDATE', 'LOAN_AGREEMENT'] as const

/** Whether the lender's version does not report the end of a page, and this lender never did. */
export const needNotReport = (conversation: Conversation): boolean =>
  !isSecured(conversation) &&
  !hasStops(conversation) &&
  !variantIn(dialectOfConversation(conversation)).reportsPages &&
  conversation.extras.pages?.isReporting !== true

/** Whether a page is due of which the lender may never tell that it is done. */
export const mayStayUnreported = (conversation: Conversation): boolean =>
  stepOfDuePage(conversation) !== undefined &&
  isOneOf(unreportedHeadings, conversation.formHeading) &&
  needNotReport(conversation)

/** Whether the borrower is back from the page that is due. */
export const isLeft = ({ formId, extras }: Conversation): boolean => formId !== null && extras.pages?.left === formId

/** Whether the newest request went on from the current page without a report of the lender. */
export const isPassedUnreported = ({ stage, formId, extras }: Conversation): boolean =>
  (stage === 'INITIATED' || stage === 'CONFIRM_SENT') && formId !== null && extras.pages?.passed === formId
