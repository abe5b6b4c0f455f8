// The pages behind a step's link: the final terms where they still have to be accepted, and a word where there is nothing to do.

import { consentText, currentConsentVersion } from '#contract/hosted/consent-text.ts'
import { type Html, html } from '#kit/http/markup.ts'
import { plainPage } from '#kit/http/plain-page.ts'
import type { Kind } from '#kit/http/refusal.ts'
import type { Answer } from '#kit/http/server.ts'
import { rupees } from '#kit/money/money.ts'
import { required } from '#kit/runtime/required.ts'
import { type Terms, termsFrom } from '#platform/journey/terms.ts'
import { penalCharges } from '#platform/offer/disclosure.ts'
import type { ListedOffer } from './offer-card.ts'

/**
 * The final terms with their Key Facts Statement and one button, for a borrower who agreed to other terms, or to none.
 * `terms` in the form names the quote that was shown: no other one is accepted by it.
 */
export function termsPage(offer: ListedOffer): Answer {
  const terms = termsFrom(required(offer.terms, 'the terms of an offer that is final'))
  const rows: [string, string][] = [
    ['Loan amount', `₹ ${rupees(terms.principal)}`],
    ['Paid to your account', `₹ ${rupees(terms.netDisbursed)}`],
    ['Each instalment', `₹ ${rupees(terms.installmentAmount)}, ${terms.installmentsCount} times`],
    ['Term', terms.term],
    ['Interest', `${terms.interestRate} a year, ₹ ${rupees(terms.interest)} in all`],
    ['Annual percentage rate', terms.apr],
    ...(terms.ltvRatio === null ? [] : [row('Loan to value', `${terms.ltvRatio} of the gold`)]),
    ['Fees and charges', `₹ ${rupees(feesOf(terms))}`],
    ...penalCharges(terms).map(({ kind, text }): [string, string] => [
      penalNames[kind],
      /^\d+\.\d\d$/.test(text) ? `₹ ${text}` : text,
    ]),
    ...(terms.coolOffPeriod === null ? [] : [row('Cooling-off period', daysOf(terms.coolOffPeriod))]),
  ]
  return page(
    'Your final offer',
    html`<p>${offer.lender.name} has worked out its final terms. Please read them before you go on.</p>
<dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<p>${terms.kfsLink !== null && html`<a href="${terms.kfsLink}" target="_blank" rel="noopener">Key Facts Statement</a>`}
${terms.tncLink !== null && html`<a href="${terms.tncLink}" target="_blank" rel="noopener">Terms and conditions</a>`}</p>
<form method="post"><input type="hidden" name="textVersion" value="${currentConsentVersion}"><input type="hidden" name="terms" value="${terms.quoteId}">
<p>${consentText(currentConsentVersion, 'key_facts', 'en')}</p>
<button type="submit">Accept and continue</button></form>`,
  )
}

const row = (name: string, value: string): [name: string, value: string] => [name, value]

const feesOf = (terms: Terms): bigint => terms.processingFee + terms.otherUpfront + terms.insurance + terms.otherCharges

const penalNames = {
  DELAY: 'When a payment is late',
  OTHER: 'Other penal charges',
  FORECLOSURE: 'When the loan is closed early',
  RATE_CONVERSION: 'When the kind of interest is changed',
}

const daysOf = (duration: string): string => /^P(\d+)D$/.exec(duration)?.[1]?.concat(' days') ?? duration

/** What a borrower is told in place of our reason, which is meant for programs. */
const words: Partial<Record<Kind | 'bug', string>> = {
  absent: 'This link has expired or is not complete.',
  invalid: 'This link is not complete.',
  'wrong-state': 'There is nothing to do here at the moment.',
}

/** The page in place of a refusal; `status` is the one that a program would be told. */
export const nothingPage = (kind: Kind | 'bug', status: number): Answer =>
  page(
    'Nothing to do here',
    html`<p>${words[kind] ?? 'Something went wrong on our side.'} Please go back to your app and continue from there.</p>`,
    status,
  )

const style = `body{font:1rem/1.5 system-ui,sans-serif;margin:0;color:#1b1f24;background:#fff}main{max-width:34rem;margin:auto;padding:1.5rem}
dl div{display:flex;justify-content:space-between;gap:1rem;padding:.5rem 0;border-bottom:1px solid #d7dbe0}dt{color:#4a525c}dd{margin:0;text-align:right}
a{color:#0b57a4;margin-right:1rem}button{font:inherit;font-weight:600;width:100%;padding:.8rem;border:0;border-radius:.5rem;color:#fff;background:#0b57a4}
button:focus-visible,a:focus-visible{outline:3px solid #f2a33a;outline-offset:2px}`

/** The form is answered with a redirect to the lender. */
const page = (title: string, body: Html, status = 200): Answer =>
  plainPage({ title, style, body, status, formAction: 'anywhere' })
