// Records a cooling-off exit request (RBI Digital Lending Directions). Exits at once if only the fee is owed.

import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { daysBetween, plusDays } from '#kit/money/calendar.ts'
import { readEntries } from '#partner/ledger/store.ts'
import { coolingOffUntil, lastPaidOn, maxRecordingDays } from './exit.ts'
import type { Loan, LoanStatus } from './loan.ts'
import { exitWithoutPayment } from './receive.ts'
import { settleWithSchedule } from './settle.ts'
import { lockAccount, saveExit } from './store.ts'

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
 * Records the exit request under the account's lock. A payment of the exit amount within three days closes the loan. If
 * only the fee is owed, the exit completes now, even for a loan that was closed before the request. Interest is owed
 * until the value date of the payment that left only the fee. A new request replaces the earlier request.
 * Throws `absent` without an account; `invalid` for an impossible request date, or a request date before today without
 * a reference; `wrong-state` if the loan is not running and has no fee to refund, or if the cooling-off period had
 * ended on the request date.
 */
export async function recordExitRequest(tx: Tx, caseRef: string, request: ExitRequest, at: Date): Promise<ExitResult> {
  const [before, posted] = await Promise.all([lockAccount(tx, caseRef), readEntries(tx, caseRef)])
  if (!before) throw new Refusal('absent', 'this case has no loan account')
  const { loan } = before
  const isRunning = loan.status === 'ACTIVE' || loan.status === 'OVERDUE'
  if (!isRunning && loan.status !== 'CLOSED') throw new Refusal('wrong-state', 'this loan is not running')
  validateRequest(loan, request)
  const { requestedOn, reference, today } = request
  const until = plusDays(today, transferDays)
  const paidOn = lastPaidOn(posted) ?? requestedOn
  const exitOn = (on: string) =>
    exitWithoutPayment({ ...loan, exitUntil: until }, before.rows, { posted, on, today, at })
  const after = exitOn(paidOn) ?? (paidOn < requestedOn ? exitOn(requestedOn) : null)
  if (!isRunning && !after) throw new Refusal('wrong-state', 'this loan is not running, and has no fee to refund')
  await saveExit(tx, caseRef, { until, requestedOn, reference })
  if (!after) return { until, hasExited: false, loanStatus: loan.status }
  const reason = { reason: 'COOLING_OFF_EXIT', on: today }
  const loanStatus = await settleWithSchedule(tx, { before, after, entries: after.entries }, reason, at)
  return { until, hasExited: true, loanStatus }
}

function validateRequest(loan: Loan, { requestedOn, reference, today }: ExitRequest): void {
  const invalid = (field: string, why: string) => new Refusal('invalid', `${field} ${why}`, { field })
  if (requestedOn > today) throw invalid('requestedOn', `must not be after today, ${today}`)
  if (requestedOn < loan.disbursedOn)
    throw invalid('requestedOn', `must not be before the disbursement on ${loan.disbursedOn}`)
  if (daysBetween(requestedOn, today) > maxRecordingDays)
    throw invalid('requestedOn', `must not be more than ${maxRecordingDays} days ago`)
  if (requestedOn < today && reference === null)
    throw invalid('reference', 'is required for an earlier day: the number of the complaint or message')
  if (requestedOn > coolingOffUntil(loan))
    throw new Refusal('wrong-state', `the cooling-off period ended on ${coolingOffUntil(loan)}`)
}
