// The account in the lender's ledger: schemas and rules of disbursement, statement, schedule and payments (D3 §2.5).
import type { FieldError } from '@lendloom/foundation/refusal'
import { OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import {
  BusinessDate,
  brokenRules,
  Code,
  Currency,
  Id,
  Ids,
  Instant,
  Money,
  PositiveMoney,
  paiseOf,
  pathIn,
  Reference,
  repeatedIndexes,
  Version,
} from './fields.ts'

/** D3 §1: the initial product has exactly this many weekly installments. */
export const installmentsOfProduct = 22

const disbursementStatuses = ['PENDING', 'DISBURSED', 'FAILED'] as const

export const Disbursement = Type.Object({
  disbursement_id: Id,
  status: OneOf(disbursementStatuses),
  amount: PositiveMoney,
  currency: Currency,
  bank_reference: orNull(Reference),
  updated_at: Instant,
  reason_code: orNull(Code),
})
export type Disbursement = Static<typeof Disbursement>

/** The bank reference is the evidence: null until verified, required for DISBURSED. */
export const checkDisbursement = ({ status, bank_reference }: Disbursement, under = 'data'): FieldError[] =>
  brokenRules(
    under,
    [status === 'DISBURSED' && bank_reference === null, 'bank_reference', 'is required when status is DISBURSED'],
    [status === 'PENDING' && bank_reference !== null, 'bank_reference', 'must be null until the transfer is verified'],
  )

const paymentStatuses = ['PENDING_VERIFICATION', 'SUBMITTED', 'PROCESSING', 'FAILED', 'POSTED', 'REVERSED'] as const

export const PaymentStatusReport = Type.Object({
  payment_id: Id,
  claim_reference: orNull(Id),
  collection_id: orNull(Id),
  mandate_reference: orNull(Reference),
  installment_ids: Ids,
  method: Code,
  status: OneOf(paymentStatuses),
  amount: PositiveMoney,
  currency: Currency,
  bank_reference: orNull(Reference),
  provider_reference: orNull(Reference),
  value_date: orNull(BusinessDate),
  updated_at: Instant,
  reason_code: orNull(Code),
  reversal_of_payment_id: orNull(Id),
})
export type PaymentStatusReport = Static<typeof PaymentStatusReport>

/** A failure has a reason; a reversal is a separate record that names the reversed receipt. */
export const checkPayment = (payment: PaymentStatusReport, under = 'data'): FieldError[] => {
  const { status, reason_code, payment_id, reversal_of_payment_id: reversedId } = payment
  return brokenRules(
    under,
    [status === 'FAILED' && reason_code === null, 'reason_code', 'is required when status is FAILED'],
    [status === 'REVERSED' && reversedId === null, 'reversal_of_payment_id', 'is required when status is REVERSED'],
    [reversedId === payment_id, 'reversal_of_payment_id', 'must name another payment'],
  )
}

/** Reversals by the id of the reversed payment, which stays POSTED itself. */
export const reversalsIn = (payments: PaymentStatusReport[]): Map<string | null, PaymentStatusReport> =>
  new Map(payments.filter(({ status }) => status === 'REVERSED').map((each) => [each.reversal_of_payment_id, each]))

export const Soa = Type.Object({
  currency: Currency,
  updated_at: Instant,
  disbursed_amount: Money,
  principal_outstanding: Money,
  interest_outstanding: Money,
  penalty_outstanding: Money,
  charges_outstanding: Money,
  total_outstanding: Money,
  total_overdue: Money,
})
export type Soa = Static<typeof Soa>

export function checkSoa(soa: Soa, under = 'soa'): FieldError[] {
  const total = paiseOf(soa.total_outstanding)
  const parts =
    paiseOf(soa.principal_outstanding) +
    paiseOf(soa.interest_outstanding) +
    paiseOf(soa.penalty_outstanding) +
    paiseOf(soa.charges_outstanding)
  return brokenRules(
    under,
    [total !== parts, 'total_outstanding', 'must be the sum of principal, interest, penalty and charges outstanding'],
    [paiseOf(soa.total_overdue) > total, 'total_overdue', 'must not be more than total_outstanding'],
  )
}

const installmentStatuses = ['DUE', 'PART_PAID', 'PAID', 'OVERDUE'] as const
export type InstallmentStatus = (typeof installmentStatuses)[number]

const Installment = Type.Object({
  installment_id: Id,
  installment_number: Version,
  due_date: BusinessDate,
  principal: Money,
  interest: Money,
  charges: Money,
  amount: Money,
  paid_amount: Money,
  unpaid_amount: Money,
  status: OneOf(installmentStatuses),
  updated_at: Instant,
})
type Installment = Static<typeof Installment>

function checkInstallment(row: Installment, under: string): FieldError[] {
  const amount = paiseOf(row.amount)
  const paid = paiseOf(row.paid_amount)
  const unpaid = paiseOf(row.unpaid_amount)
  const parts = paiseOf(row.principal) + paiseOf(row.interest) + paiseOf(row.charges)
  const statusFits: Record<InstallmentStatus, boolean> = {
    DUE: paid === 0n && unpaid > 0n,
    PART_PAID: paid > 0n && unpaid > 0n,
    PAID: unpaid === 0n,
    OVERDUE: unpaid > 0n,
  }
  return brokenRules(
    under,
    [amount !== parts, 'amount', 'must be the sum of principal, interest and charges'],
    [paid + unpaid !== amount, 'unpaid_amount', 'must be amount less paid_amount'],
    [!statusFits[row.status], 'status', 'does not fit paid_amount and unpaid_amount'],
  )
}

export const AmortizationSchedule = Type.Object({
  schedule_version: Version,
  updated_at: Instant,
  frequency: Type.Literal('WEEKLY'),
  installments: Type.Array(Installment, { maxItems: 1000 }),
})
export type AmortizationSchedule = Static<typeof AmortizationSchedule>

/** Requires all rows, in order. Only an amendment (a later version) may change the number of rows. */
export function checkSchedule(schedule: AmortizationSchedule, under = 'amortization_schedule'): FieldError[] {
  const { schedule_version, installments } = schedule
  const at = pathIn(under, 'installments')
  const ids = installments.map(({ installment_id }) => installment_id)
  return [
    ...brokenRules(under, [
      installments.length === 0 || (schedule_version === 1 && installments.length !== installmentsOfProduct),
      'installments',
      `must have all ${installmentsOfProduct} rows, including paid ones`,
    ]),
    ...repeatedIndexes(ids).map((i) => ({ path: pathIn(at, `${i}.installment_id`), message: 'appears twice' })),
    ...installments.flatMap((row, i) => [
      ...brokenRules(
        pathIn(at, i),
        [row.installment_number !== i + 1, 'installment_number', `must be ${i + 1}`],
        [!isAfter(row, installments[i - 1]), 'due_date', 'must be after that of the previous row'],
      ),
      ...checkInstallment(row, pathIn(at, i)),
    ]),
  ]
}

const isAfter = (row: Installment, previous: Installment | undefined): boolean =>
  previous === undefined || row.due_date > previous.due_date
