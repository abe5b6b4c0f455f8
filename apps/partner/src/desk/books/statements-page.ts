// Bank reconciliation at the desk: uploads a statement, shows the differences between it and the books, and closes it.

import { allOf } from '@lendloom/foundation/all-of'
import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { Type, Uuid } from '@lendloom/foundation/schema'
import { formFrom } from '@lendloom/http/body'
import { html } from '@lendloom/http/markup'
import { businessDate } from '@lendloom/lending/calendar'
import type { Context } from '#partner/context.ts'
import { approve, refuse, withdraw } from '#partner/desk/approval/four-eyes.ts'
import { noticeAfterAct } from '#partner/desk/audit/act-notice.ts'
import { AuditedAnswer, deskRoute } from '#partner/desk/desk-route.ts'
import { deskPage, goTo } from '#partner/desk/frame.ts'
import { badge, countText, exactInr, formatDay, formatTime, signedInr, toSentence } from '#partner/desk/parts/format.ts'
import { csvQuery, type PageQuery, pageLinks, pagingQuery, readPage } from '#partner/desk/parts/paging.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { statusOf } from '#partner/desk/refusal-page.ts'
import { anyStaff, may } from '#partner/desk/staff/desk-auth.ts'
import { type Act, can, noteAct } from '#partner/desk/staff/staff-acts.ts'
import type { Staff } from '#partner/people/person.ts'
import { parseStatement } from '#partner/servicing/collection/statement/parse-statement.ts'
import { reconcile, storeStatement } from '#partner/servicing/collection/statement/reconcile.ts'
import {
  type BalanceGap,
  balanceGap,
  listStatements,
  statementsInOrder,
} from '#partner/servicing/collection/statement/store.ts'
import { booksTabs } from './books-tabs.ts'
import { closeOrPropose, statementClosingProposal } from './statement-closing.ts'
import { closeQuestion, closingPart, earlierClosings } from './statement-closing-part.ts'
import { closingsOfStatement } from './statement-closing-store.ts'
import { matchesTable, matchForms, refusedPage, statementMatchRoutes } from './statement-matches.ts'
import { matchedPart, unmatchedPart } from './statement-movements-part.ts'

const path = '/desk/books/bank'
const routeOptions = { section: 'operation', hidden: true, viewAct: null } as const
const table = 'Statements'
const perPage = 50
/** 8 MB, as the page says. */
const maxBytes = 8 << 20

interface StatementListRequest {
  query?: PageQuery
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
  ...routeOptions,
  auth: anyStaff,
  method: 'GET',
  path,
  summary: 'Bank statements',
  query: Type.Object(pagingQuery(table)),
  handle: ({ who, query }, ctx) => listPage(ctx, who, { query }),
})

const upload = deskRoute({
  ...routeOptions,
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
  ...routeOptions,
  viewAct: 'LIST_VIEWED',
  auth: anyStaff,
  method: 'GET',
  path: `${path}/{statementId}`,
  params: Type.Object({ statementId: Uuid }),
  query: Type.Object({ done: Type.Optional(Type.String()), ...csvQuery }),
  summary: 'A bank statement compared with the books',
  async handle({ who, params: { statementId }, query, at }, ctx) {
    const { reconciliation, gap, closings } = await ctx.db.snapshot((db) =>
      allOf({
        reconciliation: reconcile(db, ctx.seal, statementId),
        gap: balanceGap(db, statementId),
        closings: closingsOfStatement(db, statementId),
      }),
    )
    const view = { ...reconciliation, closings }
    const { statement, matched, mismatches } = reconciliation
    const { fileName, fromOn, toOn, lines } = statement
    const seesDescriptions = can(who, 'STATEMENT_VIEWED')
    const describedLines = mismatches.filter(({ description }) => description !== '').length
    const sums = html`<p>${
      matched.lines.length === 0
        ? 'No reference matched.'
        : html`${countText(matched.lines.length, 'reference')} matched: ${exactInr(matched.inflow)} came in, ${exactInr(matched.outflow)} went out.`
    }</p>`
    const period = fromOn === toOn ? formatDay(fromOn) : html`${formatDay(fromOn)} to ${formatDay(toOn)}`
    const body = html`${booksTabs(path)}<section><p class="lead">${fileName} <span>${countText(lines, 'line')}, ${period}</span></p>
${gap && gapNotice(gap)}${mismatches.length === 0 ? html`<p class="notice good">The statement and the books match.</p>${sums}` : sums}
${closingPart(view, who, at)}
${unmatchedPart(mismatches, { seesDescriptions, isWhole: query.csv === 'unmatched', today: businessDate(at) })}
${matchForms(reconciliation, who)}${matchesTable(reconciliation, who)}${closeQuestion(view, who, at)}${earlierClosings(view, at)}</section>${matchedPart(matched.lines, query.csv === 'matched')}`
    const page = deskPage(ctx, who, {
      title: 'Bank statement',
      area: '/desk/books',
      back: html`<a href="${path}">Bank reconciliation</a>`,
      done: await noticeAfterAct(ctx, who, query.done),
      body,
    })
    if (!seesDescriptions || describedLines === 0) return page
    return new AuditedAnswer(page, {
      act: 'STATEMENT_VIEWED',
      about: { subject: statementId, detail: { lines: describedLines } },
    })
  },
})

/** Warns that a statement between this one and the one before may be missing. */
const gapNotice = ({ openingPaise, previousPaise, fileName, toOn }: BalanceGap) =>
  html`<p class="notice bad">This statement opens with ${signedInr(openingPaise)}, but the statement before, ${fileName} up to ${formatDay(toOn)}, closes with ${signedInr(previousPaise)}. A statement between them may be missing.</p>`

const close = deskRoute({
  ...routeOptions,
  auth: may('STATEMENT_CLOSED'),
  method: 'POST',
  path: `${path}/{statementId}/close`,
  params: Type.Object({ statementId: Uuid }),
  summary: 'Close a bank statement, or propose to close it with differences',
  accepts: 'raw',
  async handle({ who, params: { statementId }, raw, at }, ctx) {
    const done = await closeOrPropose(ctx, who, { statementId, form: formFrom(raw), at })
    return goTo(`${path}/${statementId}?done=${done}`)
  },
  onRefusal: ({ who, params: { statementId } }, refusal, ctx) => refusedPage(ctx, who, statementId, refusal),
})

/** The route of one decision about a proposal to close a statement. */
const decide = (name: string, summary: string, act: Act, decideProposal: typeof approve) =>
  deskRoute({
    ...routeOptions,
    auth: may(act),
    method: 'POST',
    path: `${path}/{statementId}/closings/{closingId}/${name}`,
    params: Type.Object({ statementId: Uuid, closingId: Uuid }),
    summary,
    accepts: 'raw',
    async handle({ who, params: { statementId, closingId }, raw, at }, ctx) {
      const reason = formFrom(raw).get('reason')?.trim().slice(0, 500) || null
      const decision = { statementId, closingId, reason, at }
      await decideProposal(ctx, who, statementClosingProposal(ctx, who, decision), decision)
      return goTo(`${path}/${statementId}?done=${act}`)
    },
    onRefusal: ({ who, params: { statementId } }, refusal, ctx) => refusedPage(ctx, who, statementId, refusal),
  })

export const statementRoutes = [
  list,
  upload,
  show,
  close,
  decide('confirm', 'Confirm the closing of a bank statement with differences', 'STATEMENT_CLOSED', approve),
  decide('refuse', 'Refuse the closing of a bank statement', 'STATEMENT_CLOSING_REFUSED', refuse),
  decide('withdraw', 'Withdraw your proposal to close a bank statement', 'STATEMENT_CLOSING_WITHDRAWN', withdraw),
  ...statementMatchRoutes,
]
