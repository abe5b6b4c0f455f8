// The movements of a bank statement: the unmatched ones with their age, and the matched ones.

import { type Html, html } from '@lendloom/http/markup'
import { daysBetween } from '@lendloom/lending/calendar'
import type { Paise } from '@lendloom/lending/money'
import { caseLink } from '#partner/desk/frame.ts'
import { maskedText } from '#partner/desk/parts/facts.ts'
import { countText, exactInr, formatDay, signedInr } from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import type { ReferenceTotals } from '#partner/servicing/collection/statement/reconcile.ts'
import { groupByAge } from '#partner/servicing/collection/statement/suggest-matches.ts'

interface UnmatchedView {
  seesDescriptions: boolean
  /** Whether to list all movements, for the CSV, or only the first. */
  isWhole: boolean
  today: string
}

/** The differences by age, and each of them; false without any. */
export function unmatchedPart(
  mismatches: ReferenceTotals[],
  { seesDescriptions, isWhole, today }: UnmatchedView,
): Html | false {
  if (mismatches.length === 0) return false
  return html`<h2>Unmatched</h2>
<p>A movement that the bank dates just outside the period is in the adjacent statement. A receipt that is only in the statement is not posted: if the bank has also reported it here, it is under <a href="/desk/money">Payments</a>.</p>
${tableOf(
  'Unmatched by age',
  ['Age', { number: 'Movements' }, { number: 'Difference' }],
  groupByAge(mismatches, today).map(({ from, to, count, difference }) => [
    Number.isFinite(to) ? `${from}–${to} days` : `Over ${from - 1} days`,
    count,
    exactInr(difference),
  ]),
  { empty: '' },
)}${tableOf(
  'Unmatched',
  ['Difference', 'Day', 'Reference', { number: 'Bank' }, { number: 'Books' }, 'Bank description', 'Loan', 'Age'],
  mismatches
    .slice(0, isWhole ? mismatches.length : maxRows)
    .map((each) => [
      differenceText(each),
      formatDay(each.valueOn),
      each.reference,
      amountText(each.bank),
      amountText(each.books),
      seesDescriptions || each.description === '' ? each.description : maskedText,
      each.caseRef && caseLink(each.caseRef, each.loanId ?? each.caseRef),
      countText(Math.max(0, daysBetween(each.valueOn, today)), 'day'),
    ]),
  { empty: '' },
)}${!isWhole && firstRowsText(mismatches)}`
}

/** The movements whose reference and amount are equal; false without any. */
export const matchedPart = (lines: ReferenceTotals[], isWhole: boolean): Html | false =>
  lines.length > 0 &&
  html`<section><h2>Matched</h2>${tableOf(
    'Matched',
    ['Day', 'Reference', { number: 'Amount' }, 'Loan'],
    lines
      .slice(0, isWhole ? lines.length : maxRows)
      .map((each) => [
        formatDay(each.valueOn),
        each.reference,
        amountText(each.bank),
        each.caseRef && caseLink(each.caseRef, each.loanId ?? each.caseRef),
      ]),
    { empty: '' },
  )}${!isWhole && firstRowsText(lines)}</section>`

const firstRowsText = ({ length }: ReferenceTotals[]): Html | false =>
  length > maxRows &&
  html`<p class="quiet">The first ${maxRows} of ${countText(length, 'movement')}. The CSV has all.</p>`

/** Rows on the page. The file has all rows. */
const maxRows = 500

const amountText = (paise: Paise | null) => (paise === null ? '' : signedInr(paise))

const differenceText = ({ bank, books }: ReferenceTotals): string =>
  bank === null ? 'Only in the books' : books === null ? 'Only in the statement' : 'Amounts differ'
