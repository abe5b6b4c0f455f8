// The debit of today, if any: dues less received and pending money, within the mandate's limit (D3 §6.7).
import { daysBetween, plusDays } from '#kit/money/calendar.ts'
import { type Paise, paiseFrom } from '#kit/money/money.ts'
import type { Checks } from '#partner/case/check.ts'
import { type Debit, isDebit, isOpen, type Payment } from './payment.ts'
import type { CollectionPolicy } from './policy/store.ts'
import { policyOf } from './return-code.ts'

/** A row of the schedule with something to pay, penal charges included. */
export interface PlannedRow {
  installmentId: string
  dueOn: string
  owedPaise: Paise
}

export interface Situation {
  /** The business date of the debit. */
  on: string
  /** The schedule, which is the notice of its debits, has been with the borrower for long enough. */
  isNoticed: boolean
  /** Rows due on or before that date, the oldest first. */
  due: PlannedRow[]
  /** Every payment of the loan so far. */
  payments: Payment[]
  mandate: Checks['mandate']
  /** Blocked until a person, or a new mandate, lifts it. */
  hold: { umrn: string | null } | null
  policy: Pick<CollectionPolicy, 'retryDays' | 'mostAttempts'>
  /** Whether the policy presents debits on that day: not on every day of the week, nor on every bank holiday. */
  isCollectionDay: boolean
  /** A person's request: day and earlier returns do not block it. */
  isOverride: boolean
}

export type Plan =
  | { installmentIds: string[]; amountPaise: Paise; umrn: string; mandateReference: string; attemptNumber: number }
  | { blocked: DebitBlock }

export type DebitBlock =
  | 'OUTSIDE_HOURS'
  | 'NOTHING_DUE'
  | 'NOTICE_TOO_SHORT'
  | 'ATTEMPT_PENDING'
  | 'MANDATE_NOT_ACTIVE'
  | 'MANDATE_NOT_VALID'
  | 'MANDATE_FREQUENCY'
  | 'ON_HOLD'
  | 'NO_COLLECTION_DAY'
  | 'TOO_SOON'
  | 'TOO_MANY_ATTEMPTS'

const blocked = (why: DebitBlock): Plan => ({ blocked: why })

/**
 * The oldest rows that fit under the mandate's limit, in one debit. Rows of a pending debit are left out, and claimed
 * payments are deducted until the bank confirms or denies them. An instalment that was returned too often, or recently,
 * does not delay the next ones.
 */
export function planDebit(situation: Situation): Plan {
  const { on, isNoticed, due, payments, mandate, hold } = situation
  const debits = payments.filter(isDebit).filter(({ reversalOfPaymentId }) => !reversalOfPaymentId)
  const presented = new Set(debits.filter(isOpen).flatMap(({ installmentIds }) => installmentIds))
  const free = due.filter(({ installmentId }) => !presented.has(installmentId))
  if (due.length > 0 && free.length === 0) return blocked('ATTEMPT_PENDING')
  const claimed = payments.filter((each) => !each.collectionId && isOpen(each))
  const owed = lessClaims(free, sum(claimed.map(({ amountPaise }) => amountPaise)))
  if (owed.length === 0) return blocked(claimed.length > 0 && free.length > 0 ? 'ATTEMPT_PENDING' : 'NOTHING_DUE')

  if (!isNoticed) return blocked('NOTICE_TOO_SHORT')
  const facts = mandate.status === 'ACTIVE' && mandate.verified ? mandate.facts : null
  const limit = paiseFrom(facts?.maximumAmount ?? '')
  if (!facts?.umrn || limit === null || limit <= 0n) return blocked('MANDATE_NOT_ACTIVE')
  if (hold && (hold.umrn === null || hold.umrn === facts.umrn)) return blocked('ON_HOLD')
  if (!facts.validFrom || !facts.validUntil || on < facts.validFrom || on > facts.validUntil)
    return blocked('MANDATE_NOT_VALID')
  if (!allows(facts.frequency, facts.umrn, debits, on)) return blocked('MANDATE_FREQUENCY')
  if (!situation.isCollectionDay && !situation.isOverride) return blocked('NO_COLLECTION_DAY')

  const umrn = facts.umrn
  const returned = debits.filter((each) => each.umrn === umrn && wasReturned(each))
  const ready = presentable(owed, returned, situation)
  if ('blocked' in ready) return ready
  const rows = within(ready.rows, limit)
  const installmentIds = rows.map(({ installmentId }) => installmentId)
  return {
    installmentIds,
    amountPaise: sum(rows.map(({ owedPaise }) => owedPaise)),
    umrn,
    mandateReference: facts.providerReferenceId,
    attemptNumber: Math.max(...installmentIds.map((id) => triesOf(returned, id).length)) + 1,
  }
}

/** The rows that may be asked for again, or for the first time. */
function presentable(
  owed: PlannedRow[],
  returned: Debit[],
  { on, policy, isOverride }: Situation,
): { rows: PlannedRow[] } | { blocked: DebitBlock } {
  if (isOverride) return { rows: owed }
  const tried = owed.filter(({ installmentId }) => triesOf(returned, installmentId).length < policy.mostAttempts)
  if (tried.length === 0) return { blocked: 'TOO_MANY_ATTEMPTS' }
  const rows = tried.filter(({ installmentId }) =>
    triesOf(returned, installmentId).every(({ collectionOn }) => on >= plusDays(collectionOn, policy.retryDays)),
  )
  return rows.length === 0 ? { blocked: 'TOO_SOON' } : { rows }
}

const sum = (amounts: Paise[]): Paise => amounts.reduce((total, amount) => total + amount, 0n)

/** The unpaid rows, oldest first, less pending money. */
function lessClaims(rows: PlannedRow[], claimed: Paise): PlannedRow[] {
  let left = claimed
  return rows.flatMap((row) => {
    const taken = left < row.owedPaise ? left : row.owedPaise
    left -= taken
    return taken === row.owedPaise ? [] : [{ ...row, owedPaise: row.owedPaise - taken }]
  })
}

/** As much as the mandate allows of an oldest row that is above the limit alone. */
function within(rows: PlannedRow[], limit: Paise): PlannedRow[] {
  let left = limit
  const end = rows.findIndex(({ owedPaise }) => {
    left -= owedPaise
    return left < 0n
  })
  const [first] = rows
  if (first && end === 0) return [{ ...first, owedPaise: limit }]
  return end < 0 ? rows : rows.slice(0, end)
}

/** A weekly mandate allows one debit in seven days, and only those that brought money count. */
function allows(frequency: string | null, umrn: string, debits: Debit[], on: string): boolean {
  if (frequency !== 'WEEK' && frequency !== 'WEEKLY') return true
  const taken = debits.filter((each) => each.umrn === umrn && each.status === 'POSTED')
  return taken.every(({ collectionOn }) => Math.abs(daysBetween(collectionOn, on)) >= 7)
}

/** A debit whose code allows another try; including one that was reversed late. */
const wasReturned = ({ status, reasonCode }: Payment): boolean =>
  status === 'TAKEN_BACK' || (status === 'FAILED' && reasonCode !== null && policyOf(reasonCode) === 'retry')

const triesOf = (returned: Debit[], id: string): Debit[] =>
  returned.filter(({ installmentIds }) => installmentIds.includes(id))
