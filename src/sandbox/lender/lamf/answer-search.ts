// Answers search in 2.3.0: to everybody with the catalogue, to a borrower's form with what the units carry (FIS12 §10.2 rows 1–3).
import { onSearch, onSearchOffers } from '#contract/network/v230/on-search.ts'
import { readSearch, type SearchRequest } from '#contract/network/v230/search.ts'
import { businessDate } from '#kit/calendar.ts'
import type { Tx } from '#kit/sql.ts'
import { denialBy, validityOf } from '#sandbox/lender/act.ts'
import type { Asked, Reply } from '#sandbox/lender/answer.ts'
import { whereTo } from '#sandbox/lender/conversation.ts'
import type { Applicant, Denial } from '#sandbox/lender/decide.ts'
import { presentLoan } from '#sandbox/lender/order.ts'
import { twistFor } from '#sandbox/lender/rules.ts'
import { keepApplicant, writeConversation } from '#sandbox/lender/store.ts'
import { appraise } from './appraise.ts'
import { lamfLendingOf } from './lending.ts'
import type { PortfolioNews } from './news.ts'
import { lamfItem, lamfTerms, offerId, profileFormId, providerId, schemesOf, shopOf } from './order.ts'
import type { Holding } from './portfolio.ts'
import { lamfApplicant } from './profile.ts'
import { keepOffered } from './store.ts'

export async function answerLamfSearch(tx: Tx, asked: Asked): Promise<Reply> {
  const { world, policy, conversation, message } = asked
  const request = readSearch(message)
  const item = lamfItem(policy)
  if (request.kind === 'broadcast') {
    const items = [{ ...item, formId: profileFormId }]
    return { conversation, content: { message: onSearch({ ...shopOf(world, policy, conversation), items }) } }
  }
  const failed = (code: string, text: string): Reply => ({ conversation, content: { error: { code, message: text } } })
  if (request.providerId !== providerId(policy)) return failed('30001', 'there is no such provider')
  if (request.itemId !== item.id) return failed('30004', 'there is no such item')
  if (request.kind === 'consent' || request.formId !== profileFormId) return failed('30000', 'there is no such form')
  if (whereTo(conversation, 'offer') === undefined) return failed('40001', 'a new form is not possible now')
  const read = readForm(request, asked.portfolio)
  if ('denial' in read) return failed(read.denial.code, read.denial.message)
  return offering(tx, asked, read)
}

interface Form {
  applicant: Applicant
  holdings: Holding[]
}

/** What the borrower may still put right: neither the form nor the statement decides anything yet. */
function readForm(
  { answers }: Extract<SearchRequest, { kind: 'profile' }>,
  news: PortfolioNews | null,
): Form | { denial: Denial } {
  const form = lamfApplicant(answers)
  if ('denial' in form) return form
  if (news === null || 'denial' in news)
    return news ?? { denial: { code: '80217', message: 'the statement is missing' } }
  if (news.pan !== null && news.pan !== form.applicant.pan)
    return { denial: { code: '80218', message: 'the statement is made out to another PAN' } }
  const { rtaName } = answers
  const named = typeof rtaName === 'string' ? rtaName.trim().slice(0, 4).toUpperCase() : ''
  return { ...form, holdings: news.holdings.filter(({ registrar }) => named === '' || registrar === named) }
}

async function offering(tx: Tx, { world, policy, conversation: before, at }: Asked, form: Form): Promise<Reply> {
  const { conversationId } = before
  const { applicant } = form
  const twist = twistFor(applicant.pan, policy.slug)
  await keepApplicant(tx, world.seal, conversationId, applicant)
  const holdings =
    twist === 'no-units' ? form.holdings.map((each) => ({ ...each, lienUnits: each.units })) : form.holdings
  const denial = denialBy(twist)
  const appraisal = denial
    ? { refusal: denial }
    : appraise({ ...policy, ...lamfLendingOf(policy.slug)! }, applicant, holdings, businessDate(at))
  if ('refusal' in appraisal) {
    const change = { status: whereTo(before, 'refuse')!, twist }
    return { conversation: await writeConversation(tx, before, change, at), content: { error: appraisal.refusal } }
  }
  const { principal, months, annualBps } = appraisal.offer
  const facts = { offeredPrincipal: principal, offeredMonths: months, annualBps, ...validityOf(policy, twist, at) }
  await keepOffered(tx, world.seal, conversationId, appraisal.offered)
  const conversation = await writeConversation(tx, before, { ...facts, twist, status: whereTo(before, 'offer')! }, at)
  const terms = lamfTerms(world, policy, conversation, presentLoan(policy, conversation)!)
  const offers = [{ id: offerId(policy), terms, schemes: schemesOf(appraisal.offered) }]
  const shop = shopOf(world, policy, conversation)
  return { conversation, content: { message: onSearchOffers({ ...shop, item: lamfItem(policy), offers }) } }
}
