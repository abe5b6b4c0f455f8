// Where the money goes: the ON_FULFILLMENT payment into the borrower's account, and its place in the catalogue (FIS12 §7.5).
import { defined } from '#contract/network/defined.ts'
import { moneyOf } from '#contract/network/reading.ts'
import { tagGroup, tagsOf } from '#contract/network/tags.ts'
import { type Paise, rupees } from '#kit/money/money.ts'
import type { Payment } from './schema.ts'

/** The official spelling. */
export const disbursalLabel = 'LOAN_DISBURSMENT'

export interface Account {
  accountNumber: string
  ifsc: string
  /** `savings` or `current`. */
  type: string
  holderName: string
  bankName: string | null
}

/** `paid` once the money has left the lender, with the bank's reference. */
export interface Disbursal {
  paymentId: string
  account: Account | null
  paid: { amount: Paise | null; transactionId: string | null } | null
}

/** Both payments of a catalogue are places only: their ids are those of the payments to come. */
export const placeholders = (ids: { installmentId: string; disbursalId: string }) => [
  {
    type: 'POST_FULFILLMENT',
    id: ids.installmentId,
    status: 'NOT-PAID',
    collected_by: 'BPP',
    time: { label: 'INSTALLMENT' },
  },
  disbursalPayment({ paymentId: ids.disbursalId, account: null, paid: null }),
]

export const disbursalPayment = ({ paymentId, account, paid }: Disbursal) =>
  defined({
    type: 'ON_FULFILLMENT',
    id: paymentId,
    status: paid ? 'PAID' : 'NOT-PAID',
    collected_by: 'CONSUMER',
    time: { label: disbursalLabel },
    params:
      account || paid
        ? defined({
            bank_account_number: account?.accountNumber,
            bank_code: account?.ifsc,
            amount: paid?.amount == null ? undefined : rupees(paid.amount),
            currency: paid ? 'INR' : undefined,
            transaction_id: paid?.transactionId ?? undefined,
          })
        : undefined,
    tags: account
      ? [
          tagGroup('ACCOUNT_DETAILS', {
            ACCOUNT_TYPE: account.type,
            ACCOUNT_HOLDER_NAME: account.holderName,
            BANK_NAME: account.bankName,
          }),
        ]
      : undefined,
  })

/** The disbursal among the payments; an account is one when it can be paid into. */
export function disbursalOf(payments: readonly Payment[] | undefined): Disbursal | null {
  const payment = payments?.find(({ time, type }) => isDisbursal(time?.label) || type === 'ON_FULFILLMENT')
  if (!payment) return null
  const { bank_account_number: accountNumber, bank_code: ifsc, amount, transaction_id } = payment.params ?? {}
  const details = tagsOf(payment.tags, 'ACCOUNT_DETAILS') ?? {}
  return {
    paymentId: payment.id ?? disbursalLabel,
    account:
      accountNumber && ifsc
        ? {
            accountNumber,
            ifsc,
            type: details.ACCOUNT_TYPE ?? 'savings',
            holderName: details.ACCOUNT_HOLDER_NAME ?? '',
            bankName: details.BANK_NAME ?? null,
          }
        : null,
    paid:
      payment.status?.toUpperCase() === 'PAID'
        ? { amount: amount === undefined ? null : moneyOf(amount), transactionId: transaction_id || null }
        : null,
  }
}

/** A lender may write it as English does. */
const isDisbursal = (label: string | undefined): boolean => label === disbursalLabel || label === 'LOAN_DISBURSEMENT'
