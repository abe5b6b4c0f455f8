// What happened to a loan after its payout: instalments, payments, reminders, classes and its end, from the stored rows.

import { businessDate, plusDays, startOf } from '@lendloom/lending/calendar'
import { reminderKind } from '#partner/desk/arrears/arrears-text-en.ts'
import { classNames, reasonTexts } from '#partner/desk/arrears/asset-class-text-en.ts'
import { reasonText } from '#partner/desk/books/payment-parts.ts'
import { inlineLabelOf, inr, labelOf } from '#partner/desk/parts/format.ts'
import { isDebit, type Payment } from '#partner/servicing/collection/payment.ts'
import type { CaseView } from './case-view.ts'

/** Of an instalment or a class only the day is known, so that of all events the day is shown. */
export interface LoanEvent {
  at: Date
  what: string
  details: string
}

type LoanView = Pick<CaseView, 'account' | 'payments' | 'refunds' | 'classes' | 'arrears' | 'entries'>

/** All events of a loan until now, in no order; none before its payout. */
export function loanEvents(view: LoanView, now: Date): LoanEvent[] {
  if (!view.account) return []
  return [
    ...instalmentEvents(view.account, businessDate(now)),
    ...view.payments.flatMap((payment) => paymentEvent(payment) ?? []),
    ...view.refunds.map(({ updatedAt, amountPaise, status }) => ({
      at: updatedAt,
      what: `Refund of ${inr(amountPaise)}`,
      details: inlineLabelOf(status),
    })),
    ...view.arrears.reminders.map(({ queuedAt, number, kind, state }) => ({
      at: queuedAt,
      what: `Reminder of instalment ${number}`,
      details: `${reminderKind(kind)}, ${inlineLabelOf(state)}`,
    })),
    ...view.classes.map(({ fromOn, assetClass, reason, remark }) => ({
      at: startOf(fromOn),
      what: `Class: ${classNames[assetClass]}`,
      details: [reasonTexts[reason], remark].filter(Boolean).join(': '),
    })),
    ...endEvents(view.account, view.entries, now),
  ]
}

type Account = NonNullable<CaseView['account']>

function instalmentEvents({ schedule: { installments } }: Account, today: string): LoanEvent[] {
  return installments
    .filter(({ dueOn }) => dueOn <= today)
    .flatMap(({ number, dueOn, amountPaise, unpaidPaise, status }) => {
      const due: LoanEvent = { at: startOf(dueOn), what: `Instalment ${number} due`, details: inr(amountPaise) }
      const overdueFrom = plusDays(dueOn, 1)
      if (status !== 'OVERDUE' || overdueFrom > today) return due
      return [
        due,
        { at: startOf(overdueFrom), what: `Instalment ${number} overdue`, details: `${inr(unpaidPaise)} unpaid` },
      ]
    })
}

/** What became of a payment; null for a debit that is not presented yet or never was. */
function paymentEvent(payment: Payment): LoanEvent | null {
  const what = paymentText(payment)
  if (what === null) return null
  const { updatedAt, method, attemptNumber, reasonCode } = payment
  const details = [
    labelOf(method),
    attemptNumber !== null && attemptNumber > 1 && `try ${attemptNumber}`,
    reasonCode && reasonText(reasonCode),
  ]
  return { at: updatedAt, what, details: details.filter(Boolean).join(', ') }
}

function paymentText(payment: Payment): string | null {
  const { status, amountPaise } = payment
  const name = isDebit(payment) ? 'Debit' : 'Payment'
  const amount = inr(amountPaise)
  switch (status) {
    case 'PREPARED':
    case 'DROPPED':
      return null
    case 'UNKNOWN':
    case 'SUBMITTED':
      return `${name} of ${amount} sent to the bank`
    case 'PENDING_VERIFICATION':
      return `${name} of ${amount} waits for a decision`
    case 'FAILED':
      return isDebit(payment) ? `Debit of ${amount} returned` : `Payment of ${amount} not confirmed`
    case 'POSTED':
      return `${name} of ${amount} received`
    case 'TAKEN_BACK':
      return `${name} of ${amount} received, and taken back later`
    case 'REVERSED':
      return `Receipt of ${amount} reversed`
  }
}

/** Entries that can settle the last dues of a loan. */
const settlingEntries = new Set<string>(['RECEIPT', 'WAIVER', 'SETTLEMENT', 'ROUND_OFF', 'SET_OFF', 'AMENDMENT'])

/** The end of a day, or now: a loan ends by what happens on the day, so that its end comes after it. */
function lastInstantOf(day: string, now: Date): Date {
  const dayEndsAt = startOf(plusDays(day, 1)).getTime() - 1
  return new Date(Math.min(dayEndsAt, now.getTime()))
}

function endEvents(
  { loanStatus, writtenOffOn, settlement }: Account,
  entries: CaseView['entries'],
  now: Date,
): LoanEvent[] {
  const last = entries.findLast(({ kind }) => settlingEntries.has(kind))
  return [
    ...(writtenOffOn === null ? [] : [{ at: lastInstantOf(writtenOffOn, now), what: 'Written off', details: '' }]),
    ...(settlement?.settledOn
      ? [{ at: lastInstantOf(settlement.settledOn, now), what: 'Settled for less', details: inr(settlement.paise) }]
      : []),
    ...(loanStatus === 'CLOSED' && last
      ? [{ at: lastInstantOf(last.businessOn, now), what: 'Loan closed', details: '' }]
      : []),
  ]
}
