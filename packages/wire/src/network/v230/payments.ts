// Writes and reads the payments of an order: the disbursal, and those requested after it (FIS12 §10.2, §10.3).

import { moneyOf, type Paise, rupees } from '@lendloom/lending/money'
import { omitUndefined } from '#wire/network/context.ts'
import { type TagGroup, tagGroup, tagsOf } from '#wire/network/tags.ts'
import * as common from '#wire/network/v203/payments.ts'
import { type Breakup, breakupCodes } from '#wire/network/v203/payments.ts'
import type { Payment } from './schema.ts'

/** The official (misspelt) label. */
export const disbursalLabel = 'LOAN_DISBURSMENT'

export interface SettlementAccount {
  accountNumber: string
  ifsc: string
  /** `savings` or `current`. */
  type: string
  holderName: string
  bankName: string | null
}

/** `paid` is set once the lender has paid, with the bank's reference. */
export interface Disbursal {
  paymentId: string
  account: SettlementAccount | null
  paid: { amount: Paise | null; transactionId: string | null } | null
}

/** The two payments of a catalogue: placeholders with the ids of later payments. */
export const writePlaceholders = (ids: { installmentId: string; disbursalId: string }) => [
  {
    type: 'POST_FULFILLMENT',
    id: ids.installmentId,
    status: 'NOT-PAID',
    collected_by: 'BPP',
    time: { label: 'INSTALLMENT' },
  },
  writeDisbursal({ paymentId: ids.disbursalId, account: null, paid: null }),
]

export const writeDisbursal = ({ paymentId, account, paid }: Disbursal) =>
  omitUndefined({
    type: 'ON_FULFILLMENT',
    id: paymentId,
    status: paid ? 'PAID' : 'NOT-PAID',
    collected_by: 'CONSUMER',
    time: { label: disbursalLabel },
    params:
      account || paid
        ? omitUndefined({
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

/** Returns the disbursal among the payments; its account is null unless both the number and the IFSC are given. */
export function readDisbursal(payments: readonly Payment[] | undefined): Disbursal | null {
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

/** Also accepts the correct English spelling. */
const isDisbursal = (label: string | undefined): boolean => label === disbursalLabel || label === 'LOAN_DISBURSEMENT'

/** An instalment. Only lenders with stops state its parts (FIS12 §27.2). */
export interface InstallmentWithParts extends common.Installment {
  breakup?: Breakup
}

export const writeInstallmentWithParts = ({ breakup, ...installment }: InstallmentWithParts) => ({
  ...common.writeInstallment(installment),
  ...(breakup && { tags: [breakupTag(breakup)] }),
})

const breakupTag = (breakup: Breakup): TagGroup =>
  tagGroup(
    'BREAKUP',
    Object.fromEntries(Object.entries(breakup).map(([code, amount]) => [code, `${rupees(amount)} INR`] as const)),
  )

export interface ServicingPayment extends common.ServicingPayment {
  /** How long the payment page is open, an ISO 8601 duration. */
  duration: string | null
  breakup: Breakup
}

export function writeServicingPayment({ duration, breakup, ...payment }: ServicingPayment) {
  const written = common.writeServicingPayment(payment)
  return {
    ...written,
    collected_by: 'BPP',
    time: { ...written.time, ...(duration !== null && { duration }) },
    ...(Object.keys(breakup).length > 0 && { tags: [breakupTag(breakup)] }),
  }
}

/** Returns the servicing payments. Throws `invalid` for an unreadable amount; omits an unreadable part. */
export function readServicingPayments(payments: readonly Payment[] = [], path: string): ServicingPayment[] {
  return payments.flatMap((payment, i) =>
    common.readServicingPayments([payment], path).map((read) => {
      const tags = tagsOf(payment.tags, 'BREAKUP') ?? {}
      const parts = breakupCodes.map((code) => [code, tags[code] === undefined ? null : moneyOf(tags[code])] as const)
      return {
        ...read,
        id: payment.id ?? `${read.label}-${i}`,
        duration: payment.time?.duration ?? null,
        breakup: Object.fromEntries(parts.filter(([, amount]) => amount !== null)),
      }
    }),
  )
}
