// Parts of a lender's messages about a loan against mutual funds (LAMF), in dialect 2.3.0.

import { isOneOf } from '@lendloom/foundation/record'
import { required } from '@lendloom/foundation/required'
import type { Scheme } from '@lendloom/lending/pledge'
import type { Tx } from '@lendloom/postgres/sql'
import type { UnitShare } from '@lendloom/wire/hosted/portfolio'
import type { ContractTerms } from '@lendloom/wire/network/contract-terms'
import type { FormResult } from '@lendloom/wire/network/v203/xinput'
import type { FulfillmentState } from '@lendloom/wire/network/v230/fulfillment'
import type { Terms } from '@lendloom/wire/network/v230/offer-terms'
import { appliedSteps, checklistAt, type NewItem, type Shop } from '@lendloom/wire/network/v230/on-search'
import type { OrderDraft } from '@lendloom/wire/network/v230/write-order'
import { headings } from '@lendloom/wire/network/v230/xinput'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import type { LenderPolicy } from '#sandbox/lender/core/lender-policies.ts'
import type { Loan } from '#sandbox/lender/core/lending-decision.ts'
import {
  type AddressDeps,
  bankReference,
  bpsText,
  cancellationOf,
  chosenOf,
  termsOf as commonTerms,
  currentLoan,
  documentsOf,
  installmentsOf,
  type LoanFile,
  lenderOf,
  lenderUrl,
  penalText,
  providerId,
} from '#sandbox/lender/core/message-parts.ts'
import { accountOf, applicantOf, submissionsOf } from '#sandbox/lender/core/store.ts'
import { settlementAccountOf } from './bank-account.ts'
import { firstDraw, isLine, loanToValueAt, requireLamfLending } from './lenders.ts'
import { hasStops, isUntouched, stopsParts } from './stops.ts'
import { pledgesOf } from './store.ts'

export { providerId }

const upperSlug = ({ slug }: Pick<LenderPolicy, 'slug'>): string => slug.toUpperCase()
/** The id of the offer, which all conversations with the lender share. */
export const offerId = (policy: LenderPolicy): string => `OFFER-${upperSlug(policy)}-LAMF`
export const profileFormId = 'FORM-LAMF-PROFILE'
export const consentFormId = 'FORM-LAMF-CONSENT'

/** The catalogue item of the lender. */
export function lamfItem(policy: LenderPolicy): NewItem {
  const { categories, title } = requireLamfLending(policy.slug)
  return {
    ...categories,
    id: `ITEM-${upperSlug(policy)}-LAMF`,
    name: title,
    recommended: true,
    fulfillmentId: `FUL-${upperSlug(policy)}-LAMF`,
  }
}

const contractTerms = (deps: Pick<AddressDeps, 'url'>, policy: LenderPolicy): ContractTerms => ({
  staticTerms: `${lenderUrl(deps, policy)}/terms`,
  offlineContract: true,
})

type ConversationKey = Pick<Conversation, 'conversationId'>
const disbursalId = ({ conversationId }: ConversationKey): string => `DISBURSAL-${conversationId}`

/** The lender as a message names it, with its terms and the ids of payments. */
export const providerOf = (deps: Pick<AddressDeps, 'url'>, policy: LenderPolicy, conversation: Conversation): Shop => ({
  lender: lenderOf(deps, policy),
  terms: contractTerms(deps, policy),
  paymentIds: hasStops(conversation)
    ? null
    : { installmentId: `INSTALLMENTS-${conversation.conversationId}`, disbursalId: disbursalId(conversation) },
})

/** The terms of the loan. Before the choice of an amount they are those of the offer. */
export function lamfTerms(file: LoanFile, loan: Loan): Terms {
  const { policy, conversation } = file
  const stage = chosenOf(conversation) ? 'final' : 'offer'
  const marginCall = bpsText(requireLamfLending(policy.slug).marginCallBps)
  return {
    ...commonTerms(file, loan, stage),
    // A line pays nothing out before a drawdown, and bears interest only on the drawn amount (FIS12 §17.2).
    ...(isLine(policy) && {
      interest: 0n,
      netDisbursed: 0n,
      installmentsCount: 0,
      installmentAmount: 0n,
      delayPenaltyFee: penalText(policy, 'amount'),
    }),
    repaymentFrequency: 'P1M',
    marginCall: marginCall.replace('%', ' %'),
    annualisedPenalCharges: bpsText(policy.penalBps).replace('%', ' %'),
  }
}

/** The pledged units of each fund. */
export const schemesOf = (policy: LenderPolicy, conversation: Conversation, pledged: readonly UnitShare[]): Scheme[] =>
  pledged.map(({ holding, units }) => ({
    rta: holding.registrar,
    amcCode: holding.amcCode,
    schemeCode: holding.schemeCode,
    folioId: holding.folio,
    unitsRequired: units,
    // With stops, one value of all schemes is among the terms (FIS12 §27.3).
    ltv: hasStops(conversation) ? null : bpsText(loanToValueAt(policy)(holding)),
  }))

/** The parts of the order that are agreed so far (FIS12 §10.2). Null before there is an offer. */
export async function lamfDraft(tx: Tx, file: LoanFile, result?: FormResult): Promise<OrderDraft | null> {
  const { deps, policy, conversation } = file
  const { conversationId } = conversation
  const loan = currentLoan(policy, conversation)
  const pledges = await pledgesOf(tx, deps.seal, conversationId)
  if (!loan || !pledges) return null
  const submissions = await submissionsOf(tx, conversationId)
  const completed = submissions.flatMap(({ outcome, heading }) =>
    outcome === 'SUCCESS' && isOneOf(headings, heading) ? [heading] : [],
  )
  const terms = lamfTerms(file, loan)
  const { id: parentId, recommended: _, ...item } = lamfItem(policy)
  return {
    lender: lenderOf(deps, policy),
    item: { ...item, parentId, id: offerId(policy) },
    terms,
    schemes: schemesOf(policy, conversation, pledges.chosen ?? pledges.offered),
    checklist: checklistAt(item, [...appliedSteps(item), ...completed]),
    ...withStops(deps, policy, conversation),
    utilization: conversation.drawn ?? 0n,
    ...(result && { result }),
    ...(await initiatedParts(tx, file, terms)),
    ...(conversation.agreedOn !== null &&
      (conversation.disbursedAt || !hasStops(conversation)) &&
      !isLine(policy) && { installments: installmentsOf(loan, conversation.agreedOn) }),
    ...placedParts(deps, policy, conversation),
  }
}

function withStops(deps: AddressDeps, policy: LenderPolicy, conversation: Conversation): Pick<OrderDraft, 'stops'> {
  const stops = stopsParts(policy, conversation, contractTerms(deps, policy))
  return stops ? { stops } : {}
}

/** The order so far. Throws before there is an offer. */
export const requireLamfDraft = async (tx: Tx, file: LoanFile, result?: FormResult): Promise<OrderDraft> =>
  required(await lamfDraft(tx, file, result), 'offer in this conversation')

/** The parts that follow once the account is known, or with stops once the borrower is on the page; empty before. */
async function initiatedParts(
  tx: Tx,
  { deps, policy, conversation }: LoanFile,
  { netDisbursed, principal }: Terms,
): Promise<Partial<OrderDraft>> {
  const { conversationId, disbursedAt } = conversation
  const account = await accountOf(tx, deps.seal, conversationId)
  const applicant = await applicantOf(tx, deps.seal, conversationId)
  const isOnPage = hasStops(conversation) && !isUntouched(conversation)
  if (!applicant || !(account || isOnPage)) return {}
  return {
    customer: { name: applicant.name, phone: `+91-${applicant.mobile}`, email: applicant.email },
    state: stateOf(conversation),
    // With stops, the order has a payment only once money has left.
    ...(account &&
      (disbursedAt || !hasStops(conversation)) && {
        disbursal: {
          paymentId: disbursalId(conversation),
          account: settlementAccountOf(account),
          paid: disbursedAt && {
            amount: isLine(policy) ? firstDraw(principal) : netDisbursed,
            transactionId: bankReference(deps, conversationId),
          },
        },
      }),
    cancellationTerms: cancellationOf(deps, policy),
    contractTerms: contractTerms(deps, policy),
  }
}

/** A rejection has no state; the result of the rejected page reports it (FIS12 §12.3). */
const stateOf = ({ sanctionedAt, disbursedAt }: Conversation): FulfillmentState =>
  disbursedAt ? 'DISBURSED' : sanctionedAt ? 'SANCTIONED' : 'INITIATED'

/** The parts that follow once the order is placed; empty before. */
function placedParts(deps: AddressDeps, policy: LenderPolicy, conversation: Conversation): Partial<OrderDraft> {
  const { orderId, sanctionedAt, disbursedAt, drawnAt, conversationId } = conversation
  if (orderId === null || sanctionedAt === null) return {}
  return {
    orderId,
    orderStatus: 'ACTIVE',
    documents: documentsOf(deps, policy, conversationId),
    createdAt: sanctionedAt,
    updatedAt: drawnAt ?? disbursedAt ?? sanctionedAt,
  }
}
