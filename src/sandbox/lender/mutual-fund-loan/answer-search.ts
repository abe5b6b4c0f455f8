// Answers search in 2.3.0: to everybody with the catalogue, to a borrower's form with what the units carry (FIS12 §10.2 rows 1–3).
import { drawingPower, eligible, type Holding, type UnitShare } from '#contract/hosted/portfolio.ts'
import type { Answers } from '#contract/network/v230/form-data.ts'
import { onSearch, onSearchConsent, onSearchOffers } from '#contract/network/v230/on-search.ts'
import { readSearch } from '#contract/network/v230/search.ts'
import { scenarioFor } from '#contract/sandbox/fault-scenarios.ts'
import type { Tx } from '#kit/db/sql.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { ownValue } from '#kit/runtime/record.ts'
import { nextStatus, requireNextStatus } from '#sandbox/lender/core/conversation.ts'
import {
  type Denial,
  denialFor,
  denialOf,
  eligibility,
  type LoanApplicant,
  type LoanRequest,
  validityOf,
} from '#sandbox/lender/core/decide.ts'
import { requireLoan } from '#sandbox/lender/core/order.ts'
import type { LenderPolicy } from '#sandbox/lender/core/policy.ts'
import { failedReply, type ProductRequest, type Reply } from '#sandbox/lender/core/product.ts'
import {
  type ConversationChange,
  requireApplicant,
  storeApplicant,
  writeConversation,
} from '#sandbox/lender/core/store.ts'
import { loanToValueAt } from './lending.ts'
import { consentFormId, lamfItem, lamfTerms, offerId, profileFormId, providerId, schemesOf, shopOf } from './order.ts'
import { unitsFor } from './portfolio.ts'
import { lamfApplicant } from './profile.ts'
import { keepOffered } from './store.ts'

export async function answerLamfSearch(tx: Tx, buyerRequest: ProductRequest): Promise<Reply> {
  const { ctx, policy, conversation, message } = buyerRequest
  const request = readSearch(message)
  const item = lamfItem(policy)
  if (request.kind === 'broadcast') {
    const items = [{ ...item, formId: profileFormId }]
    return { conversation, content: { message: onSearch({ ...shopOf(ctx, policy, conversation), items }) } }
  }
  if (request.providerId !== providerId(policy)) return failedReply(buyerRequest, '30001', 'there is no such provider')
  if (request.itemId !== item.id) return failedReply(buyerRequest, '30004', 'there is no such item')
  if (request.formId !== (request.kind === 'profile' ? profileFormId : consentFormId))
    return failedReply(buyerRequest, '30000', 'there is no such form')
  if (nextStatus(policy.product, conversation, 'offer') === undefined)
    return failedReply(buyerRequest, '40001', 'a search is not possible now')
  if (request.kind === 'profile') return answerForm(tx, buyerRequest, request.answers)
  if (conversation.consentHandle === null) return failedReply(buyerRequest, '40001', 'no consent was asked for')
  const applicant = await requireApplicant(tx, ctx.seal, conversation.conversationId)
  return answerHoldings(tx, buyerRequest, applicant)
}

async function answerForm(tx: Tx, buyerRequest: ProductRequest, answers: Answers): Promise<Reply> {
  const { ctx, conversation, portfolio } = buyerRequest
  const form = lamfApplicant(answers)
  if ('denial' in form) return failedReply(buyerRequest, form.denial.code, form.denial.message)
  const { applicant } = form
  if (portfolio && 'pan' in portfolio && portfolio.pan !== null && portfolio.pan !== applicant.pan)
    return failedReply(buyerRequest, '80218', 'the statement is made out to another PAN')
  await storeApplicant(tx, ctx.seal, conversation.conversationId, applicant)
  const { rtaName } = answers
  return answerHoldings(tx, buyerRequest, applicant, typeof rtaName === 'string' ? rtaName : '')
}

/**
 * Decides by the holdings. Nothing is decided while the statement is wrong or the consent is missing. Without a request
 * the applicant is rejected in any case.
 */
async function answerHoldings(
  tx: Tx,
  buyerRequest: ProductRequest,
  applicant: LoanApplicant,
  rtaName = '',
): Promise<Reply> {
  const { policy, portfolio } = buyerRequest
  const scenario = scenarioFor(applicant.pan, policy.slug)
  if (portfolio && 'handle' in portfolio) return consenting(tx, buyerRequest, portfolio.handle)
  if (portfolio && 'denial' in portfolio) {
    const { denial, ends } = portfolio
    return ends ? refusing(tx, buyerRequest, denial) : failedReply(buyerRequest, denial.code, denial.message)
  }
  const named = rtaName.trim().slice(0, 4).toUpperCase()
  const holdings = (portfolio?.holdings ?? [])
    .filter(({ registrar }) => named === '' || registrar === named)
    .map((each): Holding => (scenario === 'no-units' ? { ...each, lienUnits: each.units } : each))
  return offering(tx, buyerRequest, applicant, holdings)
}

async function refusing(
  tx: Tx,
  buyerRequest: ProductRequest,
  error: { code: string; message: string },
): Promise<Reply> {
  return {
    conversation: await changed(tx, buyerRequest, {
      status: requireNextStatus(buyerRequest.policy.product, buyerRequest.conversation, 'refuse'),
    }),
    content: { error },
  }
}

const changed = (tx: Tx, { conversation, at }: ProductRequest, change: ConversationChange) =>
  writeConversation(tx, conversation, change, at)

async function consenting(tx: Tx, buyerRequest: ProductRequest, consentHandle: string): Promise<Reply> {
  const { ctx, policy } = buyerRequest
  const applicant = await requireApplicant(tx, ctx.seal, buyerRequest.conversation.conversationId)
  const scenario = scenarioFor(applicant.pan, policy.slug)
  const change = {
    status: requireNextStatus(buyerRequest.policy.product, buyerRequest.conversation, 'ask'),
    consentHandle,
    scenario,
  }
  const conversation = await changed(tx, buyerRequest, change)
  const shop = shopOf(ctx, policy, conversation)
  const requested = { item: lamfItem(policy), formId: consentFormId, consentHandle }
  return { conversation, content: { message: onSearchConsent({ ...shop, ...requested }) } }
}

async function offering(
  tx: Tx,
  buyerRequest: ProductRequest,
  applicant: LoanApplicant,
  holdings: Holding[],
): Promise<Reply> {
  const { ctx, policy, at } = buyerRequest
  const scenario = scenarioFor(applicant.pan, policy.slug)
  const denial = denialFor(scenario)
  const appraisal = denial ? { refusal: denial } : appraise(policy, applicant, holdings, businessDate(at))
  if ('refusal' in appraisal) return refusing(tx, buyerRequest, appraisal.refusal)
  const { principal, months, annualBps } = appraisal.offer
  const facts = { offeredPrincipal: principal, offeredMonths: months, annualBps, ...validityOf(policy, scenario, at) }
  const conversation = await changed(tx, buyerRequest, {
    ...facts,
    scenario,
    status: requireNextStatus(buyerRequest.policy.product, buyerRequest.conversation, 'offer'),
  })
  await keepOffered(tx, ctx.seal, conversation.conversationId, appraisal.offered)
  const file = { deps: ctx, policy, conversation }
  const terms = lamfTerms(file, requireLoan(file))
  const offers = [{ id: offerId(policy), terms, schemes: schemesOf(policy, appraisal.offered) }]
  const shop = shopOf(ctx, policy, conversation)
  return { conversation, content: { message: onSearchOffers({ ...shop, item: lamfItem(policy), offers }) } }
}

type Appraisal = { offer: LoanRequest; offered: UnitShare[] } | { refusal: Denial }

/**
 * A lender's honest decision on a portfolio: an offer that its units carry, or the reason why there is none. Decides on
 * the day `on` (in India). The offer is the drawing power of all that is free, over the longest tenure that age allows;
 * where that is more than the lender's most, fewer units are asked for.
 */
function appraise(policy: LenderPolicy, applicant: LoanApplicant, holdings: readonly Holding[], on: string): Appraisal {
  const { amounts, rates } = policy
  const loanToValueOf = loanToValueAt(policy)
  const entry = eligibility(policy, applicant, on)
  if ('refusal' in entry) return { refusal: in230(entry.refusal) }
  const available = eligible(holdings, on)
  const power = drawingPower(available, loanToValueOf)
  if (power < amounts.from) return denialOf('80227', 'the units that are free do not carry the smallest loan')
  const principal = power < amounts.to ? power : amounts.to
  const offered = principal === power ? available : unitsFor(principal, available, loanToValueOf)
  if (offered === null) throw new Error('the units that carry more do not carry less')
  return { offer: { principal, months: entry.months, annualBps: rates[0].annualBps }, offered }
}

/** Two codes of 2.0.3 are redefined in 2.3.0: a policy rejection is 80203, a missing consent 80230 (FIS12 §3.4). */
const codes: Record<string, string> = { 80228: '80203', 80229: '80230' }
const in230 = ({ code, message }: Denial): Denial => ({ code: ownValue(codes, code) ?? code, message })
