// A lender's repayment schedule in the form in which an offer keeps it.
import type { NetworkOrder } from '#contract/network/v203/read-order.ts'
import type { Installment } from '#platform/journey/terms.ts'

/** The network does not state the due day: the end of the instalment's period is taken for it (FIS12 §13.5). */
export const installmentsFrom = ({ installments }: NetworkOrder): Installment[] =>
  installments.map(({ amount, status, startsAt, endsAt }, i) => ({
    serialNumber: i + 1,
    amount: amount.toString(),
    status,
    startsAt: startsAt.toISOString(),
    dueAt: endsAt.toISOString(),
  }))
