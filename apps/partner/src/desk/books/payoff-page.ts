// The amount that closes a loan on a chosen day, as a page of the desk and as a PDF for the borrower.

import { pdfOf } from '@lendloom/documents/pdf'
import { Refusal } from '@lendloom/foundation/refusal'
import { fits, Type } from '@lendloom/foundation/schema'
import { html } from '@lendloom/http/markup'
import { businessDate, longDayText, plusDays } from '@lendloom/lending/calendar'
import { inr as plainInr } from '@lendloom/lending/money'
import { BusinessDate } from '@lendloom/wire/exchange/fields'
import type { Context } from '#partner/context.ts'
import { caseAddress, placeQuery } from '#partner/desk/arrears/worklist.ts'
import { readCaseView } from '#partner/desk/cases/case-view.ts'
import { nameOfBorrower } from '#partner/desk/cases/open-lead.ts'
import { AuditedAnswer, deskRoute } from '#partner/desk/desk-route.ts'
import { deskPage } from '#partner/desk/frame.ts'
import { type FactLine, factList } from '#partner/desk/parts/facts.ts'
import { fileAnswer, pdfType } from '#partner/desk/parts/file-answer.ts'
import { dayInput } from '#partner/desk/parts/form-parts.ts'
import { exactInr } from '#partner/desk/parts/format.ts'
import { may } from '#partner/desk/staff/desk-auth.ts'
import type { Staff } from '#partner/people/person.ts'
import { isHeldPayment } from '#partner/servicing/collection/held-payment.ts'
import { type PayoffQuote, payoffOf } from '#partner/servicing/loan/account-view.ts'
import { payoffTexts as texts } from './payoff-text-en.ts'

/** Days ahead for which a quote is available. Payments that arrive meanwhile would make a later quote unreliable. */
const maxDaysAhead = 30

const params = Type.Object({ caseRef: Type.String({ maxLength: 200 }) })
const query = Type.Object({ on: Type.Optional(Type.String({ maxLength: 10 })), list: placeQuery })
const common = {
  method: 'GET',
  section: 'D3 §1',
  auth: may('FORECLOSURE_QUOTED'),
  params,
  query,
  hidden: true,
  viewAct: 'CASE_VIEWED',
} as const

interface QuoteRequest {
  caseRef: string
  on: string | undefined
  at: Date
}

/** Refused: `absent` for an unknown case or without an open loan · `invalid` for a day in the past or too far ahead. */
async function quoteFor(ctx: Context, who: Staff, { caseRef, on, at }: QuoteRequest) {
  const today = businessDate(at)
  const day = on || today
  if (!fits(BusinessDate, day) || day < today || day > plusDays(today, maxDaysAhead))
    throw new Refusal('invalid', `on must be a day from today, ${today}, to ${plusDays(today, maxDaysAhead)}`, {
      field: 'on',
    })
  const [view, payoff] = await Promise.all([
    readCaseView(ctx, who, caseRef, { at }),
    payoffOf(ctx.db, caseRef, day, at),
  ])
  if (!payoff) throw new Refusal('absent', 'there is no loan to close')
  return { view, payoff, today }
}

const titleOf = ({ feePaise }: PayoffQuote): string => (feePaise > 0n ? texts.exitTitle : texts.title)

const amountLines = ({ principal, interest, penalty, charges, feePaise }: PayoffQuote) =>
  [
    [texts.principal, principal],
    [texts.interest, interest],
    [texts.penalty, penalty],
    [texts.charges, charges],
    ...(feePaise > 0n ? [[texts.fee, -feePaise] as const] : []),
  ] as const

const show = deskRoute({
  ...common,
  path: '/desk/cases/{caseRef}/payoff',
  summary: 'Foreclosure quote for a day',
  async handle({ who, params: { caseRef }, query: { on, list }, at }, ctx) {
    const { view, payoff, today } = await quoteFor(ctx, who, { caseRef, on, at })
    const lastDay = plusDays(today, maxDaysAhead)
    const path = `/desk/cases/${encodeURIComponent(caseRef)}/payoff`
    const held = view.payments.filter(isHeldPayment).reduce((sum, { amountPaise }) => sum + amountPaise, 0n)
    const body = html`<p class="lead"><span>Loan ${view.loanCase.loanId}</span></p>
<div class="columns"><section class="card"><form class="search" method="get" action="${path}">${list && html`<input type="hidden" name="list" value="${list}">`}<label><span>${texts.day}</span>${dayInput('on', payoff.on, { min: today, max: lastDay })}</label><button class="secondary">Get a quote</button></form>
${factList([
  ...amountLines(payoff).map(([label, paise]): FactLine => [label, exactInr(paise)]),
  [texts.foreclosure, texts.noCharge],
  [texts.total, html`<strong>${exactInr(payoff.total)}</strong>`],
  [texts.account, ctx.config.PARTNER_REPAYMENT_ACCOUNT],
])}
${held > 0n && html`<p class="warn">${exactInr(held)} arrived and waits for a decision. This amount does not deduct it.</p>`}
<p><a class="primary" href="${path}.pdf?on=${payoff.on}">Download as PDF</a></p></section>
<section class="card"><h2>${texts.onPaper}</h2>${texts.conditions.map((each) => html`<p class="quiet">${each}</p>`)}</section></div>`
    const back = html`<a href="${caseAddress(caseRef, list)}">${nameOfBorrower(view.lead)}</a>`
    return deskPage(ctx, who, { title: titleOf(payoff), area: '/desk/cases', back, body })
  },
})

const download = deskRoute({
  ...common,
  path: '/desk/cases/{caseRef}/payoff.pdf',
  summary: 'Foreclosure quote for a day, as a PDF',
  viewAct: 'FORECLOSURE_QUOTED',
  async handle({ who, params: { caseRef }, query: { on }, at }, ctx) {
    const { view, payoff, today } = await quoteFor(ctx, who, { caseRef, on, at })
    const pdf = await pdfOf({
      title: titleOf(payoff),
      author: ctx.config.PARTNER_LENDER_NAME,
      createdAt: at,
      blocks: [
        {
          kind: 'table',
          head: [],
          widths: [2, 1],
          right: [1],
          rows: [
            [texts.loan, view.loanCase.loanId],
            [texts.borrower, nameOfBorrower(view.lead)],
            [texts.issuedOn, longDayText(today)],
            [texts.paymentDay, longDayText(payoff.on)],
            ...amountLines(payoff).map(([label, paise]) => [label, plainInr(paise)]),
            [texts.foreclosure, texts.noCharge],
            [texts.total, plainInr(payoff.total)],
            [texts.account, ctx.config.PARTNER_REPAYMENT_ACCOUNT],
          ],
        },
        ...texts.conditions.map((text) => ({ kind: 'text' as const, text })),
      ],
    })
    const file = fileAnswer(`foreclosure-quote-${payoff.on}.pdf`, pdfType, pdf)
    return new AuditedAnswer(file, { act: 'FORECLOSURE_QUOTED', about: { caseRef, subject: payoff.on } })
  },
})

export const payoffRoutes = [show, download]
