// Forms and routes to match a bank line with a book entry by hand, to undo a match, and to close a statement.

import type { Tx } from '#kit/db/sql.ts'
import { formFrom } from '#kit/http/body.ts'
import { type Html, html } from '#kit/http/markup.ts'
import { Type, Uuid } from '#kit/http/schema.ts'
import { dayText } from '#kit/money/calendar.ts'
import { close, pair, undoPair } from '#partner/collection/statement/pair.ts'
import {
  digestOfDifferences,
  type Reconciliation,
  type ReferenceTotals,
} from '#partner/collection/statement/reconcile.ts'
import type { Context } from '#partner/context.ts'
import { deskRoute, statusOf } from '#partner/desk/desk-route.ts'
import { deskPage, goTo, tableOf } from '#partner/desk/frame.ts'
import { readField, reasonIn } from '#partner/desk/parts/form-fields.ts'
import { reasonAttributes } from '#partner/desk/parts/form-parts.ts'
import { countText, formatDay, formatTime, signedInr, toSentence } from '#partner/desk/parts/format.ts'
import { may } from '#partner/desk/staff/staff.ts'
import { type Act, can, noteAct } from '#partner/desk/staff/staff-act.ts'
import type { Staff } from '#partner/desk-person.ts'

const path = '/desk/books/bank'
const maxForms = 20

/** Finds unmatched book entries that have the same amount as an unmatched bank line. */
const matchingEntries = (mismatches: ReferenceTotals[], { bank, books }: ReferenceTotals): ReferenceTotals[] =>
  books === null ? mismatches.filter((each) => each.bank === null && each.books === bank) : []

/** Shows a form for each bank line that has matching entries, up to `maxForms`. */
export function pairForms({ statement, mismatches }: Reconciliation, who: Staff): Html | false {
  const lines = mismatches.filter((each) => matchingEntries(mismatches, each).length > 0).slice(0, maxForms)
  if (!can(who, 'STATEMENT_PAIRED') || statement.closedAt !== null || lines.length === 0) return false
  return html`<section><h2>Match manually</h2>
<p>For one movement with different references at the bank and in the books. The books do not change.</p>
<div class="columns">${lines.map(
    (line) => html`<form class="card" method="post" action="${path}/${statement.statementId}/pair">
<p><strong>${signedInr(line.bank ?? 0n)}</strong> ${line.reference}, ${formatDay(line.valueOn)}</p>
<input type="hidden" name="bank" value="${line.reference}">
<label><span>Entry in the books</span><select name="books">${matchingEntries(mismatches, line).map(
      ({ reference, valueOn, loanId }) =>
        html`<option value="${reference}">${reference}, ${dayText(valueOn)}${loanId !== null && `, loan ${loanId}`}</option>`,
    )}</select></label>
<label class="broad"><span>Reason</span><input name="reason" ${reasonAttributes}></label>
<button class="secondary">Match</button></form>`,
  )}</div></section>`
}

/** Lists the manual matches, each with a button to undo the match while the statement is open. */
export const pairsTable = ({ statement, pairs }: Reconciliation, who: Staff): Html | false =>
  pairs.length > 0 &&
  html`<section><h2>Matched manually</h2>${tableOf(
    'Matched manually',
    ['Bank', 'Books', { number: 'Amount' }, 'Reason', 'Who', 'When', ''],
    pairs.map((each) => [
      each.bankReference,
      each.bookReference,
      signedInr(each.paise),
      each.reason,
      each.pairer,
      formatTime(each.pairedAt),
      can(who, 'STATEMENT_UNPAIRED') &&
        statement.closedAt === null &&
        html`<form method="post" action="${path}/${statement.statementId}/unpair"><input type="hidden" name="bank" value="${each.bankReference}"><button class="secondary">Undo</button></form>`,
    ]),
    { empty: '' },
  )}</section>`

export function closingPart({ statement, mismatches }: Reconciliation, who: Staff): Html | false {
  const { statementId, closedAt, closingReason } = statement
  if (closedAt !== null)
    return html`<p class="notice">Closed on ${formatTime(closedAt)}: you can no longer match or undo.${closingReason && html`<br>Reason for the differences: ${closingReason}`}</p>`
  if (!can(who, 'STATEMENT_CLOSED')) return false
  const form = (name: string, style: string, field: Html | false = false) =>
    html`<form method="post" action="${path}/${statementId}/close">${mismatches.length > 0 && html`<input type="hidden" name="shown" value="${digestOfDifferences(mismatches)}">`}${field}<button class="${style}">${name}</button></form>`
  const question = (body: Html) =>
    html`<details class="question"><summary class="secondary">Close the statement</summary>${body}</details>`
  if (mismatches.length === 0)
    return question(html`<p>All lines match. Closing cannot be undone.</p>${form('Close for good', 'danger')}`)
  const differences = countText(mismatches.length, 'difference')
  return question(
    html`<p>${differences} will stay unmatched: after closing, you can no longer match or undo.</p>${form(`Close with ${differences}`, 'danger', html`<label class="broad"><span>Reason for the ${mismatches.length === 1 ? 'difference' : 'differences'}</span><input name="reason" ${reasonAttributes}></label>`)}`,
  )
}

interface PairForm {
  statementId: string
  form: URLSearchParams
  staffId: string
  at: Date
}

/** A route that executes an act on a statement and records the act, in one transaction. */
const pairRoute = (
  name: string,
  { summary, kind }: { summary: string; kind: Act },
  run: (tx: Tx, ctx: Context, submitted: PairForm) => Promise<Record<string, string>>,
) =>
  deskRoute({
    ...{ section: 'operation', hidden: true, method: 'POST', summary, accepts: 'raw', viewAct: null },
    auth: may(kind),
    path: `${path}/{statementId}/${name}`,
    params: Type.Object({ statementId: Uuid }),
    async handle({ who: { staffId }, params: { statementId }, raw, at }, ctx) {
      const form = formFrom(raw)
      await ctx.db.tx(async (tx) => {
        const detail = await run(tx, ctx, { statementId, form, staffId, at })
        await noteAct(tx, { staffId, act: kind, about: { subject: statementId, detail }, at })
      })
      return goTo(`${path}/${statementId}`)
    },
    onRefusal({ who, params: { statementId } }, refusal, ctx) {
      const body = html`<p><a href="${path}/${statementId}">Go to the statement</a></p>`
      const page = { title: 'This did not work', area: '/desk/books', back: false, body } as const
      return deskPage(ctx, who, { ...page, problem: toSentence(refusal.message) }, statusOf(refusal))
    },
  })

/** A reference of the bank or of the books, at most 200 characters. */
const referencePattern = /^\S[\s\S]{0,199}$/

export const statementPairRoutes = [
  pairRoute(
    'pair',
    { summary: 'Match a bank line with a book entry', kind: 'STATEMENT_PAIRED' },
    async (tx, ctx, { statementId, form, staffId, at }) => {
      const [bank, books] = [readField(form, 'bank', referencePattern), readField(form, 'books', referencePattern)]
      const match = { statementId, bankReference: bank, bookReference: books, reason: reasonIn(form) }
      await pair(tx, ctx, { ...match, pairedBy: staffId, pairedAt: at })
      return { bank, books }
    },
  ),
  pairRoute(
    'unpair',
    { summary: 'Undo a match', kind: 'STATEMENT_UNPAIRED' },
    async (tx, _ctx, { statementId, form, staffId, at }) => {
      const bank = readField(form, 'bank', referencePattern)
      await undoPair(tx, { statementId, bankReference: bank, undoneBy: staffId, undoneAt: at })
      return { bank }
    },
  ),
  pairRoute(
    'close',
    { summary: 'Close a bank statement', kind: 'STATEMENT_CLOSED' },
    async (tx, ctx, { statementId, form, staffId, at }) => {
      const closingReason = form.get('reason')?.trim() ? reasonIn(form) : null
      const shownDigest = form.get('shown') ?? ''
      const closing = { closedBy: staffId, closedAt: at, closingReason, shownDigest }
      const differences = await close(tx, ctx, statementId, closing)
      return { differences: String(differences), ...(closingReason !== null && { reason: closingReason }) }
    },
  ),
]
