// Requests for a loan against mutual funds, from the profile form to the confirmation (FIS12 §10.2).

import { isOneOf } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import type { Pledge } from '@lendloom/lending/pledge'
import { bucketOf, uuidv4 } from '@lendloom/seal/id'
import type { BankAccount } from '@lendloom/wire/hosted/embed-requests'
import type { Answers } from '@lendloom/wire/network/v230/form-data'
import type { SettlementAccount } from '@lendloom/wire/network/v230/payments'
import { searchWithConsent, searchWithProfile } from '@lendloom/wire/network/v230/search'
import {
  confirm as confirmMessage,
  init as initMessage,
  select as selectMessage,
} from '@lendloom/wire/network/v230/select-to-confirm'
import { headings } from '@lendloom/wire/network/v230/xinput'
import type { Context, TxContext } from '#platform/context.ts'
import type { FinalTerms } from '#platform/lending/offer/final-terms.ts'
import type { Conversation, ConversationChange } from './conversation.ts'
import { buyerTerms } from './own-identity.ts'
import { askLender, stageAfter } from './queue-request.ts'

type LoanSecurity = Pick<FinalTerms, 'pledges' | 'account'>

const referenceOf = ({ config }: Context, { providerId, itemId, parentItemId, formId }: Conversation) => ({
  providerId,
  itemId: parentItemId ?? itemId,
  formId: required(formId, 'the form of a conversation'),
  terms: buyerTerms(config),
})

/** Submits the borrower's form in a search to this lender, which answers with offers or a consent request (row 2). */
export function sendProfileInSearch(
  ctx: TxContext,
  conversation: Conversation,
  answers: Answers,
): Promise<Conversation> {
  const stage = stageAfter(conversation, 'apply')
  const request = {
    action: 'search',
    message: searchWithProfile({ ...referenceOf(ctx, conversation), answers }),
  } as const
  return askLender(ctx, conversation, request, { stage })
}

/** Reports the borrower's consent, which allows the lender to read the holdings (row 3). */
export function reportHoldingsConsent(
  ctx: TxContext,
  conversation: Conversation,
  change: ConversationChange,
): Promise<Conversation> {
  if (conversation.formHeading !== 'CONSENT_APPROVAL')
    throw new Refusal('wrong-state', 'this lender has not requested a consent')
  const message = searchWithConsent({
    ...referenceOf(ctx, conversation),
    submissionId: uuidv4(bucketOf(conversation.journeyId)),
  })
  return askLender(ctx, conversation, { action: 'search', message }, change)
}

/** Sends the units to pledge. The lender answers with terms for these units (row 4). */
export function sendPledge(ctx: TxContext, conversation: Conversation, pledges: Pledge[]): Promise<Conversation> {
  const stage = stageAfter(conversation, 'pledge')
  const message = selectMessage({ ...draftOf(conversation), pledges })
  return askLender(ctx, conversation, { action: 'select', message }, { stage })
}

/** Tells the lender that all is done on its page, by its own newest report; the lender then places the order (FIS12 §27.2). */
export function reportPageDone(
  ctx: TxContext,
  conversation: Conversation,
  change: ConversationChange,
): Promise<Conversation> {
  const { formId, submissionId } = required(conversation.extras.progress?.answer, "the report about a lender's page")
  const heading = isOneOf(headings, conversation.formHeading) ? conversation.formHeading : 'SINGLE_REDIRECTION'
  const message = selectMessage({ ...draftOf(conversation), pledges: [], answer: { formId, submissionId, heading } })
  return askLender(ctx, conversation, { action: 'select', message }, change)
}

/** Every `init` contains the account. From the second, it also has the result of the last page (rows 5, 8–11). */
export function securedInitMessage(ctx: Context, conversation: Conversation, { pledges, account }: LoanSecurity) {
  const { formId, submissionId, formHeading } = conversation
  const isAnswered = formId !== null && submissionId !== null && isOneOf(headings, formHeading)
  const answer = isAnswered && { formId, submissionId, heading: formHeading }
  return initMessage({ ...orderWithAccount(ctx, conversation, account), pledges, ...(answer && { answer }) })
}

/** Confirms the loan under both parties' terms (row 12). */
export function securedConfirmMessage(ctx: Context, conversation: Conversation, { pledges, account }: LoanSecurity) {
  const { lenderTerms } = conversation
  return confirmMessage({
    ...orderWithAccount(ctx, conversation, account),
    pledges,
    ...(lenderTerms && { lenderTerms }),
  })
}

function draftOf({ providerId, itemId, parentItemId, offeredItemId, fulfillmentId }: Conversation) {
  if (offeredItemId === null || fulfillmentId === null)
    throw new Refusal('wrong-state', 'this lender has not made an offer yet')
  return { providerId, itemId: offeredItemId, parentItemId: parentItemId ?? itemId, fulfillmentId }
}

function orderWithAccount({ config }: Context, conversation: Conversation, account: BankAccount | null) {
  if (account === null) throw new Refusal('wrong-state', 'the disbursal account is missing')
  const paymentId = conversation.paymentId ?? 'LOAN_DISBURSMENT'
  return {
    ...draftOf(conversation),
    disbursal: { paymentId, account: settlementAccount(account) },
    terms: buyerTerms(config),
  }
}

const settlementAccount = ({
  accountNumber,
  ifsc,
  accountType,
  accountHolderName,
}: BankAccount): SettlementAccount => ({
  accountNumber,
  ifsc,
  type: accountType === 'current' ? 'current' : 'savings',
  holderName: accountHolderName,
  bankName: null,
})
