// Downloads of a loan's documents: sanction letter, schedule, statement, and certificates of interest and closure.

import { type Html, html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { OneOf, Type } from '#kit/http/schema.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { availablePapers, financialYears, type PaperCase, paperNames, paperPdf } from '#partner/paper/paper.ts'
import { paperTexts as texts } from '#partner/paper/text-en.ts'
import { numberText } from '#partner/tax/tax-document.ts'
import { taxTexts } from '#partner/tax/text-en.ts'
import { taxDocumentPath } from './books/tax-documents-page.ts'
import { nameOfBorrower } from './cases/applicant-name.ts'
import { type CaseView, readCaseView } from './cases/read-case.ts'
import { deskRoute, ViewedAnswer } from './desk-route.ts'
import { tableOf } from './frame.ts'
import { fileResponse, pdfType } from './parts/file-answer.ts'
import { formatDay } from './parts/format.ts'
import { may } from './staff/staff.ts'

const paperCase = ({ lead, loanCase, offer, account, entries }: CaseView): PaperCase => ({
  ...{ borrower: nameOfBorrower(lead), loanId: loanCase.loanId, offer, account, entries },
})

/** Links to the available documents, with an interest certificate for each financial year. */
export function paperLinks(view: CaseView, today: string): Html | null {
  const paper = paperCase(view)
  const base = `/desk/cases/${encodeURIComponent(view.loanCase.caseRef)}/papers`
  const papers = availablePapers(paper).flatMap((name) =>
    name === 'interest'
      ? financialYears(paper, today).map((year) => ({
          href: `${base}/interest?year=${year}`,
          label: `${texts.titles.interest} ${texts.interest.year(year)}`,
        }))
      : [{ href: `${base}/${name}`, label: texts.titles[name] }],
  )
  if (papers.length === 0) return null
  const taxDocuments = view.taxDocuments.map((document) => ({
    href: taxDocumentPath(document),
    label: `${taxTexts.titles[document.kind]} ${numberText(document)}`,
    date: formatDay(document.issuedOn),
  }))
  const rows = [...papers.map((each) => ({ ...each, date: 'Made on download' })), ...taxDocuments]
  return html`<section><h2>Documents</h2>${tableOf(
    'Documents',
    ['Document', { name: 'Date', phone: 'plain' }, ''],
    rows.map(({ href, label, date }) => [label, date, html`<a href="${href}">Download</a>`]),
    { empty: '', csv: false },
  )}</section>`
}

const download = deskRoute({
  method: 'GET',
  path: '/desk/cases/{caseRef}/papers/{name}',
  section: 'D3 §4.4',
  auth: may('PAPER_MADE'),
  hidden: true,
  viewAct: 'PAPER_MADE',
  params: Type.Object({ caseRef: Type.String({ maxLength: 200 }), name: OneOf(paperNames) }),
  query: Type.Object({ year: Type.Optional(Type.String({ pattern: '^20[0-9]{2}$' })) }),
  summary: 'A document of a loan as a PDF',
  async handle({ who, params: { caseRef, name }, query, at }, ctx) {
    const paper = paperCase(await readCaseView(ctx, who, caseRef, at))
    if (!availablePapers(paper).includes(name))
      throw new Refusal('absent', 'this document is not available for the case in its current state')
    const years = financialYears(paper, businessDate(at))
    const year = query.year === undefined ? (years[0] ?? 0) : Number(query.year)
    if (!years.includes(year))
      throw new Refusal('invalid', 'there were no transactions in this year', { field: 'year' })
    const pdf = await paperPdf(ctx.config, { name, paperCase: paper, year, at })
    const file = fileResponse(`${name}-${paper.loanId}${name === 'interest' ? `-${year}` : ''}.pdf`, pdfType, pdf)
    return new ViewedAnswer(file, { act: 'PAPER_MADE', about: { caseRef, subject: name } })
  },
})

export const paperRoutes = [download]
