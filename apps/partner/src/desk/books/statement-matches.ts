// Matches lines of a bank statement with entries of the books by hand: the forms with suggestions, the list of matches,
// and the routes.

import { Refusal } from '@lendloom/foundation/refusal'
import { Type, Uuid } from '@lendloom/foundation/schema'
import { formFrom } from '@lendloom/http/body'
import { type Html, html } from '@lendloom/http/markup'
import { dayText } from '@lendloom/lending/calendar'
import type { Tx } from '@lendloom/postgres/sql'
import type { Context } from '#partner/context.ts'
import { deskRoute } from '#partner/desk/desk-route.ts'
import { deskPage, goTo } from '#partner/desk/frame.ts'
import { reasonAttributes } from '#partner/desk/parts/form-parts.ts'
import { capitalize, countText, formatDay, formatTime, signedInr, toSentence } from '#partner/desk/parts/format.ts'
import { readField, reasonIn } from '#partner/desk/parts/read-fields.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { statusOf } from '#partner/desk/refusal-page.ts'
import { may } from '#partner/desk/staff/desk-auth.ts'
import { type Act, can, noteAct } from '#partner/desk/staff/staff-acts.ts'
import type { Staff } from '#partner/people/person.ts'
import { matchByHand, undoMatch } from '#partner/servicing/collection/statement/match-by-hand.ts'
import type { Reconciliation, ReferenceTotals } from '#partner/servicing/collection/statement/reconcile.ts'
import {
  type SuggestedEntry,
  type Suggestion,
  suggestEntries,
} from '#partner/servicing/collection/statement/suggest-matches.ts'

const path = '/desk/books/bank'
/** Suggestions on one page; the rest follows once these are matched. */
const maxForms = 20
/** Lines or entries among which one form lets choose. */
const maxChoices = 100

/** Shows a form for each bank line with entries of the same amount, and one for a movement of several lines or entries. */
export function matchForms(reconciliation: Reconciliation, who: Staff): Html | false {
  const { statement, mismatches } = reconciliation
  if (!can(who, 'STATEMENT_PAIRED') || statement.closedAt !== null) return false
  const action = `${path}/${statement.statementId}/pair`
  const suggestions = suggestEntries(mismatches, maxForms)
  return html`${
    suggestions.length > 0 &&
    html`<section><h2>Match manually</h2>
<p>For one movement with different references at the bank and in the books, the closest first. The books do not change.</p>
<div class="columns">${suggestions.map((each) => suggestionForm(each, action))}</div></section>`
  }${severalForm(mismatches, action)}`
}

const suggestionForm = ({ line, entries, isAmbiguous }: Suggestion, action: string): Html =>
  html`<form class="card" method="post" action="${action}">
<p><strong>${signedInr(line.bank ?? 0n)}</strong> ${line.reference}, ${formatDay(line.valueOn)}</p>
<p class="quiet">${isAmbiguous ? 'Several entries fit equally well: choose one.' : capitalize(closenessText(entries[0]))}</p>
<input type="hidden" name="bank" value="${line.reference}">
<label class="broad"><span>Entry in the books</span><select name="books" required>${isAmbiguous && html`<option value="">Choose an entry</option>`}${entries.map(
    (each) =>
      html`<option value="${each.entry.reference}">${each.entry.reference}, ${dayText(each.entry.valueOn)}${each.entry.loanId !== null && `, loan ${each.entry.loanId}`}${entries.length > 1 && ` (${closenessText(each)})`}</option>`,
  )}</select></label>
<label class="broad"><span>Reason</span><input name="reason" ${reasonAttributes}></label>
<button class="secondary">Match</button></form>`

const referenceTexts = {
  same: 'same reference in another spelling',
  'in-text': 'reference in the text',
  part: 'part of the reference',
} as const

/** Says why an entry is suggested. */
function closenessText(entry: SuggestedEntry | undefined): string {
  if (!entry) return ''
  const days = entry.daysApart === 0 ? 'same day' : `${countText(entry.daysApart, 'day')} apart`
  const reference = entry.reference === null ? 'other reference' : referenceTexts[entry.reference]
  return `same amount, ${days}, ${reference}`
}

/** The form for one movement that is several lines of the bank, or several entries. */
function severalForm(mismatches: ReferenceTotals[], action: string): Html | false {
  const lines = mismatches.filter(({ books }) => books === null)
  const entries = mismatches.filter(({ bank }) => bank === null)
  if (lines.length === 0 || entries.length === 0 || lines.length + entries.length < 3) return false
  return html`<section><h2>Match several</h2>
<p>For one bank line of several entries, or several bank lines of one entry. The sums must be equal.</p>
<form class="card" method="post" action="${action}"><div class="columns">${choices('Bank lines', 'bank', lines)}${choices('Entries in the books', 'books', entries)}</div>
<label class="broad"><span>Reason</span><input name="reason" ${reasonAttributes}></label>
<button class="secondary">Match the selected</button></form></section>`
}

const choices = (legend: string, name: 'bank' | 'books', totals: ReferenceTotals[]): Html =>
  html`<fieldset><legend>${legend}</legend>${totals
    .slice(0, maxChoices)
    .map(
      (each) =>
        html`<label><input type="checkbox" name="${name}" value="${each.reference}"> ${signedInr(each[name] ?? 0n)} ${each.reference}, ${formatDay(each.valueOn)}</label>`,
    )}${totals.length > maxChoices && html`<p class="quiet">The oldest ${maxChoices} of ${totals.length}.</p>`}</fieldset>`

/** Lists the manual matches, each with a button to undo the match while the statement is open. */
export const matchesTable = ({ statement, matches }: Reconciliation, who: Staff): Html | false =>
  matches.length > 0 &&
  html`<section><h2>Matched manually</h2>${tableOf(
    'Matched manually',
    ['Bank', 'Books', { number: 'Amount' }, 'Reason', 'Who', 'When', ''],
    matches.map((each) => [
      referencesOf(each.bank),
      referencesOf(each.books),
      signedInr(each.bank.reduce((sum, { paise }) => sum + paise, 0n)),
      each.reason,
      each.pairer,
      formatTime(each.pairedAt),
      can(who, 'STATEMENT_UNPAIRED') &&
        statement.closedAt === null &&
        html`<form method="post" action="${path}/${statement.statementId}/unpair"><input type="hidden" name="bank" value="${each.bank[0]?.reference}"><button class="secondary">Undo</button></form>`,
    ]),
    { empty: '' },
  )}</section>`

const referencesOf = (parts: { reference: string }[]): string => parts.map(({ reference }) => reference).join(', ')

interface PairForm {
  statementId: string
  form: URLSearchParams
  staffId: string
  at: Date
}

/** The page of a refused act on a statement, with a link to the statement. */
export function refusedPage(ctx: Context, who: Staff, statementId: string, refusal: Refusal) {
  const body = html`<p><a href="${path}/${statementId}">Go to the statement</a></p>`
  const page = { title: 'This did not work', area: '/desk/books', back: false, body } as const
  return deskPage(ctx, who, { ...page, problem: toSentence(refusal.message) }, statusOf(refusal))
}

/** A route that executes an act on a statement and records the act, in one transaction. */
const pairRoute = (
  name: string,
  { summary, kind }: { summary: string; kind: Act },
  run: (tx: Tx, ctx: Context, submitted: PairForm) => Promise<Record<string, string>>,
) =>
  deskRoute({
    section: 'operation',
    hidden: true,
    method: 'POST',
    summary,
    accepts: 'raw',
    viewAct: null,
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
    onRefusal: ({ who, params: { statementId } }, refusal, ctx) => refusedPage(ctx, who, statementId, refusal),
  })

const referencePattern = /^\S[\s\S]{0,199}$/

function referencesIn(form: URLSearchParams, name: 'bank' | 'books'): string[] {
  const references = [...new Set(form.getAll(name).map((each) => each.trim()))]
  if (
    references.length === 0 ||
    references.length > maxChoices ||
    !references.every((each) => referencePattern.test(each))
  )
    throw new Refusal('invalid', `select at least one ${name === 'bank' ? 'bank line' : 'entry in the books'}`, {
      field: name,
    })
  return references
}

export const statementMatchRoutes = [
  pairRoute(
    'pair',
    { summary: 'Match a bank line with a book entry', kind: 'STATEMENT_PAIRED' },
    async (tx, ctx, { statementId, form, staffId, at }) => {
      const bankReferences = referencesIn(form, 'bank')
      const bookReferences = referencesIn(form, 'books')
      const reason = reasonIn(form)
      await matchByHand(tx, ctx, {
        statementId,
        bankReferences,
        bookReferences,
        reason,
        pairedBy: staffId,
        pairedAt: at,
      })
      return { bank: bankReferences.join(', '), books: bookReferences.join(', ') }
    },
  ),
  pairRoute(
    'unpair',
    { summary: 'Undo a match', kind: 'STATEMENT_UNPAIRED' },
    async (tx, _ctx, { statementId, form, staffId, at }) => {
      const bank = readField(form, 'bank', referencePattern)
      await undoMatch(tx, { statementId, bankReference: bank, undoneBy: staffId, undoneAt: at })
      return { bank }
    },
  ),
]
