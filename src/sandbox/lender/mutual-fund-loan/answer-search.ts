// Answers search in 2.3.0: to everybody with the catalogue, to a borrower's form with what the units carry (FIS12 §10.2 rows 1–3).
import type { Holding } from '#contract/hosted/portfolio.ts'
import type { Answers } from '#contract/network/v230/form-data.ts'
import { onSearch, onSearchConsent, onSearchOffers } from '#contract/network/v230/on-search.ts'
import { readSearch } from '#contract/network/v230/search.ts'
import { scenarioFor } from '#contract/sandbox/fault-scenarios.ts'
import type { Tx } from '#kit/db/sql.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { moved, whereTo } from '#sandbox/lender/core/conversation.ts'
import { type Applicant, denialBy, validityOf } from '#sandbox/lender/core/decide.ts'
import { requireLoan } from '#sandbox/lender/core/order.ts'
import type { BuyerRequest, Reply } from '#sandbox/lender/core/product.ts'
import { type Change, keepApplicant, requireApplicant, writeConversation } from '#sandbox/lender/core/store.ts'
import { appraise } from './appraise.ts'
import { consentFormId, lamfItem, lamfTerms, offerId, profileFormId, providerId, schemesOf, shopOf } from './order.ts'
import { lamfApplicant } from './profile.ts'
import { keepOffered } from './store.ts'

export async function answerLamfSearch(tx: Tx, asked: BuyerRequest): Promise<Reply> {
  const { ctx, policy, conversation, message } = asked
  const request = readSearch(message)
  const item = lamfItem(policy)
  if (request.kind === 'broadcast') {
    const items = [{ ...item, formId: profileFormId }]
    return { conversation, content: { message: onSearch({ ...shopOf(ctx, policy, conversation), items }) } }
  }
  if (request.providerId !== providerId(policy)) return failed(asked, '30001', 'there is no such provider')
  if (request.itemId !== item.id) return failed(asked, '30004', 'there is no such item')
  if (request.formId !== (request.kind === 'profile' ? profileFormId : consentFormId))
    return failed(asked, '30000', 'there is no such form')
  if (whereTo(policy.product, conversation, 'offer') === undefined)
    return failed(asked, '40001', 'a search is not possible now')
  if (request.kind === 'profile') return answerForm(tx, asked, request.answers)
  if (conversation.consentHandle === null) return failed(asked, '40001', 'no consent was asked for')
  const applicant = await requireApplicant(tx, ctx.seal, conversation.conversationId)
  return answerHoldings(tx, asked, applicant)
}

const failed = ({ conversation }: BuyerRequest, code: string, message: string): Reply => ({
  conversation,
  content: { error: { code, message } },
})

async function answerForm(tx: Tx, asked: BuyerRequest, answers: Answers): Promise<Reply> {
  const { ctx, conversation, portfolio } = asked
  const form = lamfApplicant(answers)
  if ('denial' in form) return failed(asked, form.denial.code, form.denial.message)
  const { applicant } = form
  if (portfolio && 'pan' in portfolio && portfolio.pan !== null && portfolio.pan !== applicant.pan)
    return failed(asked, '80218', 'the statement is made out to another PAN')
  await keepApplicant(tx, ctx.seal, conversation.conversationId, applicant)
  const { rtaName } = answers
  return answerHoldings(tx, asked, applicant, typeof rtaName === 'string' ? rtaName : '')
}

/**
 * Goes by what is known of the holdings. Nothing is decided as long as the statement is wrong or the consent is not given.
 * Where nothing was asked for, the applicant is turned away in any case.
 */
async function answerHoldings(tx: Tx, asked: BuyerRequest, applicant: Applicant, rtaName = ''): Promise<Reply> {
  const { policy, portfolio } = asked
  const scenario = scenarioFor(applicant.pan, policy.slug)
  if (portfolio && 'handle' in portfolio) return consenting(tx, asked, portfolio.handle)
  if (portfolio && 'denial' in portfolio) {
    const { denial, ends } = portfolio
    return ends ? refusing(tx, asked, denial) : failed(asked, denial.code, denial.message)
  }
  const named = rtaName.trim().slice(0, 4).toUpperCase()
  const holdings = (portfolio?.holdings ?? [])
    .filter(({ registrar }) => named === '' || registrar === named)
    .map((each): Holding => (scenario === 'no-units' ? { ...each, lienUnits: each.units } : each))
  return offering(tx, asked, applicant, holdings)
}

async function refusing(tx: Tx, asked: BuyerRequest, error: { code: string; message: string }): Promise<Reply> {
  return {
    conversation: await changed(tx, asked, { status: moved(asked.policy.product, asked.conversation, 'refuse') }),
    content: { error },
  }
}

const changed = (tx: Tx, { conversation, at }: BuyerRequest, change: Change) =>
  writeConversation(tx, conversation, change, at)

async function consenting(tx: Tx, asked: BuyerRequest, consentHandle: string): Promise<Reply> {
  const { ctx, policy } = asked
  const applicant = await requireApplicant(tx, ctx.seal, asked.conversation.conversationId)
  const scenario = scenarioFor(applicant.pan, policy.slug)
  const change = { status: moved(asked.policy.product, asked.conversation, 'ask'), consentHandle, scenario }
  const conversation = await changed(tx, asked, change)
  const shop = shopOf(ctx, policy, conversation)
  const requested = { item: lamfItem(policy), formId: consentFormId, consentHandle }
  return { conversation, content: { message: onSearchConsent({ ...shop, ...requested }) } }
}

async function offering(tx: Tx, asked: BuyerRequest, applicant: Applicant, holdings: Holding[]): Promise<Reply> {
  const { ctx, policy, at } = asked
  const scenario = scenarioFor(applicant.pan, policy.slug)
  const denial = denialBy(scenario)
  const appraisal = denial ? { refusal: denial } : appraise(policy, applicant, holdings, businessDate(at))
  if ('refusal' in appraisal) return refusing(tx, asked, appraisal.refusal)
  const { principal, months, annualBps } = appraisal.offer
  const facts = { offeredPrincipal: principal, offeredMonths: months, annualBps, ...validityOf(policy, scenario, at) }
  const conversation = await changed(tx, asked, {
    ...facts,
    scenario,
    status: moved(asked.policy.product, asked.conversation, 'offer'),
  })
  await keepOffered(tx, ctx.seal, conversation.conversationId, appraisal.offered)
  const file = { place: ctx, policy, conversation }
  const terms = lamfTerms(file, requireLoan(file))
  const offers = [{ id: offerId(policy), terms, schemes: schemesOf(policy, appraisal.offered) }]
  const shop = shopOf(ctx, policy, conversation)
  return { conversation, content: { message: onSearchOffers({ ...shop, item: lamfItem(policy), offers }) } }
}
