// The effect of borrower money on a loan: it pays dues, may pay the next row early, and repays principal with the rest;
// pure rules.

import { greatest, least, type Paise } from '#kit/money/money.ts'
import type { ChartAccount as LedgerAccount } from '#partner/ledger/chart.ts'
import { type Posting, posting } from '#partner/ledger/store.ts'
import { type Allocation, postingsOf, type ReopenContext, received, type Share, spread, takenBack } from './allocate.ts'
import { type InterestReturn, type LateNews, shared, withGivenBack } from './given-back.ts'
import type { Keep } from './loan.ts'
import { countedUntil, keptBefore, type PlanBasis, repayable, replanned, rowsToCome } from './replan.ts'
import { unitOf } from './rounding.ts'
import { type InstallmentRow, parts, statusOf } from './row.ts'

/** A loan's rows, all of them, with what they follow from. */
export interface Repaid {
  loan: PlanBasis
  rows: InstallmentRow[]
  /** Prepaid interest that now repays principal, and other movements by the new schedule; a separate entry. */
  moved: Posting[]
  /** Whether there is a new version of the schedule. */
  isReplanned: boolean
}

export interface Money {
  paise: Paise
  /** Its origin: the bank, or an earlier overpayment. */
  from: Extract<LedgerAccount, 'BANK' | 'UNAPPLIED'>
  /** The business day of its arrival. */
  on: string
  /** The business day of posting, not before its arrival. */
  today: string
  /**
   * The borrower wants principal repaid, however small the amount. Otherwise less than the next instalment pays that
   * early.
   */
  isPartPayment: boolean
  keep: Keep
  /** Its corrections, if the lender learned of it late. */
  late?: LateNews
  at: Date
}

/**
 * Allocation: first due and overdue rows, oldest first. The rest pays the current row early, as a borrower who pays
 * before the debit intends; further money repays principal on its day, in any number of payments. Once all principal is
 * repaid, money pays interest until that day; any excess belongs to the borrower. Money that closes the loan, and a
 * part payment, repay principal at once. Interest on money that the bank reported late is refunded, and allocated like
 * that money.
 */
export function repay(account: Pick<Repaid, 'loan' | 'rows'> & Partial<Repaid>, money: Money) {
  const rows = countedUntil(account.loan, account.rows, money.today)
  const now: Repaid = { moved: [], isReplanned: false, ...account, rows }
  const { shares, principal, back, unapplied, ...after } = repaidWith(now, money, backFor(now, money))
  const allocation: Allocation = { shares, principal, back, unapplied }
  return { ...after, allocation, postings: postingsOf(money.from, allocation) }
}

type RepaidAhead = Repaid & Allocation

/** More than any loan is worth. */
export const plenty: Paise = 10n ** 17n

/**
 * Refunded interest of rows; when the money would have closed the loan on its day, the amount that closes it now. Both
 * are equal except for rounding: if they are not, the loan differs from the replay, and the money either closes it by
 * itself or does not.
 */
function backFor(now: Repaid, money: Money): InterestReturn[] {
  const { late } = money
  if (!late) return []
  const back = shared(late.paise, late.rows)
  if (late.kept === null) return back
  const needed = plenty - repaidWith(now, { ...money, paise: plenty }, []).unapplied
  const closing = shared(needed + late.kept - money.paise, late.closingRows)
  const roundings = unitOf(now.loan.terms.rounding) * BigInt(now.rows.length) + 100n
  if (paiseOf(closing) - late.paise > roundings) return back
  return statusOf(repaidWith(now, money, closing).rows) === 'repaid' ? closing : back
}

const paiseOf = (back: InterestReturn[]): Paise => back.reduce((sum, { paise }) => sum + paise, 0n)

/** The money is allocated with the refunded interest on it. */
function repaidWith(given: Repaid, money: Money, back: InterestReturn[]): RepaidAhead {
  const { today, isPartPayment, at } = money
  const rows = withGivenBack(given.rows, back)
  const due = spread(
    rows.filter((row) => row.fellDue || row.dueOn <= today),
    money.paise + paiseOf(back),
  )
  const now = { ...given, rows: received(rows, due.shares, at) }
  const done =
    isPartPayment || due.rest === 0n ? repaidAhead(now, due.rest, [], money) : repaidOrEarly(now, due.rest, money)
  return { ...done, shares: together(due.shares, done.shares), back }
}

type PaidAhead = Repaid & Omit<Allocation, 'back'>

/** Money closes the loan, or pays the row under way early. */
function repaidOrEarly(now: Repaid, paise: Paise, money: Money): PaidAhead {
  if (paise < repayable(now.loan, now.rows, money.today)) return repaidEarly(now, paise, money)
  const straight = repaidAhead(now, paise, [], money)
  return statusOf(straight.rows) === 'repaid' ? straight : repaidEarly(now, paise, money)
}

/** The row under way is paid, and principal with what it does not ask for. */
function repaidEarly(now: Repaid, paise: Paise, money: Money): PaidAhead {
  const { shares, rest } = spread(rowsToCome(now.rows, money.today).slice(0, 1), paise)
  const paid = { ...now, rows: received(now.rows, shares, money.at) }
  return repaidAhead(paid, rest, shares, money)
}

/** Repays principal after the `early` shares, and with an excess also interest until the day. */
export function repaidAhead(
  given: Repaid,
  paise: Paise,
  early: Share[],
  { today, at, keep }: Pick<Money, 'today' | 'at' | 'keep'>,
): PaidAhead {
  let [now, rest, principal] = [given, paise, 0n]
  const repayPrincipal = (sum: Paise) => {
    now = replannedBy(now, { principal: -sum, on: today, keep, at })
  }
  if (early.some(({ interest, principal: ofRow }) => interest + ofRow > 0n)) repayPrincipal(0n)
  while (rest > 0n) {
    const paid = least(rest, repayable(now.loan, now.rows, today))
    if (paid === 0n) break
    repayPrincipal(paid)
    rest -= paid
    principal += paid
  }
  const last = spread(now.rows, rest)
  const rows = received(now.rows, last.shares, at)
  return { ...now, rows, shares: together(early, last.shares), principal, unapplied: last.rest }
}

/** The loan with a changed future principal, after other changes. */
function replannedBy(
  now: Pick<Repaid, 'loan' | 'rows'> & Partial<Repaid>,
  change: Parameters<typeof replanned>[2],
): Repaid {
  const { rows, postings, installmentPaise } = replanned(now.loan, now.rows, change)
  const moved = [...(now.moved ?? []), ...postings]
  const isReplanned = now.isReplanned || moved.length > 0 || !asksTheSame(now.rows, rows)
  return { loan: { ...now.loan, installmentPaise }, rows, moved, isReplanned }
}

/** Whether two versions of a schedule ask for the same amounts on the same days. */
const asksTheSame = (some: InstallmentRow[], more: InstallmentRow[]): boolean =>
  some.length === more.length &&
  some.every((row, i) => row.dueOn === more[i]?.dueOn && parts.every((part) => row.due[part] === more[i]?.due[part]))

/** Shares of the same rows, added up. */
export function together(some: Share[], more: Share[]): Share[] {
  const byRow = new Map(some.map((share) => [share.number, share]))
  for (const share of more) {
    const known = byRow.get(share.number)
    const sum = { ...share }
    if (known) for (const part of parts) sum[part] += known[part]
    byRow.set(share.number, sum)
  }
  return [...byRow.values()]
}

/**
 * The loan after money was returned on a day: its rows are open, and prepaid principal is owed from then on, by the
 * regular instalment, or spread over future rows if it was lowered.
 */
export function unpaid(
  { loan, rows }: Pick<Repaid, 'loan' | 'rows'>,
  allocation: Allocation,
  reopening: ReopenContext,
): Repaid {
  const { shares, principal, back } = allocation
  const charged = withGivenBack(
    rows,
    back.map(({ number, paise }) => ({ number, paise: -paise })),
  )
  const { on, at } = reopening
  const opened = restored(takenBack(countedUntil(loan, charged, on), shares, reopening))
  const now = { loan, ...opened, isReplanned: opened.moved.length > 0 }
  const coming = rowsToCome(now.rows, on)
  const isOfComing = coming.some((row) => shares.some(({ number }) => number === row.number))
  if (principal === 0n && !isOfComing) return now
  return replannedBy(now, { principal, on, keep: keptBefore(loan), isOwedAgain: true, at })
}

/**
 * Reverses conversions: prepaid interest that had become principal or the borrower's is interest again when its payment
 * is reversed, and principal that had become interest is principal again; likewise the payment of a reversed penal
 * charge.
 */
function restored(rows: InstallmentRow[]): Pick<Repaid, 'rows' | 'moved'> {
  const moved: Posting[] = []
  const after = rows.map((row) => {
    const { interest, penalty, principal } = row.paid
    if (interest >= 0n && penalty >= 0n && principal >= 0n) return row
    const missing = { interest: greatest(-interest, 0n), principal: greatest(-principal, 0n) }
    const [fromPrincipal, fromInterest] = [
      least(missing.interest, greatest(principal, 0n)),
      least(missing.principal, greatest(interest, 0n)),
    ]
    moved.push(...posting('PRINCIPAL', 'INTEREST', fromPrincipal - fromInterest, row.number))
    moved.push(...posting('UNAPPLIED', 'INTEREST', missing.interest - fromPrincipal, row.number))
    moved.push(...posting('UNAPPLIED', 'PRINCIPAL', missing.principal - fromInterest, row.number))
    moved.push(...posting('UNAPPLIED', 'PENALTY', greatest(-penalty, 0n), row.number))
    const paid = {
      penalty: greatest(penalty, 0n),
      interest: greatest(interest, 0n) - fromInterest,
      principal: greatest(principal, 0n) - fromPrincipal,
    }
    return { ...row, paid: { ...row.paid, ...paid } }
  })
  return { rows: after, moved }
}
