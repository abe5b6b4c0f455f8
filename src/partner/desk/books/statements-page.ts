// Bank reconciliation: uploads a bank statement, compares the statement with the books by reference, and lists the
// differences.

import { html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Type, Uuid } from '#kit/http/schema.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { required } from '#kit/runtime/record.ts'
import { parseStatement } from '#partner/collection/statement/file.ts'
import { reconcile, storeStatement } from '#partner/collection/statement/reconcile.ts'
import { type BalanceGap, balanceGap, listStatements, statementsInOrder } from '#partner/collection/statement/store.ts'
import type { Context } from '#partner/context.ts'
import { deskRoute, statusOf, ViewedAnswer } from '#partner/desk/desk-route.ts'
import { deskPage, goTo, tableOf } from '#partner/desk/frame.ts'
import { badge, countText, formatDay, formatTime, inr, signedInr, toSentence } from '#partner/desk/parts/format.ts'
import { csvQuery, pageLinks, pagingQuery, type Query, readPage } from '#partner/desk/parts/turn-page.ts'
import { anyStaff, may } from '#partner/desk/staff/staff.ts'
import { can, noteAct } from '#partner/desk/staff/staff-act.ts'
import type { Staff } from '#partner/desk-person.ts'
import { booksTabs } from './books-tabs.ts'
import { closeQuestion, closingPart, pairForms, pairsTable, statementPairRoutes } from './statement-pairs.ts'
import { matchedPart, unmatchedPart } from './statement-unmatched.ts'

const path = '/desk/books/bank'
const common = { section: 'operation', hidden: true, viewAct: null } as const
const table = 'Statements'
const perPage = 50
const maxBytes = 8 << 20

interface StatementListRequest {
  query?: Query
  problem?: string
  status?: number
}

async function listPage(ctx: Context, who: Staff, { query = {}, problem, status = 200 }: StatementListRequest) {
  const list = { table, keyset: statementsInOrder, perPage }
  const statements = await readPage(query, list, (window) => listStatements(ctx.db, window))
  const upload = html`<section class="card"><h2>Upload a statement</h2>
<form method="post" action="${path}" enctype="multipart/form-data"><label><span>File from the bank, up to 8 MB</span><input type="file" name="file" accept=".csv,.xlsx,.xml,.sta,.mt940,.940,.txt,text/csv" required></label>
<p class="quiet">CSV, XLSX, MT940 or CAMT.053. A table names its columns: date, reference (or UTR), description, and amount or debit and credit.${sandboxHint(ctx)}</p>
<button class="primary">Upload and compare</button></form></section>`
  const body = html`${booksTabs(path)}${can(who, 'STATEMENT_UPLOADED') && upload}<section><h2>Statements</h2>${tableOf(
    table,
    ['File', 'From', 'To', { number: 'Lines' }, 'State', 'Uploaded', 'By'],
    statements.rows.map((each) => [
      html`<a href="${path}/${each.statementId}">${each.fileName}</a>`,
      formatDay(each.fromOn),
      formatDay(each.toOn),
      each.lines,
      badge(each.closedAt === null ? 'OPEN' : 'CLOSED'),
      formatTime(each.uploadedAt),
      each.uploader,
    ]),
    { empty: 'No statements yet. An uploaded statement appears here, with its lines beside the entries of the books.' },
  )}${pageLinks(query, statements)}</section>`
  const page = {
    title: 'Bank reconciliation',
    area: '/desk/books',
    back: false,
    problem: problem ?? null,
    body,
  } as const
  return deskPage(ctx, who, page, status)
}

const sandboxHint = ({ config }: Context) =>
  config.SANDBOX && html` In the sandbox, <a href="${config.BANK_URL}">the bank</a> has the statement of each day.`

const list = deskRoute({
  ...common,
  auth: anyStaff,
  method: 'GET',
  path,
  summary: 'Bank statements',
  query: Type.Object(pagingQuery(table)),
  handle: ({ who, query }, ctx) => listPage(ctx, who, { query }),
})

const upload = deskRoute({
  ...common,
  auth: may('STATEMENT_UPLOADED'),
  method: 'POST',
  path,
  summary: 'Upload a bank statement',
  accepts: 'form',
  files: { field: 'file', max: 1 },
  // Larger than a statement, so that the page itself says what is wrong with a file that is a little too large.
  maxBytes: 2 * maxBytes,
  async handle({ who, form, at }, ctx) {
    const [sent] = required(form, 'a form').files
    if (!sent || sent.bytes.length === 0)
      throw new Refusal('invalid', 'choose a file that is not empty', { field: 'file' })
    const { name: fileName, bytes } = sent
    if (bytes.length > maxBytes) throw new Refusal('too-large', 'a statement has at most 8 MB', { field: 'file' })
    const { staffId } = who
    const accounts = ctx.config.PARTNER_REPAYMENT_ACCOUNT.match(/\d{8,}/g) ?? []
    const file = await parseStatement(bytes, { today: businessDate(at), accounts })
    const statementId = await ctx.db.tx(async (tx) => {
      const statementId = await storeStatement(tx, ctx.seal, { fileName, bytes, ...file, staffId, at })
      await noteAct(tx, {
        staffId,
        act: 'STATEMENT_UPLOADED',
        about: { subject: statementId, detail: { fileName } },
        at,
      })
      return statementId
    })
    return goTo(`${path}/${statementId}`)
  },
  onRefusal: ({ who }, refusal, ctx) =>
    listPage(ctx, who, { problem: toSentence(refusal.message), status: statusOf(refusal) }),
})

const show = deskRoute({
  ...common,
  viewAct: 'LIST_VIEWED',
  auth: anyStaff,
  method: 'GET',
  path: `${path}/{statementId}`,
  params: Type.Object({ statementId: Uuid }),
  query: Type.Object(csvQuery),
  summary: 'A bank statement compared with the books',
  async handle({ who, params: { statementId }, query, at }, ctx) {
    const [reconciliation, gap] = await ctx.db.snapshot((db) =>
      Promise.all([reconcile(db, ctx.seal, statementId), balanceGap(db, statementId)]),
    )
    const { statement, matched, mismatches } = reconciliation
    const { fileName, fromOn, toOn, lines } = statement
    const seesDescriptions = can(who, 'STATEMENT_VIEWED')
    const describedLines = mismatches.filter(({ description }) => description !== '').length
    const sums = html`<p>${
      matched.lines.length === 0
        ? 'No reference matched.'
        : html`${countText(matched.lines.length, 'reference')} matched: ${inr(matched.inflow)} came in, ${inr(matched.outflow)} went out.`
    }</p>`
    const period = fromOn === toOn ? formatDay(fromOn) : html`${formatDay(fromOn)} to ${formatDay(toOn)}`
    const body = html`${booksTabs(path)}<section><p class="lead">${fileName} <span>${countText(lines, 'line')}, ${period}</span></p>
${gap && gapNotice(gap)}${mismatches.length === 0 ? html`<p class="notice good">The statement and the books match.</p>${sums}` : sums}
${closingPart(reconciliation, who)}
${unmatchedPart(mismatches, { seesDescriptions, isWhole: query.csv === 'unmatched', today: businessDate(at) })}
${pairForms(reconciliation, who)}${pairsTable(reconciliation, who)}${closeQuestion(reconciliation, who)}</section>${matchedPart(matched.lines, query.csv === 'matched')}`
    const page = deskPage(ctx, who, {
      title: 'Bank statement',
      area: '/desk/books',
      back: html`<a href="${path}">Bank reconciliation</a>`,
      body,
    })
    if (!seesDescriptions || describedLines === 0) return page
    return new ViewedAnswer(page, {
      act: 'STATEMENT_VIEWED',
      about: { subject: statementId, detail: { lines: describedLines } },
    })
  },
})

const gapNotice = ({ openingPaise, previousPaise, fileName, toOn }: BalanceGap) =>
  html`<p class="notice bad">This statement opens with ${signedInr(openingPaise)}, but the statement before, ${fileName} up to ${formatDay(toOn)}, closes with ${signedInr(previousPaise)}. A statement between them may be missing.</p>`

export const statementRoutes = [list, upload, show, ...statementPairRoutes]
