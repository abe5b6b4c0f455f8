// The pages behind a step's link: the final terms where they still have to be accepted, and a word where there is nothing to do.

import { consentText, currentConsentVersion } from '#contract/hosted/consent-text.ts'
import { type Html, html } from '#kit/http/markup.ts'
import { plainPage } from '#kit/http/plain-page.ts'
import type { Kind } from '#kit/http/refusal.ts'
import type { Answer } from '#kit/http/server.ts'
import { daysOfPeriod } from '#kit/money/calendar.ts'
import { checkedPaise, inr } from '#kit/money/money.ts'
import { required } from '#kit/runtime/required.ts'
import { type Terms, termsFrom } from '#platform/journey/terms.ts'
import { penalCharges } from '#platform/offer/disclosure.ts'
import type { Reader } from '#platform/page-text/page-text.ts'
import type { ListedOffer } from './offer-card.ts'

/**
 * The final terms with their Key Facts Statement and one button, for a borrower who agreed to other terms, or to none.
 * `terms` in the form names the quote that was shown: no other one is accepted by it.
 */
export function termsPage(offer: ListedOffer, reader: Reader): Answer {
  const terms = termsFrom(required(offer.terms, 'the terms of an offer that is final'))
  const { language, t } = reader
  const rows: [string, string][] = [
    [t('finalTerms.paidOut'), inr(terms.netDisbursed)],
    [
      t('finalTerms.instalment'),
      t('finalTerms.times', { amount: inr(terms.installmentAmount), count: terms.installmentsCount }),
    ],
    [t('finalTerms.total'), inr(terms.principal + terms.interest)],
    [t('finalTerms.amount'), inr(terms.principal)],
    [t('finalTerms.term'), terms.term],
    [t('finalTerms.interest'), t('finalTerms.interestOf', { rate: terms.interestRate, amount: inr(terms.interest) })],
    [t('finalTerms.apr'), terms.apr],
    ...(terms.ltvRatio === null ? [] : [row(t('finalTerms.ltv'), t('finalTerms.ltvOf', { share: terms.ltvRatio }))]),
    [t('finalTerms.fees'), inr(feesOf(terms))],
    ...penalCharges(terms).map(({ kind, text }): [string, string] => [
      t(`finalTerms.penal.${kind}`),
      /^\d+\.\d\d$/.test(text) ? inr(checkedPaise(text)) : text,
    ]),
    ...(terms.coolOffPeriod === null ? [] : [row(t('finalTerms.coolOff'), daysOf(terms.coolOffPeriod, reader))]),
  ]
  return page(
    reader,
    t('finalTerms.title'),
    html`<p>${t('finalTerms.lead', { lender: offer.lender.name })}</p>
<dl>${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<p>${terms.kfsLink !== null && html`<a href="${terms.kfsLink}" target="_blank" rel="noopener">${t('finalTerms.keyFacts')}</a>`}
${terms.tncLink !== null && html`<a href="${terms.tncLink}" target="_blank" rel="noopener">${t('finalTerms.conditions')}</a>`}</p>
<form method="post"><input type="hidden" name="textVersion" value="${currentConsentVersion}"><input type="hidden" name="terms" value="${terms.quoteId}"><input type="hidden" name="language" value="${language}">
<p>${consentText(currentConsentVersion, 'key_facts', language)}</p>
<button class="primary" type="submit">${t('finalTerms.accept')}</button></form>`,
  )
}

const row = (name: string, value: string): [name: string, value: string] => [name, value]

const feesOf = (terms: Terms): bigint => terms.processingFee + terms.otherUpfront + terms.insurance + terms.otherCharges

function daysOf(duration: string, { t }: Reader): string {
  const days = daysOfPeriod(duration)
  return days === null ? duration : t('finalTerms.days', { count: days })
}

/** The page in place of a refusal; `status` is the one that a program would be told. */
export function nothingPage(reader: Reader, kind: Kind | 'bug', status: number): Answer {
  const { t } = reader
  const name = kind === 'absent' || kind === 'invalid' ? kind : kind === 'wrong-state' ? 'notNow' : 'bug'
  return page(reader, t('refused.title'), html`<p>${t(`refused.${name}`)} ${t('refused.backToApp')}</p>`, status)
}

/** The form is answered with a redirect to the lender. */
const page = ({ language }: Reader, title: string, body: Html, status = 200): Answer =>
  plainPage({ language, title, body, status, formAction: 'anywhere' })
