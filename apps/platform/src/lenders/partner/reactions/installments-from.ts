// Converts the partner's repayment schedule to the instalments of an offer (D3 §2.5).

import { required } from '@lendloom/foundation/record'
import { plusDays, startOf } from '@lendloom/lending/calendar'
import { paiseFrom } from '@lendloom/lending/money'
import type { AmortizationSchedule, InstallmentStatus } from '@lendloom/wire/exchange/account'
import type { Installment } from '#platform/lending/journey/journey.ts'

const statuses: Record<InstallmentStatus, Installment['status']> = {
  DUE: 'NOT-PAID',
  PART_PAID: 'NOT-PAID',
  PAID: 'PAID',
  OVERDUE: 'DELAYED',
}

/** Each instalment covers the week before its due date, and is due when the due date begins in India. */
export const installmentsFrom = ({ installments }: AmortizationSchedule): Installment[] =>
  installments.map(({ installment_number, amount, status, due_date }) => ({
    serialNumber: installment_number,
    amount: required(paiseFrom(amount), 'the amount of an instalment').toString(),
    status: statuses[status],
    startsAt: startOf(plusDays(due_date, -7)).toISOString(),
    dueAt: startOf(due_date).toISOString(),
  }))
