// Reads due rows, payments, mandate and hold of a case, and plans its next debit.

import { daysAfter, secondsAfter } from '@lendloom/foundation/clock'
import { businessDate } from '@lendloom/lending/calendar'
import { minPaise, type Paise } from '@lendloom/lending/money'
import type { Run } from '@lendloom/postgres/sql'
import { isRailOpen } from '#partner/bank/rail/rail.ts'
import { railOf } from '#partner/bank/rail/rails.ts'
import { readEntries } from '#partner/books/ledger/store.ts'
import type { TxContext } from '#partner/context.ts'
import { checksOf } from '#partner/origination/case/stored-checks.ts'
import { isCollectionDay } from '#partner/servicing/collection/collection-calendar.ts'
import { isOpen as isPending, type Payment } from '#partner/servicing/collection/payment.ts'
import { readPayments, scheduleUpdatedAt } from '#partner/servicing/collection/payment-store.ts'
import { policyOn } from '#partner/servicing/collection/policy/store.ts'
import { type Dues, dueOn } from '#partner/servicing/loan/account-view.ts'
import { restOf } from '#partner/servicing/loan/settlement/settlement.ts'
import { announcementOf } from './notice/announcement.ts'
import { readNotice } from './notice/store.ts'
import { type Plan, planDebit } from './plan-debit.ts'
import { readHold } from './store.ts'

interface PlanRequest {
  caseRef: string
  /** The payment id of a prepared debit to recheck. The plan ignores this debit. */
  recheckedId?: string
  /** Whether to ignore collection days and retry limits, as an officer may decide. */
  isOverride?: boolean
  /** Whether to plan tomorrow's debit, of which the borrower gets a notice. */
  isForTomorrow?: boolean
}

/** Returns the plan. A recheck ignores collection days and retry limits. */
export async function planNextDebit(
  { tx, at: now, seal }: Pick<TxContext, 'at' | 'seal'> & { tx: Run },
  { caseRef, recheckedId, isOverride = recheckedId !== undefined, isForTomorrow = false }: PlanRequest,
): Promise<Plan> {
  const at = isForTomorrow ? daysAfter(now, 1) : now
  const on = businessDate(at)
  const [dues, allPayments, checks, hold, scheduledAt, policy, notice] = await Promise.all([
    dueOn(tx, caseRef, on),
    readPayments(tx, caseRef),
    checksOf(tx, seal, caseRef),
    readHold(tx, caseRef),
    scheduleUpdatedAt(tx, caseRef),
    policyOn(tx, on),
    readNotice(tx, caseRef, on),
  ])
  const umrn = checks.mandate.facts?.umrn ?? ''
  const rail = railOf(umrn)
  const payments = allPayments.filter(({ paymentId }) => paymentId !== recheckedId)
  const rest = await unpaidSettlement(tx, dues, { caseRef, on, payments })
  if (rest !== null && rest <= 0n) return { blocked: 'ATTEMPT_PENDING' }
  const announcement = isForTomorrow ? { upToPaise: rail.maxDebitPaise } : announcementOf(rail, { umrn, notice, at })
  return planDebit({
    on,
    isNoticePeriodOver: scheduledAt !== undefined && at >= secondsAfter(scheduledAt, rail.noticeHours * 3600),
    due: dues.rows.map((row) => ({ ...row, owedPaise: row.unpaidPaise + row.penaltyPaise })),
    payments,
    mandate: checks.mandate,
    hold: hold ?? null,
    policy,
    isCollectionDay: isCollectionDay({ ...policy, onHolidays: policy.onHolidays && rail.opensOnHolidays }, on),
    isOpen: isForTomorrow || isRailOpen(rail, at),
    announcement:
      rest === null || 'blocked' in announcement ? announcement : { upToPaise: minPaise(rest, announcement.upToPaise) },
    isOverride,
  })
}

/** Returns what pending payments leave of an agreed sum: the borrower owes no more. Null without an agreement on `on`. */
async function unpaidSettlement(
  tx: Run,
  { settlement }: Dues,
  { caseRef, on, payments }: { caseRef: string; on: string; payments: Payment[] },
): Promise<Paise | null> {
  if (!settlement || settlement.until < on) return null
  const pending = payments.filter(isPending).reduce((sum, { amountPaise }) => sum + amountPaise, 0n)
  return restOf(settlement, await readEntries(tx, caseRef)) - pending
}
