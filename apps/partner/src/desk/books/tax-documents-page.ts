// The register of invoices, credit notes and debit notes for fees, and each of them as a PDF.

import { Refusal } from '@lendloom/foundation/refusal'
import { Type } from '@lendloom/foundation/schema'
import { html } from '@lendloom/http/markup'
import { stateText } from '#partner/books/tax/place-of-supply.ts'
import { lastIssuedOn, taxOfDocuments } from '#partner/books/tax/store.ts'
import {
  documentFileName,
  documentNumberText,
  type TaxDocumentKey,
  taxedFeeOf,
} from '#partner/books/tax/tax-document.ts'
import { taxTexts as texts } from '#partner/books/tax/text-en.ts'
import { documentOrder, listDocuments } from '#partner/desk/books/tax-documents-store.ts'
import { readCaseView } from '#partner/desk/cases/case-view.ts'
import { openLead } from '#partner/desk/cases/open-lead.ts'
import { AuditedAnswer, deskRoute } from '#partner/desk/desk-route.ts'
import { caseLink, deskPage } from '#partner/desk/frame.ts'
import { periodOfMonth } from '#partner/desk/month-end/close-month.ts'
import { figureList } from '#partner/desk/parts/facts.ts'
import { fileAnswer, pdfType } from '#partner/desk/parts/file-answer.ts'
import { formatDay, inr, monthText, signedInr } from '#partner/desk/parts/format.ts'
import { pageLinks, pagingQuery, readPage } from '#partner/desk/parts/paging.ts'
import { type Column, tableOf } from '#partner/desk/parts/table.ts'
import { anyStaff, may } from '#partner/desk/staff/desk-auth.ts'
import { can } from '#partner/desk/staff/staff-acts.ts'
import { taxDocumentPdf } from '#partner/records/paper/tax-document-pdf.ts'
import { lastBusinessDay } from '#partner/servicing/loan/class/store.ts'
import { monthEndOf } from '#partner/servicing/loan/month/month-end.ts'
import { booksTabs } from './books-tabs.ts'
import { periodForm, periodOf, periodQuery } from './period-form.ts'

const path = '/desk/books/tax-documents'
const table = 'Invoices and notes'
const perPage = 50

/** The taxes by their names on the page, with their fields. A column without amounts is left out. */
const taxColumns = [
  ['IGST', 'integrated'],
  ['CGST', 'central'],
  ['SGST or UTGST', 'state'],
] as const

const columnsOf = (taxes: (typeof taxColumns)[number][]): Column[] => [
  { name: 'Number', phone: 'title' },
  'Kind',
  { name: 'Date', phone: 'plain' },
  'Loan',
  'Place of supply',
  ...['Fee', ...taxes.map(([name]) => name)].map((number) => ({ number })),
  { number: 'Total', phone: 'main' },
]

/** The address of the PDF of an invoice or note. */
export const taxDocumentPath = (document: TaxDocumentKey): string =>
  `/desk/cases/${encodeURIComponent(document.caseRef)}/tax-documents/${documentFileName(document)}`

const showDocuments = deskRoute({
  method: 'GET',
  path,
  section: 'operation',
  summary: 'Invoices and notes for fees, with their tax',
  auth: anyStaff,
  hidden: true,
  viewAct: 'LIST_VIEWED',
  query: Type.Object({ ...periodQuery.properties, ...pagingQuery(table) }),
  async handle({ who, query, at }, ctx) {
    const period = periodOf(query, at)
    const { page, tax, lastDay, lastIssued } = await ctx.db.snapshot(async (db) => ({
      page: await readPage(query, { table, keyset: documentOrder, perPage }, (window) =>
        listDocuments(db, period, window),
      ),
      tax: await taxOfDocuments(db, period),
      lastDay: await lastBusinessDay(db),
      lastIssued: await lastIssuedOn(db),
    }))
    const mayDownload = can(who, 'PAPER_MADE')
    const documents = page.rows.map((document) => {
      const { fee, tax, caseRef, leadSealed, supplier } = document
      const lead = openLead(ctx.seal, caseRef, leadSealed)
      return { document, taxed: taxedFeeOf({ fee, tax }, lead, (supplier ?? ctx.config).PARTNER_LENDER_GSTIN) }
    })
    const taxes = taxColumns.filter(([, part]) => query.csv || documents.some(({ taxed }) => taxed[part] !== 0n))
    const rows = documents.map(({ document, taxed }) => {
      const { kind, issuedOn, caseRef, loanId } = document
      const number = documentNumberText(document)
      return [
        mayDownload ? html`<a href="${taxDocumentPath(document)}">${number}</a>` : number,
        texts.titles[kind],
        formatDay(issuedOn),
        caseLink(caseRef, loanId),
        stateText(taxed.place),
        ...[taxed.fee, ...taxes.map(([, part]) => taxed[part]), taxed.total].map(inr),
      ]
    })
    const body = html`${booksTabs(path)}<section>${periodForm({ path, period, at })}
${figureList([
  rows.length > 0 && ['Tax, less credit notes', signedInr(tax)],
  lastDay && ['Issued up to', formatDay(lastDay.endedOn < period.to ? lastDay.endedOn : period.to)],
])}
${tableOf(table, columnsOf(taxes), rows, { empty: 'No invoices or notes in this period.' })}${rows.length === 0 && lastIssued && html`<p><a href="${path}?${new URLSearchParams({ ...periodOfMonth(monthEndOf(lastIssued)) }).toString()}">See ${monthText(lastIssued)}</a></p>`}${pageLinks(query, page)}
<p class="quiet">The day-end issues a document for each fee that was charged or refunded on the day, with the next number of the financial year. The tax is in account 2100. Penal charges bear no tax.</p></section>`
    return deskPage(ctx, who, { title: table, area: '/desk/books', back: false, body })
  },
})

const downloadDocument = deskRoute({
  method: 'GET',
  path: '/desk/cases/{caseRef}/tax-documents/{name}',
  section: 'operation',
  auth: may('PAPER_MADE'),
  hidden: true,
  viewAct: 'PAPER_MADE',
  params: Type.Object({
    caseRef: Type.String({ maxLength: 200 }),
    name: Type.String({ pattern: '^[A-Z]{3}-[0-9]{4}-[0-9]{7}$' }),
  }),
  summary: 'An invoice or note for a fee as a PDF',
  async handle({ who, params: { caseRef, name }, at }, ctx) {
    const { lead, loanCase, entries, taxDocuments } = await readCaseView(ctx, who, caseRef, { at })
    const document = taxDocuments.find((each) => documentFileName(each) === name)
    if (!document) throw new Refusal('absent', 'this case does not have this invoice or note')
    const { borrower, business } = lead
    const taxedCase = { borrower, business, loanId: loanCase.loanId, entries, taxDocuments }
    const pdf = await taxDocumentPdf(ctx.config, document, taxedCase, at)
    const file = fileAnswer(`${name}.pdf`, pdfType, pdf)
    return new AuditedAnswer(file, { act: 'PAPER_MADE', about: { caseRef, subject: name } })
  },
})

export const taxDocumentRoutes = [showDocuments, downloadDocument]
