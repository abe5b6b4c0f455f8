// The borrower asks to leave within the cooling-off period; a loan that nothing is owed of then is left at once (RBI Digital Lending Directions).

import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { daysBetween, plusDays } from '#kit/money/calendar.ts'
import { readEntries } from '#partner/ledger/store.ts'
import { coolingOffUntil, lastPaidOn, lateDays } from './exit.ts'
import type { Loan, LoanStatus } from './loan.ts'
import { leftUnpaid } from './receive.ts'
import { settleRepaid } from './settle.ts'
import { lockAccount, saveExit } from './store.ts'

/** Days that a transfer between banks may take after it was written down that the borrower leaves. */
const transferDays = 3

export interface ExitRequest {
  /** The day on which the borrower asked. */
  requestedOn: string
  /** Its source: a complaint or message, by number. */
  reference: string | null
  today: string
}

export interface ExitResult {
  /** The last day for the money. */
  until: string
  /** Earlier money closes the loan without the fee, which is refunded now. */
  hasLeft: boolean
  loanStatus: LoanStatus
}

/**
 * Records the borrower's request to leave, under the lock of the case. Money within three days, of the amount that
 * `exitOn` gives, closes the loan; when nothing is owed, it closes now, also a loan that was closed before the request.
 * The date of the request counts, not that of its record: interest runs to the later of that day and the day of the
 * money. Recording it again replaces it. Refused: `absent` no account · `invalid` an impossible day, or an earlier day
 * without a reference · `wrong-state` the loan is not running and has no fee to refund, or the cooling-off period was
 * over on that day.
 */
export async function askToLeave(tx: Tx, caseRef: string, leaving: ExitRequest, at: Date): Promise<ExitResult> {
  const [before, posted] = await Promise.all([lockAccount(tx, caseRef), readEntries(tx, caseRef)])
  if (!before) throw new Refusal('absent', 'this case has no loan account')
  const { loan } = before
  const isRunning = loan.status === 'ACTIVE' || loan.status === 'OVERDUE'
  if (!isRunning && loan.status !== 'CLOSED') throw new Refusal('wrong-state', 'this loan does not run')
  mustBeInTime(loan, leaving)
  const { requestedOn, reference, today } = leaving
  const until = plusDays(today, transferDays)
  const paidOn = lastPaidOn(posted) ?? requestedOn
  const on = paidOn > requestedOn ? paidOn : requestedOn
  const after = leftUnpaid({ ...loan, exitUntil: until }, before.rows, { posted, on, today, at })
  if (!isRunning && !after) throw new Refusal('wrong-state', 'this loan does not run, and has no fee to give back')
  await saveExit(tx, caseRef, { until, requestedOn, reference })
  if (!after) return { until, hasLeft: false, loanStatus: loan.status }
  const because = { reason: 'COOLING_OFF_EXIT', on: today }
  const loanStatus = await settleRepaid(tx, { before, after, entries: after.entries }, because, at)
  return { until, hasLeft: true, loanStatus }
}

function mustBeInTime(loan: Loan, { requestedOn, reference, today }: ExitRequest): void {
  const invalid = (field: string, why: string) => new Refusal('invalid', `${field} ${why}`, { field })
  if (requestedOn > today) throw invalid('requestedOn', `must not be after today, ${today}`)
  if (requestedOn < loan.disbursedOn)
    throw invalid('requestedOn', `must not be before the money came, ${loan.disbursedOn}`)
  if (daysBetween(requestedOn, today) > lateDays)
    throw invalid('requestedOn', `must not be more than ${lateDays} days ago`)
  if (requestedOn < today && reference === null)
    throw invalid('reference', 'is needed for an earlier day: the complaint or the message, by its number')
  if (requestedOn > coolingOffUntil(loan))
    throw new Refusal('wrong-state', `the cooling-off period ended on ${coolingOffUntil(loan)}`)
}
