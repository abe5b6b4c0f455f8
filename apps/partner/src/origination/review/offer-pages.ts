// The borrower's pages of an offer: key facts as HTML and PDF, and the loan terms.

import { readFileSync } from 'node:fs'
import { styleOf } from '@lendloom/design/style'
import { numberedTable, type PdfColumn, pdfOf, tableBlock } from '@lendloom/documents/pdf'
import { type Html, html } from '@lendloom/http/markup'
import { pageAnswer } from '@lendloom/http/page-frame'
import type { Answer } from '@lendloom/http/server'
import { localeOf } from '@lendloom/lending/language'
import type { KeyFacts, NumberedFact } from './key-facts.ts'
import { type OfferText, offerTexts } from './offer-text.ts'

const style = styleOf(readFileSync(new URL('./offer.css', import.meta.url), 'utf8'), 'large')

/** The address of an offer's page is secret, so search engines must not index the page. */
export const offerHeaders = { vary: 'accept-language', 'x-robots-tag': 'noindex' }

const page = ({ lender, language }: KeyFacts, title: string, body: Html): Answer =>
  pageAnswer({
    language,
    title: `${title} · ${lender}`,
    style,
    headers: offerHeaders,
    body: html`<main><p class="lender">${lender}</p><h1>${title}</h1>${body}</main>`,
  })

export function keyFactsPage(facts: KeyFacts, pdfUrl: string): Answer {
  const t = offerTexts[facts.language]
  return page(
    facts,
    t('keyFacts.title'),
    html`<p>${facts.proposal}</p><p><a href="${pdfUrl}">${t('keyFacts.download')}</a></p>
${table(t('keyFacts.parts.terms'), facts.terms)}
${table(t('keyFacts.parts.assurances'), facts.assurances)}
${table(t('keyFacts.parts.computation'), facts.computation)}
<h2 id="schedule">${t('keyFacts.parts.schedule')}</h2>
<div class="table" role="region" aria-labelledby="schedule" tabindex="0"><table class="schedule">
<thead><tr>${scheduleColumns(t).map(({ head }) => html`<th scope="col" class="number">${head}</th>`)}</tr></thead>
<tbody>${facts.schedule.map(
      (row) =>
        html`<tr><th scope="row" class="number">${row.number}</th><td class="number">${row.opening}</td><td class="number">${row.principal}</td><td class="number">${row.interest}</td><td class="number">${row.amount}</td></tr>`,
    )}</tbody></table></div>`,
  )
}

const scheduleColumns = (t: OfferText): PdfColumn<KeyFacts['schedule'][number]>[] => [
  { head: t('keyFacts.scheduleHead.week'), of: (row) => row.number, width: 1 },
  { head: t('keyFacts.scheduleHead.outstanding'), of: (row) => row.opening, width: 4 },
  { head: t('keyFacts.scheduleHead.principal'), of: (row) => row.principal, width: 3 },
  { head: t('keyFacts.scheduleHead.interest'), of: (row) => row.interest, width: 3 },
  { head: t('keyFacts.scheduleHead.instalment'), of: (row) => row.amount, width: 3 },
]

const table = (title: string, rows: NumberedFact[]): Html => html`<h2>${title}</h2>
<table><tbody>${rows.map(
  ({ number, label, value, reference }) =>
    html`<tr><td class="number">${number}</td><th scope="row">${label}</th><td>${value}${reference !== undefined && html`<small class="reference">${reference}</small>`}</td></tr>`,
)}</tbody></table>`

export function keyFactsPdf(facts: KeyFacts, createdAt: Date): Promise<Buffer> {
  const t = offerTexts[facts.language]
  return pdfOf({
    title: t('keyFacts.title'),
    author: facts.lender,
    language: localeOf(facts.language),
    createdAt,
    blocks: [
      { kind: 'text', text: facts.proposal },
      { kind: 'heading', text: t('keyFacts.parts.terms') },
      numberedTable(facts.terms),
      { kind: 'heading', text: t('keyFacts.parts.assurances') },
      numberedTable(facts.assurances),
      { kind: 'heading', text: t('keyFacts.parts.computation') },
      numberedTable(facts.computation),
      { kind: 'heading', text: t('keyFacts.parts.schedule') },
      tableBlock(
        scheduleColumns(t).map((column) => ({ ...column, isRight: true })),
        facts.schedule,
      ),
    ],
  })
}

/** Renders the terms of the agreement. The figures are in the key facts statement. */
export function termsPage(facts: KeyFacts, keyFactsUrl: string): Answer {
  const t = offerTexts[facts.language]
  const conditions = ['payout', 'instalments', 'early', 'exit', 'data'] as const
  const [label, number] = facts.reference
  const [before, after] = t('terms.lead', { proposal: facts.proposal, keyFacts: '\n' }).split('\n')
  return page(
    facts,
    t('terms.title'),
    html`<p class="quiet reference">${label}<br>${number}</p>
<p>${before}<a href="${keyFactsUrl}">${t('terms.keyFacts')}</a>${after}</p>
<ol>${conditions.map((name) => html`<li>${t(`terms.conditions.${name}`)}</li>\n`)}</ol>`,
  )
}
