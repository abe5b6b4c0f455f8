// Downloads of a loan's documents: sanction letter, schedule, statement, and certificates of interest and closure.

import { isOneOf } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { OneOf, Type } from '@lendloom/foundation/schema'
import { type Html, html } from '@lendloom/http/markup'
import { businessDate } from '@lendloom/lending/calendar'
import { languageNames, languages } from '@lendloom/lending/language'
import { documentNumberText } from '#partner/books/tax/tax-document.ts'
import { taxTexts } from '#partner/books/tax/text-en.ts'
import {
  availablePapers,
  financialYears,
  financialYearText,
  type PaperCase,
  type PaperName,
  paperNames,
  paperPdf,
} from '#partner/records/paper/paper.ts'
import { paperTexts } from '#partner/records/paper/text.ts'
import { taxDocumentPath } from './books/tax-documents-page.ts'
import { type CaseView, readCaseView } from './cases/case-view.ts'
import { nameOfBorrower } from './cases/open-lead.ts'
import { AuditedAnswer, deskRoute } from './desk-route.ts'
import { fileAnswer, pdfType } from './parts/file-answer.ts'
import { selectField } from './parts/form-parts.ts'
import { formatDay } from './parts/format.ts'
import { tableOf } from './parts/table.ts'
import { may } from './staff/desk-auth.ts'

const paperCase = ({ lead, loanCase, offer, account, entries }: CaseView): PaperCase => ({
  borrower: nameOfBorrower(lead),
  loanId: loanCase.loanId,
  offer,
  account,
  entries,
})

/** The available documents, with an interest certificate for each financial year. The form has their language. */
export function paperLinks(view: CaseView, today: string): Html | null {
  const paper = paperCase(view)
  const base = `/desk/cases/${encodeURIComponent(view.loanCase.caseRef)}/papers`
  const rowOf = (name: PaperName, year?: number) => [
    `${paperTexts.en(`titles.${name}`)}${year === undefined ? '' : ` ${financialYearText(year)}`}`,
    'Made on download',
    html`<button class="secondary" formaction="${base}/${name}"${year !== undefined && html` name="year" value="${year}"`}>Download</button>`,
  ]
  const papers = availablePapers(paper).flatMap((name) =>
    name === 'interest' ? financialYears(paper, today).map((year) => rowOf(name, year)) : [rowOf(name)],
  )
  if (papers.length === 0) return null
  const taxDocuments = view.taxDocuments.map((document) => [
    `${taxTexts.titles[document.kind]} ${documentNumberText(document)}`,
    html`${formatDay(document.issuedOn)}, in English`,
    html`<a class="secondary" href="${taxDocumentPath(document)}">Download</a>`,
  ])
  return html`<section><h2>Made for the borrower</h2><form><div class="search">${selectField({
    name: 'lang',
    label: 'Language of the documents',
    chosen: 'en',
    options: languages.map((language) => [language, languageNames[language]]),
  })}</div>${tableOf(
    'Documents',
    ['Document', { name: 'Date', phone: 'plain' }, { number: '' }],
    [...papers, ...taxDocuments],
    {
      empty: '',
      csv: false,
    },
  )}</form></section>`
}

const download = deskRoute({
  method: 'GET',
  path: '/desk/cases/{caseRef}/papers/{name}',
  section: 'D3 §4.4',
  auth: may('PAPER_MADE'),
  hidden: true,
  viewAct: 'PAPER_MADE',
  params: Type.Object({ caseRef: Type.String({ maxLength: 200 }), name: OneOf(paperNames) }),
  query: Type.Object({
    year: Type.Optional(Type.String({ pattern: '^20[0-9]{2}$' })),
    lang: Type.Optional(Type.String({ maxLength: 20 })),
  }),
  summary: 'A document of a loan as a PDF',
  async handle({ who, params: { caseRef, name }, query, at }, ctx) {
    const paper = paperCase(await readCaseView(ctx, who, caseRef, { at }))
    if (!availablePapers(paper).includes(name))
      throw new Refusal('absent', 'this document is not available for the case in its current state')
    const years = financialYears(paper, businessDate(at))
    const year = query.year === undefined ? (years[0] ?? 0) : Number(query.year)
    if (!years.includes(year))
      throw new Refusal('invalid', 'there were no transactions in this year', { field: 'year' })
    const { lang: language = 'en' } = query
    if (!isOneOf(languages, language))
      throw new Refusal('invalid', `lang must be one of ${languages.join(', ')}`, { field: 'lang' })
    const pdf = await paperPdf(ctx.config, { name, language, paperCase: paper, year, at })
    const ending = [...(name === 'interest' ? [year] : []), ...(language === 'en' ? [] : [language])]
    const file = fileAnswer(`${[name, paper.loanId, ...ending].join('-')}.pdf`, pdfType, pdf)
    return new AuditedAnswer(file, { act: 'PAPER_MADE', about: { caseRef, subject: name, detail: { language } } })
  },
})

export const paperRoutes = [download]
