// Plans the debit of a day: the dues without pending and claimed payments, up to the mandate's limit (D3 §6.7).
import { daysBetween, plusDays } from '@lendloom/lending/calendar'
import { minPaise, type Paise, paiseFrom } from '@lendloom/lending/money'
import { type Rail, returnPolicyOf } from '#partner/bank/rail/rail.ts'
import { railOf } from '#partner/bank/rail/rails.ts'
import type { Checks } from '#partner/origination/case/checks.ts'
import { type Debit, isDebit, isOpen, type Payment } from '#partner/servicing/collection/payment.ts'
import type { CollectionPolicy } from '#partner/servicing/collection/policy/store.ts'
import { isHeld } from './debit-hold.ts'

/** An unpaid row of the schedule, including penal charges. */
export interface PlannedRow {
  installmentId: string
  dueOn: string
  owedPaise: Paise
}

export interface DebitSituation {
  /** The business date of the debit. */
  on: string
  /** Whether the notice period after the last change of the schedule has passed. The schedule announces the debits. */
  isNoticePeriodOver: boolean
  /** Rows due on or before `on`, oldest first. */
  due: PlannedRow[]
  /** Every payment of the loan so far. */
  payments: Payment[]
  mandate: Checks['mandate']
  /** If `umrn` is set, the hold applies only to the mandate with this UMRN. */
  hold: { umrn: string | null } | null
  policy: Pick<CollectionPolicy, 'retryDays' | 'mostAttempts'>
  /** Whether policy and rail allow debits on `on`. */
  isCollectionDay: boolean
  /** Whether the bank accepts a debit now. */
  isOpen: boolean
  announcement: Announcement
  /** Whether to ignore collection days and retry limits, as an officer may decide. */
  isOverride: boolean
}

/** The highest amount that a notice announced in time, or why a debit must wait. */
export type Announcement = { upToPaise: Paise } | { blocked: DebitBlock }

export type Plan =
  | { installmentIds: string[]; amountPaise: Paise; umrn: string; mandateReference: string; attemptNumber: number }
  | { blocked: DebitBlock }

export type DebitBlock =
  | 'OUTSIDE_HOURS'
  | 'NOTHING_DUE'
  | 'NOTICE_TOO_SHORT'
  | 'NOT_ANNOUNCED'
  | 'ANNOUNCED_TOO_LATE'
  | 'ANNOUNCEMENT_REFUSED'
  | 'ATTEMPT_PENDING'
  | 'MANDATE_NOT_ACTIVE'
  | 'MANDATE_NOT_VALID'
  | 'MANDATE_FREQUENCY'
  | 'ON_HOLD'
  | 'NO_COLLECTION_DAY'
  | 'TOO_SOON'
  | 'TOO_MANY_ATTEMPTS'

const blocked = (reason: DebitBlock): Plan => ({ blocked: reason })

/**
 * Plans one debit for the oldest rows within the mandate's limit. Skips rows that a pending debit collects, and deducts
 * claimed payments that the bank has neither confirmed nor denied. Skips an instalment whose debits were returned too
 * often or too recently, but not the instalments after it. The rail's limits apply besides those of mandate and policy.
 */
export function planDebit(situation: DebitSituation): Plan {
  const { on, isNoticePeriodOver, due, payments, mandate, hold } = situation
  const debits = payments.filter(isDebit).filter(({ reversalOfPaymentId }) => !reversalOfPaymentId)
  const presented = new Set(debits.filter(isOpen).flatMap(({ installmentIds }) => installmentIds))
  const unpresented = due.filter(({ installmentId }) => !presented.has(installmentId))
  if (due.length > 0 && unpresented.length === 0) return blocked('ATTEMPT_PENDING')
  const claimed = payments.filter((each) => !each.collectionId && isOpen(each))
  const owed = deductClaims(unpresented, sum(claimed.map(({ amountPaise }) => amountPaise)))
  if (owed.length === 0)
    return blocked(claimed.length > 0 && unpresented.length > 0 ? 'ATTEMPT_PENDING' : 'NOTHING_DUE')

  if (!isNoticePeriodOver) return blocked('NOTICE_TOO_SHORT')
  const facts = mandate.status === 'ACTIVE' && mandate.verified ? mandate.facts : null
  const limit = paiseFrom(facts?.maximumAmount ?? '')
  if (!facts?.umrn || limit === null || limit <= 0n) return blocked('MANDATE_NOT_ACTIVE')
  if (hold && isHeld(hold, facts.umrn)) return blocked('ON_HOLD')
  if (!facts.validFrom || !facts.validUntil || on < facts.validFrom || on > facts.validUntil)
    return blocked('MANDATE_NOT_VALID')
  if (!allowsDebit(facts.frequency, facts.umrn, debits, on)) return blocked('MANDATE_FREQUENCY')
  if (!situation.isCollectionDay && !situation.isOverride) return blocked('NO_COLLECTION_DAY')

  const umrn = facts.umrn
  const rail = railOf(umrn)
  const returned = debits.filter((each) => each.umrn === umrn && wasReturned(each))
  const ready = debitableRows(owed, returned, situation, rail)
  if ('blocked' in ready) return ready
  if ('blocked' in situation.announcement) return situation.announcement
  if (!situation.isOpen) return blocked('OUTSIDE_HOURS')
  const rows = limitRows(ready.rows, minPaise(limit, rail.maxDebitPaise, situation.announcement.upToPaise))
  const installmentIds = rows.map(({ installmentId }) => installmentId)
  return {
    installmentIds,
    amountPaise: sum(rows.map(({ owedPaise }) => owedPaise)),
    umrn,
    mandateReference: facts.providerReferenceId,
    attemptNumber: Math.max(...installmentIds.map((id) => attemptsOf(returned, id).length)) + 1,
  }
}

/** Returns the rows that the retry policy allows to debit now, or the reason why there are none. */
function debitableRows(
  owed: PlannedRow[],
  returned: Debit[],
  { on, policy, isOverride }: DebitSituation,
  rail: Rail,
): { rows: PlannedRow[] } | { blocked: DebitBlock } {
  if (isOverride) return { rows: owed }
  const maxAttempts = Math.min(policy.mostAttempts, rail.maxAttempts)
  const retryDays = Math.max(policy.retryDays, rail.retryDays)
  const retriable = owed.filter(({ installmentId }) => attemptsOf(returned, installmentId).length < maxAttempts)
  if (retriable.length === 0) return { blocked: 'TOO_MANY_ATTEMPTS' }
  const rows = retriable.filter(({ installmentId }) =>
    attemptsOf(returned, installmentId).every(({ collectionOn }) => on >= plusDays(collectionOn, retryDays)),
  )
  return rows.length === 0 ? { blocked: 'TOO_SOON' } : { rows }
}

const sum = (amounts: Paise[]): Paise => amounts.reduce((total, amount) => total + amount, 0n)

/** Deducts claimed money from the unpaid rows, oldest first. */
function deductClaims(rows: PlannedRow[], claimed: Paise): PlannedRow[] {
  let left = claimed
  return rows.flatMap((row) => {
    const deducted = left < row.owedPaise ? left : row.owedPaise
    left -= deducted
    return deducted === row.owedPaise ? [] : [{ ...row, owedPaise: row.owedPaise - deducted }]
  })
}

/** Returns the oldest rows whose sum is within the limit, or part of the first row if it alone exceeds the limit. */
function limitRows(rows: PlannedRow[], limit: Paise): PlannedRow[] {
  let left = limit
  const end = rows.findIndex(({ owedPaise }) => {
    left -= owedPaise
    return left < 0n
  })
  const [first] = rows
  if (first && end === 0) return [{ ...first, owedPaise: limit }]
  return end < 0 ? rows : rows.slice(0, end)
}

/** Whether the mandate's frequency allows a debit: a weekly mandate allows one successful debit in seven days. */
function allowsDebit(frequency: string | null, umrn: string, debits: Debit[], on: string): boolean {
  if (frequency !== 'WEEK' && frequency !== 'WEEKLY') return true
  const successful = debits.filter((each) => each.umrn === umrn && each.status === 'POSTED')
  return successful.every(({ collectionOn }) => Math.abs(daysBetween(collectionOn, on)) >= 7)
}

/** Whether a debit counts as a failed attempt: its return code allows a retry, or it was reversed after posting. */
const wasReturned = ({ status, reasonCode, umrn }: Debit): boolean =>
  status === 'TAKEN_BACK' ||
  (status === 'FAILED' && reasonCode !== null && returnPolicyOf(railOf(umrn), reasonCode) === 'retry')

const attemptsOf = (returned: Debit[], id: string): Debit[] =>
  returned.filter(({ installmentIds }) => installmentIds.includes(id))
