// The payments page: money that waits for a person (exits to decide, unmatched receipts, their returns, claims, debits
// on hold) and debits in progress.

import { allOf } from '@lendloom/foundation/all-of'
import { Type } from '@lendloom/foundation/schema'
import { type Html, html } from '@lendloom/http/markup'
import type { Keyset } from '@lendloom/postgres/keyset'
import type { Seal } from '@lendloom/seal/seal'
import type { Context } from '#partner/context.ts'
import { holdPolicyTexts, holdReasonText } from '#partner/desk/arrears/debit-text-en.ts'
import {
  claimsInOrder,
  debitsInOrder,
  type HoldLine,
  holdsInOrder,
  listClaims,
  listDebits,
  listHolds,
  type PaymentLine,
} from '#partner/desk/books/payments-store.ts'
import { heldPaymentsTable } from '#partner/desk/cases/case-list-page.ts'
import { nameOfBorrower, openLead } from '#partner/desk/cases/open-lead.ts'
import { casesInOrder, listCases } from '#partner/desk/cases/store.ts'
import { AuditedAnswer, deskRoute, viewDetail } from '#partner/desk/desk-route.ts'
import { button, caseLink, deskPage, goTo } from '#partner/desk/frame.ts'
import { maskedText } from '#partner/desk/parts/facts.ts'
import { badge, countText, formatDay, inr, labelOf } from '#partner/desk/parts/format.ts'
import { pageLinks, pagingQuery, readPage } from '#partner/desk/parts/paging.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { caseQueues } from '#partner/desk/queue/case-queues.ts'
import { waitText } from '#partner/desk/queue/waiting-time.ts'
import { anyStaff, may } from '#partner/desk/staff/desk-auth.ts'
import { can, noteAct } from '#partner/desk/staff/staff-acts.ts'
import { collectDue } from '#partner/servicing/collection/debit/collect-due.ts'
import { receiptTexts } from '#partner/servicing/collection/receipt/receive-receipt.ts'
import { pendingReturns, returnsInOrder } from '#partner/servicing/collection/receipt/return/store.ts'
import { type BankReceipt, receiptsInOrder, unpostedReceipts } from '#partner/servicing/collection/receipt/store.ts'
import { returnsTable } from './receipt-return-part.ts'

const path = '/desk/money'
const perPage = 50
const tables = {
  exits: caseQueues.exit.label,
  receipts: 'Unmatched receipts',
  returns: 'Receipts being sent back',
  claims: 'Payment claims to verify',
  holds: 'Debits on hold',
  debits: 'Debits in progress',
} as const
const routeOptions = { section: 'D3 §6', auth: anyStaff, hidden: true, viewAct: 'LIST_VIEWED' } as const

const show = deskRoute({
  ...routeOptions,
  method: 'GET',
  path,
  summary: 'Debits, claims and receipts that need attention',
  query: Type.Object({
    checkedCases: Type.Optional(Type.String({ pattern: '^[0-9]{1,9}$' })),
    ...pagingQuery(...Object.values(tables)),
  }),
  async handle({ who, query, at }, ctx) {
    const tableQuery = { ...query, checkedCases: undefined }
    const listOf = (name: keyof typeof tables, keyset: Keyset) => ({ table: tables[name], keyset, perPage })
    const { receipts, returns, exits, claims, holds, debits } = await ctx.db.snapshot((db) =>
      allOf({
        receipts: readPage(query, listOf('receipts', receiptsInOrder), (window) => unpostedReceipts(db, window)),
        returns: readPage(query, listOf('returns', returnsInOrder), (window) => pendingReturns(db, window)),
        exits: readPage(query, listOf('exits', casesInOrder('exit')), (window) =>
          listCases(db, { need: 'exit' }, window),
        ),
        claims: readPage(query, listOf('claims', claimsInOrder), (window) => listClaims(db, window)),
        holds: readPage(query, listOf('holds', holdsInOrder), (window) => listHolds(db, window)),
        debits: readPage(query, listOf('debits', debitsInOrder), (window) => listDebits(db, window)),
      }),
    )
    const mayPost = can(who, 'RECEIPT_VIEWED')
    const body = html`${query.checkedCases && html`<p class="notice good" role="status">${countText(Number(query.checkedCases), 'case')} with something due today ${query.checkedCases === '1' ? 'is' : 'are'} being checked.</p>`}
${
  exits.rows.length > 0 &&
  html`<section><h2>${tables.exits}</h2>
<p>Money that would cancel the loan if the borrower asked for it. Open the case to decide; without a decision, we post it as a payment.</p>
${heldPaymentsTable(ctx.seal, tables.exits, exits.rows, at)}${pageLinks(tableQuery, exits)}</section>`
}
<section><h2>${tables.receipts}</h2>
<p>Money received without a matching claim or loan number. If you know the loan, enter its number.</p>
${receiptsTable(ctx, receipts.rows, { at, mayPost })}${pageLinks(tableQuery, receipts)}</section>
${
  returns.rows.length > 0 &&
  html`<section><h2>${tables.returns}</h2>
<p>Returns to payers that the bank has not confirmed yet.</p>
${returnsTable(tables.returns, returns.rows, mayPost)}${pageLinks(tableQuery, returns)}</section>`
}
<section><h2>${tables.claims}</h2>
<p>Payments that borrowers reported. We post each one once the bank confirms it.</p>
${claimsTable(ctx.seal, claims.rows, at)}${pageLinks(tableQuery, claims)}</section>
<section><h2>${tables.holds}</h2>
<p>Cases that are not debited until a staff member releases them.</p>
${holdsTable(ctx.seal, holds.rows, at)}${pageLinks(tableQuery, holds)}</section>
<section><div class="head"><h2>${tables.debits}</h2>${can(who, 'COLLECTION_BEGUN') && button(`${path}/collect`, 'Collect what is due today')}</div>
<p class="quiet">Each case with an amount due is checked for a debit once a day: automatically while automatic decisions are on, otherwise when a staff member starts it.</p>
${debitsTable(ctx.seal, debits.rows)}${pageLinks(tableQuery, debits)}</section>`
    const page = deskPage(ctx, who, { title: 'Payments', area: path, body })
    if (!mayPost || receipts.rows.length === 0) return page
    const about = { subject: path, detail: { ...viewDetail(query), receipts: receipts.rows.length } }
    return new AuditedAnswer(page, { act: 'RECEIPT_VIEWED', about })
  },
})

const borrowerLink = (seal: Seal, { caseRef, leadSealed }: HoldLine | PaymentLine): Html =>
  caseLink(caseRef, nameOfBorrower(openLead(seal, caseRef, leadSealed)))

/** Masks payers and remarks unless the person may post receipts. */
const receiptsTable = (
  { seal }: Pick<Context, 'seal'>,
  receipts: BankReceipt[],
  { at, mayPost }: { at: Date; mayPost: boolean },
) =>
  tableOf(
    tables.receipts,
    ['Value date', 'Age', 'From', 'Remark', 'Method', 'Reference', { number: 'Amount' }, 'Loan'],
    receipts.map((receipt) => {
      const { payer, remark } = mayPost ? receiptTexts(seal, receipt) : { payer: maskedText, remark: maskedText }
      const id = `${encodeURIComponent(receipt.provider)}/${encodeURIComponent(receipt.receiptId)}`
      return [
        formatDay(receipt.valueOn),
        waitText('receipts', receipt.receivedAt, at),
        payer,
        remark,
        labelOf(receipt.method),
        receipt.transactionReference,
        inr(receipt.amountPaise),
        mayPost &&
          html`<form class="inline" method="get" action="${path}/receipts/${id}"><input name="number" aria-label="Loan number" inputmode="numeric" required><button class="secondary">Find</button></form>`,
      ]
    }),
    { empty: 'All receipts are posted.' },
  )

const claimsTable = (seal: Seal, claims: PaymentLine[], at: Date) =>
  tableOf(
    tables.claims,
    ['Borrower', 'Loan', 'Paid on', 'Method', 'Reference', { number: 'Amount' }, 'Age'],
    claims.map((each) => [
      borrowerLink(seal, each),
      each.loanId,
      each.claimedOn && formatDay(each.claimedOn),
      labelOf(each.method),
      each.claimedReference,
      inr(each.amountPaise),
      waitText('claim', each.createdAt, at),
    ]),
    { empty: 'No claims to verify.' },
  )

const holdsTable = (seal: Seal, holds: HoldLine[], at: Date) =>
  tableOf(
    tables.holds,
    ['Borrower', 'Loan', 'Reason', 'Effect', 'Age'],
    holds.map((each) => [
      borrowerLink(seal, each),
      each.loanId,
      holdReasonText(each.reasonCode),
      holdPolicyTexts[each.policy],
      waitText('hold', each.sinceAt, at),
    ]),
    { empty: 'No debits on hold.' },
  )

const debitsTable = (seal: Seal, debits: PaymentLine[]) =>
  tableOf(
    tables.debits,
    ['Borrower', 'Loan', 'Day', 'State', { number: 'Amount' }],
    debits.map((each) => [
      borrowerLink(seal, each),
      each.loanId,
      each.collectionOn && formatDay(each.collectionOn),
      badge(each.status),
      inr(each.amountPaise),
    ]),
    { empty: 'No debits in progress.' },
  )

const collectAll = deskRoute({
  ...routeOptions,
  auth: may('COLLECTION_BEGUN'),
  method: 'POST',
  path: `${path}/collect`,
  summary: 'Check every case with dues today for a debit',
  accepts: 'raw',
  async handle({ who, at }, ctx) {
    await ctx.db.tx((tx) => noteAct(tx, { staffId: who.staffId, act: 'COLLECTION_BEGUN', about: {}, at }))
    return goTo(`${path}?checkedCases=${await collectDue(ctx)}`)
  },
})

export const moneyRoutes = [show, collectAll]
