// Leaving a loan within the cooling-off period: principal and interest for the days, and the fee given back (RBI Digital Lending Directions).

import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { daysBetween, plusDays } from '#kit/money/calendar.ts'
import type { Paise } from '#kit/money/money.ts'
import { type Entry, posting } from '#partner/ledger/entry.ts'
import type { Loan } from './loan.ts'
import { type Payoff, payoffOn, payoffWith } from './payoff.ts'
import { type Repaid, replannedBy } from './repay.ts'
import { type Planned, repayable } from './replan.ts'
import type { Row } from './row.ts'
import { lockAccount, saveExit } from './store.ts'

/** Days that a transfer between banks may take after it was written down that the borrower leaves. */
const transferDays = 3

/** Days until when somebody may write down what a borrower asked: a weekend and the holidays beside it. */
const lateDays = 7

/** The last day on which the borrower may ask to leave; the day of the transfer is not counted. */
export const coolingOffUntil = ({ disbursedOn, terms }: Pick<Loan, 'disbursedOn' | 'terms'>): string =>
  plusDays(disbursedOn, terms.coolOffDays)

/** The last day on which it may be written down that the borrower asked in time. */
export const exitNotedUntil = (loan: Pick<Loan, 'disbursedOn' | 'terms'>): string =>
  plusDays(coolingOffUntil(loan), lateDays)

/** What of a loan its fee is given back by. */
export type LeavableLoan = Planned & Pick<Loan, 'caseRef' | 'exitUntil'>

/** What is given back: the processing fee and the tax on it. */
const feeOf = ({ terms }: Pick<Loan, 'terms'>): Paise => terms.feePaise + terms.taxPaise

/** The loan once its fee was given back on a day, and how much of it repaid principal: what there is no principal for is paid out. */
function withoutFee(loan: Planned, rows: Row[], { today, at }: Pick<LeavingMoney, 'today' | 'at'>) {
  const [fee, most] = [feeOf(loan), repayable(loan, rows, today)]
  const principal = fee < most ? fee : most
  if (principal === 0n) return { principal, after: { loan, rows, moved: [], isReplanned: false } }
  const after = replannedBy({ loan, rows }, { principal: -principal, on: today, keep: 'INSTALLMENT', at })
  return { principal, after }
}

/** What leaves the loan on a day: all that closes it, once the fee and the tax on it were given back; and what of them repaid principal. */
export function exitOn(loan: Planned, rows: Row[], on: string, at: Date): Payoff & { feePaise: Paise } {
  const { principal: feePaise, after } = withoutFee(loan, rows, { today: on, at })
  return { ...payoffOn(after.loan, after.rows, on, at), feePaise }
}

export interface Leaving {
  /** The day on which the borrower asked. */
  requestedOn: string
  /** Where that can be read: a complaint or a message, by its number. */
  reference: string | null
  today: string
}

/**
 * The borrower has asked to leave; under the lock of the case. Money that comes within three days from today for what `exitOn`
 * says closes the loan. What counts is the day on which the borrower asked, not when it is written down. Writing it down again
 * replaces it. Gives the last day for the money. Refused: `absent` no account · `invalid` a day that cannot be, or an earlier
 * day without a reference · `wrong-state` the loan does not run, or the cooling-off period was over on that day.
 */
export async function askToLeave(tx: Tx, caseRef: string, leaving: Leaving): Promise<string> {
  const account = await lockAccount(tx, caseRef)
  if (!account) throw new Refusal('absent', 'this case has no loan account')
  const { loan } = account
  if (loan.status !== 'ACTIVE' && loan.status !== 'OVERDUE') throw new Refusal('wrong-state', 'this loan does not run')
  mustBeInTime(loan, leaving)
  const { requestedOn, reference, today } = leaving
  const until = plusDays(today, transferDays)
  await saveExit(tx, caseRef, { until, requestedOn, reference })
  return until
}

function mustBeInTime(loan: Loan, { requestedOn, reference, today }: Leaving): void {
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

/** The returns of a fee that are in force, the oldest first, and how many were taken back. */
export interface FeeReturns {
  inForce: Entry[]
  takenBack: number
}

/** `entries` are those of `entriesOfFeeReturns`, in the order in which they were posted. */
export function feeReturnsFrom(entries: Entry[]): FeeReturns {
  const returns = entries.filter(({ kind }) => kind === 'FEE_RETURN')
  const inForce = returns.filter(({ entryId }) => !entries.some(({ reverses }) => reverses === entryId))
  return { inForce, takenBack: returns.length - inForce.length }
}

/**
 * Counts the returns that were taken back, so that a unique index refuses a second one in force. Entries of earlier versions
 * have no number.
 */
const feeReturnId = (takenBack: number, paymentId: string): string => `fee-return-${takenBack + 1}-of-${paymentId}`

/** Whether a fee was given back with the money of a payment. */
export const isReturnedWith = ({ entryId }: Entry, paymentId: string): boolean =>
  entryId.replace(/^fee-return-(\d+-of-)?/, '') === paymentId

interface LeavingMoney {
  paymentId: string
  paise: Paise
  on: string
  today: string
  at: Date
}

/** Whether money of a day may leave the loan: the borrower asked to, and has the fee not back yet. */
export const mayLeave = ({ exitUntil }: Pick<Loan, 'exitUntil'>, on: string, returns: FeeReturns): boolean =>
  exitUntil !== null && on <= exitUntil && returns.inForce.length === 0

/** The loan after its fee was given back, where this money is what leaves it; null where it is not. */
export function feeReturned(
  loan: LeavableLoan,
  rows: Row[],
  money: LeavingMoney,
  returns: FeeReturns,
): (Repaid & { entry: Entry; repaidWith: Paise }) | null {
  const { caseRef, terms } = loan
  const { paymentId, paise, on, today, at } = money
  if (!mayLeave(loan, on, returns) || feeOf(loan) === 0n) return null
  const { principal, after } = withoutFee(loan, rows, money)
  if (paise < payoffWith(after.loan, after.rows, { on, today, repaidWith: principal, at }).total) return null
  const fromFee = principal < terms.feePaise ? principal : terms.feePaise
  const postings = [
    ...posting('FEE_INCOME', 'PRINCIPAL', fromFee),
    ...posting('FEE_INCOME', 'UNAPPLIED', terms.feePaise - fromFee),
    ...posting('TAX_PAYABLE', 'PRINCIPAL', principal - fromFee),
    ...posting('TAX_PAYABLE', 'UNAPPLIED', terms.taxPaise - (principal - fromFee)),
  ]
  const entryId = feeReturnId(returns.takenBack, paymentId)
  const entry: Entry = { caseRef, entryId, kind: 'FEE_RETURN', businessOn: on, reverses: null, postings }
  return { ...after, entry, repaidWith: principal }
}
