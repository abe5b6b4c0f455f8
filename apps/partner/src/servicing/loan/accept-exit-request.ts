// Accepts a cooling-off exit request (RBI Digital Lending Directions). Exits at once if only the fee is owed.

import { Refusal } from '@lendloom/foundation/refusal'
import { dayText, plusDays } from '@lendloom/lending/calendar'
import type { Tx } from '@lendloom/postgres/sql'
import { readEntries } from '#partner/books/ledger/store.ts'
import { coolingOffUntil, firstPaidOn, recordableDays } from './exit.ts'
import { isRunning, type Loan, type LoanStatus } from './loan.ts'
import { exitWithoutPayment } from './receipt-effect.ts'
import { lockAccount, saveExit } from './store.ts'
import { storeChangeWithSchedule } from './store-account-change.ts'

/** Days after the recording within which the borrower must pay. */
const transferDays = 3

export interface ExitRequest {
  /** The day on which the borrower made the request. */
  requestedOn: string
  /** The number of the complaint or message that contains the request. */
  reference: string | null
  today: string
}

export interface ExitResult {
  /** Last value date for the payment. */
  until: string
  /** Whether earlier payments already cover the exit, so that the loan is closed and the fee refunded now. */
  hasExited: boolean
  loanStatus: LoanStatus
}

/**
 * Checks and stores the exit request under the account's lock. A payment of the exit amount within three days closes the loan. If
 * only the fee is owed, the exit completes now, even for a loan that was closed before the request. Interest is owed
 * until the value date of the payment that left only the fee. A new request replaces the earlier request.
 * Throws `absent` without an account; `invalid` for an impossible request date, or a request date before today without
 * a reference; `wrong-state` if the loan is not running and has no fee to refund, was settled for less, or if the
 * cooling-off period had ended on the request date.
 */
export async function acceptExitRequest(tx: Tx, caseRef: string, request: ExitRequest, at: Date): Promise<ExitResult> {
  const [before, posted] = await Promise.all([lockAccount(tx, caseRef), readEntries(tx, caseRef)])
  if (!before) throw new Refusal('absent', 'this case has no loan account')
  const { loan } = before
  if (!isRunning(loan.status) && loan.status !== 'CLOSED') throw new Refusal('wrong-state', 'this loan is not running')
  if (loan.settledOn !== null) throw new Refusal('wrong-state', 'this loan was settled for less')
  validateRequest(loan, request)
  const { requestedOn, reference, today } = request
  const until = plusDays(today, transferDays)
  const on = firstPaidOn(posted) ?? requestedOn
  const after = exitWithoutPayment({ ...loan, exitUntil: until }, before.rows, { posted, on, today, at })
  if (!isRunning(loan.status) && !after)
    throw new Refusal('wrong-state', 'this loan is not running, and has no fee to refund')
  await saveExit(tx, caseRef, { until, requestedOn, reference })
  if (!after) return { until, hasExited: false, loanStatus: loan.status }
  const reason = { reason: 'COOLING_OFF_EXIT', on: today }
  const loanStatus = await storeChangeWithSchedule(tx, { before, after, entries: after.entries }, reason, at)
  return { until, hasExited: true, loanStatus }
}

function validateRequest(loan: Loan, { requestedOn, reference, today }: ExitRequest): void {
  const period = { disbursedOn: loan.disbursedOn, coolingOffUntil: coolingOffUntil(loan) }
  const days = recordableDays(period, today)
  if (!days) throw new Refusal('wrong-state', `the cooling-off period ended on ${dayText(period.coolingOffUntil)}`)
  const { first, last } = days
  const invalid = (field: string, why: string) => new Refusal('invalid', why, { field })
  if (requestedOn < first || requestedOn > last)
    throw invalid('requestedOn', `choose a day from ${dayText(first)} to ${dayText(last)}`)
  if (requestedOn < today && reference === null)
    throw invalid('reference', 'enter the number of the complaint or message, because the day is before today')
}
