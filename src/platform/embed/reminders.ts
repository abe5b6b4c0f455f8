// What is still to be paid, as days of a calendar: nothing of the borrower is in them, for calendars are shared.
import { type CalendarDay, calendarFile } from '#kit/files/calendar-file.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { inr } from '#kit/money/money.ts'
import { type Installment, installmentStatus } from '#platform/journey/terms.ts'
import type { PageText } from '#platform/page-text/page-text.ts'

export interface RemindedLoan {
  offerId: string
  lender: string
  installments: readonly Installment[]
}

/** Instalments that are neither paid nor settled, from today on. */
export const toRemindOf = (installments: readonly Installment[], at: Date): Installment[] =>
  installments.filter((each) => {
    const status = installmentStatus(each, at)
    return status !== 'PAID' && status !== 'CLOSED' && businessDate(new Date(each.dueAt)) >= businessDate(at)
  })

/** The calendar file of a loan. */
export function remindersOf({ offerId, lender, installments }: RemindedLoan, t: PageText, at: Date): string {
  const days = toRemindOf(installments, at).map(
    ({ serialNumber, amount, dueAt }): CalendarDay => ({
      uid: `${offerId}-${serialNumber}@lendloom`,
      on: businessDate(new Date(dueAt)),
      title: t('reminders.due', { amount: inr(BigInt(amount)), lender }),
      text: t('reminders.how', { lender }),
    }),
  )
  return calendarFile(t('reminders.name', { lender }), days, at)
}
