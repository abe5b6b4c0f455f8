// Answers search in 2.3.0: a broadcast with the catalogue, and a borrower's form with an offer (FIS12 §10.2 rows 1–3).

import { ownValue } from '@lendloom/foundation/record'
import { businessDate } from '@lendloom/lending/calendar'
import type { Tx } from '@lendloom/postgres/sql'
import { drawingPower, eligible, type Holding, type UnitShare } from '@lendloom/wire/hosted/portfolio'
import type { ContractTerms } from '@lendloom/wire/network/contract-terms'
import type { Answers } from '@lendloom/wire/network/v230/form-data'
import { type NewItem, onSearch, onSearchConsent, onSearchOffers } from '@lendloom/wire/network/v230/on-search'
import { readSearch } from '@lendloom/wire/network/v230/search'
import { scenarioFor } from '@lendloom/wire/sandbox/fault-scenarios'
import { type Conversation, nextStatus, requireNextStatus } from '#sandbox/lender/core/conversation.ts'
import type { LenderPolicy } from '#sandbox/lender/core/lender-policies.ts'
import {
  type Denial,
  denialFor,
  denialOf,
  eligibility,
  type LoanApplicant,
  type LoanRequest,
  validityOf,
} from '#sandbox/lender/core/lending-decision.ts'
import { requireLoan } from '#sandbox/lender/core/message-parts.ts'
import { failedReply, type ProductRequest, type Reply } from '#sandbox/lender/core/product.ts'
import {
  type ConversationChange,
  requireApplicant,
  saveApplicant,
  writeConversation,
} from '#sandbox/lender/core/store.ts'
import { loanToValueAt } from './lenders.ts'
import {
  consentFormId,
  lamfItem,
  lamfTerms,
  offerId,
  profileFormId,
  providerId,
  providerOf,
  schemesOf,
} from './message-parts.ts'
import { unitsFor } from './pledged-units.ts'
import { lamfApplicant } from './profile-form.ts'
import { hasStops, loanToValueText, progressOf } from './stops.ts'
import { storeOffered } from './store.ts'

export async function answerLamfSearch(tx: Tx, buyerRequest: ProductRequest): Promise<Reply> {
  const { ctx, policy, conversation, message } = buyerRequest
  const request = readSearch(message)
  const item = lamfItem(policy)
  if (request.kind === 'broadcast') {
    const items = [{ ...listed(buyerRequest), formId: profileFormId }]
    return { conversation, content: { message: onSearch({ ...providerOf(ctx, policy, conversation), items }) } }
  }
  if (request.providerId !== providerId(policy)) return failedReply(buyerRequest, '30001', 'there is no such provider')
  if (request.itemId !== item.id) return failedReply(buyerRequest, '30004', 'there is no such item')
  if (request.formId !== (request.kind === 'profile' ? profileFormId : consentFormId))
    return failedReply(buyerRequest, '30000', 'there is no such form')
  if (nextStatus(policy.product, conversation, 'offer') === undefined)
    return failedReply(buyerRequest, '40001', 'a search is not possible now')
  if (request.kind === 'profile')
    return answerForm(tx, await withTerms(tx, buyerRequest, request.terms), request.answers)
  if (conversation.consentHandle === null) return failedReply(buyerRequest, '40001', 'no consent was requested')
  const applicant = await requireApplicant(tx, ctx.seal, conversation.conversationId)
  return answerHoldings(tx, buyerRequest, applicant)
}

/** The item as a catalogue lists it, with the stops of a lender that has them. */
const listed = ({ policy, conversation }: Pick<ProductRequest, 'policy' | 'conversation'>): NewItem => ({
  ...lamfItem(policy),
  ...(hasStops(conversation) && {
    progress: progressOf(policy, conversation),
    ...oneFulfillment(policy, conversation),
  }),
})

const oneFulfillment = (policy: LenderPolicy, conversation: Conversation): Pick<NewItem, 'fulfillmentId'> => ({
  fulfillmentId: progressOf(policy, conversation).id,
})

/** With stops, no later request has the buyer app's terms, which the order repeats. */
async function withTerms(
  tx: Tx,
  buyerRequest: ProductRequest,
  buyerTerms: ContractTerms | null,
): Promise<ProductRequest> {
  const { conversation, at } = buyerRequest
  if (!hasStops(conversation)) return buyerRequest
  return {
    ...buyerRequest,
    conversation: await writeConversation(tx, conversation, { status: conversation.status, buyerTerms }, at),
  }
}

async function answerForm(tx: Tx, buyerRequest: ProductRequest, answers: Answers): Promise<Reply> {
  const { ctx, conversation, portfolio } = buyerRequest
  const form = lamfApplicant(answers)
  if ('denial' in form) return failedReply(buyerRequest, form.denial.code, form.denial.message)
  const { applicant } = form
  if (portfolio && 'pan' in portfolio && portfolio.pan !== null && portfolio.pan !== applicant.pan)
    return failedReply(buyerRequest, '80218', 'the statement is made out to another PAN')
  await saveApplicant(tx, ctx.seal, conversation.conversationId, applicant)
  const { rtaName } = answers
  return answerHoldings(tx, buyerRequest, applicant, typeof rtaName === 'string' ? rtaName : '')
}

/**
 * Decides on the holdings. Answers an invalid statement with an error, and a missing consent with a consent request.
 * Refuses an applicant without holdings.
 */
async function answerHoldings(
  tx: Tx,
  buyerRequest: ProductRequest,
  applicant: LoanApplicant,
  rtaName = '',
): Promise<Reply> {
  const { policy, portfolio } = buyerRequest
  const scenario = scenarioFor(applicant.pan, policy.slug)
  if (portfolio && 'handle' in portfolio) return answerConsent(tx, buyerRequest, portfolio.handle)
  if (portfolio && 'denial' in portfolio) {
    const { denial, isFinal } = portfolio
    return isFinal ? answerRefusal(tx, buyerRequest, denial) : failedReply(buyerRequest, denial.code, denial.message)
  }
  const registrarName = rtaName.trim().slice(0, 4).toUpperCase()
  const holdings = (portfolio?.holdings ?? [])
    .filter(({ registrar }) => registrarName === '' || registrar === registrarName)
    .map((each): Holding => (scenario === 'no-units' ? { ...each, lienUnits: each.units } : each))
  return answerOffer(tx, buyerRequest, applicant, holdings)
}

async function answerRefusal(
  tx: Tx,
  buyerRequest: ProductRequest,
  error: { code: string; message: string },
): Promise<Reply> {
  return {
    conversation: await update(tx, buyerRequest, {
      status: requireNextStatus(buyerRequest.policy.product, buyerRequest.conversation, 'refuse'),
    }),
    content: { error },
  }
}

const update = (tx: Tx, { conversation, at }: ProductRequest, change: ConversationChange) =>
  writeConversation(tx, conversation, change, at)

async function answerConsent(tx: Tx, buyerRequest: ProductRequest, consentHandle: string): Promise<Reply> {
  const { ctx, policy } = buyerRequest
  const applicant = await requireApplicant(tx, ctx.seal, buyerRequest.conversation.conversationId)
  const scenario = scenarioFor(applicant.pan, policy.slug)
  const change = {
    status: requireNextStatus(buyerRequest.policy.product, buyerRequest.conversation, 'ask'),
    consentHandle,
    scenario,
  }
  const conversation = await update(tx, buyerRequest, change)
  const shop = providerOf(ctx, policy, conversation)
  const consentRequest = { item: lamfItem(policy), formId: consentFormId, consentHandle }
  return { conversation, content: { message: onSearchConsent({ ...shop, ...consentRequest }) } }
}

async function answerOffer(
  tx: Tx,
  buyerRequest: ProductRequest,
  applicant: LoanApplicant,
  holdings: Holding[],
): Promise<Reply> {
  const { ctx, policy, at } = buyerRequest
  const scenario = scenarioFor(applicant.pan, policy.slug)
  const denial = denialFor(scenario)
  const appraisal = denial ? { refusal: denial } : appraise(policy, applicant, holdings, businessDate(at))
  if ('refusal' in appraisal) return answerRefusal(tx, buyerRequest, appraisal.refusal)
  const { principal, months, annualBps } = appraisal.offer
  const facts = { offeredPrincipal: principal, offeredMonths: months, annualBps, ...validityOf(policy, scenario, at) }
  const conversation = await update(tx, buyerRequest, {
    ...facts,
    scenario,
    status: requireNextStatus(buyerRequest.policy.product, buyerRequest.conversation, 'offer'),
  })
  await storeOffered(tx, ctx.seal, conversation.conversationId, appraisal.offered)
  const file = { deps: ctx, policy, conversation }
  const terms = lamfTerms(file, requireLoan(file))
  const schemes = schemesOf(policy, conversation, appraisal.offered)
  const loanToValue = hasStops(conversation) ? loanToValueText(policy) : null
  const offers = [{ id: offerId(policy), terms, schemes, loanToValue }]
  const shop = providerOf(ctx, policy, conversation)
  const item = listed({ policy, conversation })
  return { conversation, content: { message: onSearchOffers({ ...shop, item, offers }) } }
}

type Appraisal = { offer: LoanRequest; offered: UnitShare[] } | { refusal: Denial }

/**
 * Offers the drawing power of all eligible units over the longest tenure for the age, or refuses. If the drawing power
 * exceeds the lender's maximum, fewer units are offered. `today` is the date in India.
 */
function appraise(
  policy: LenderPolicy,
  applicant: LoanApplicant,
  holdings: readonly Holding[],
  today: string,
): Appraisal {
  const { amounts, rates } = policy
  const loanToValueOf = loanToValueAt(policy)
  const eligibilityResult = eligibility(policy, applicant, today)
  if ('refusal' in eligibilityResult) return { refusal: denialIn230(eligibilityResult.refusal) }
  const available = eligible(holdings, today)
  const power = drawingPower(available, loanToValueOf)
  if (power < amounts.from) return denialOf('80227', 'the eligible units are not worth enough for the smallest loan')
  const principal = power < amounts.to ? power : amounts.to
  const offered = principal === power ? available : unitsFor(principal, available, loanToValueOf)
  if (offered === null) throw new Error('no units found for an amount below their drawing power')
  return { offer: { principal, months: eligibilityResult.months, annualBps: rates[0].annualBps }, offered }
}

/** Two codes of 2.0.3 are redefined in 2.3.0: a policy rejection is 80203, a missing consent 80230 (FIS12 §3.4). */
const codes: Record<string, string> = { 80228: '80203', 80229: '80230' }
const denialIn230 = ({ code, message }: Denial): Denial => ({ code: ownValue(codes, code) ?? code, message })
