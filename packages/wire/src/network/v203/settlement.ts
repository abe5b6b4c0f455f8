// Settlement between lender and platform: finder's fee and settlement terms, the ON_ORDER payment (FIS12 §7.2, §7.5).

import { divideHalfUp, moneyOf, type Paise, rupees } from '@lendloom/lending/money'
import { omitUndefined } from '#wire/network/context.ts'
import { type TagGroup, tagGroup, tagsOf } from '#wire/network/tags.ts'

/** `percent-annualized` and `percent` state a percentage, `amount` rupees; both as decimal text such as `1` or `0.75`. */
export interface FinderFee {
  type: 'percent-annualized' | 'percent' | 'amount'
  value: string
}

/** The platform's settlement terms, in wire format. They do not concern the borrower. */
export interface BuyerTerms {
  delayInterest: string
  staticTerms: string
  offlineContract: boolean
}

/** The lender's terms; `window` is an ISO 8601 duration. */
export interface LenderTerms {
  window: string
  mandatoryArbitration: boolean
  courtJurisdiction: string
  staticTerms: string
  offlineContract: boolean
}

interface BuyerAccount {
  ifsc: string
  accountNumber: string
  vpa: string
}

/** The platform's ON_ORDER payment; `paymentId` is null until the lender assigns one. */
export interface BuyerSettlement {
  paymentId: string | null
  fee: FinderFee
  terms: BuyerTerms
  settlementAmount: Paise
  settlementType: 'neft' | 'rtgs' | 'upi'
  account: BuyerAccount
}

/** The lender's ON_ORDER payment; PAID once the loan is disbursed. */
export interface LenderSettlement {
  paymentId: string
  paid: boolean
  netDisbursed: Paise
  fee: FinderFee
  terms: LenderTerms
  settlementAmount: Paise
}

/** Computes the fee that a lender owes (FIS12 §7.2), rounded to the paisa. Throws if the fee's value is not a decimal number. */
export function finderFeeOwed(fee: FinderFee, loan: { principal: Paise; termMonths: number; total: Paise }): Paise {
  const [, whole, fraction = ''] = /^(\d{1,9})(?:\.(\d{1,4}))?$/.exec(fee.value) ?? []
  if (whole === undefined) throw new Error(`a finder's fee of "${fee.value}" is not a decimal number`)
  const scaled = BigInt(whole + fraction.padEnd(4, '0'))
  if (fee.type === 'amount') return divideHalfUp(scaled * 100n, 10_000n)
  if (fee.type === 'percent') return divideHalfUp(loan.total * scaled, 1_000_000n)
  return divideHalfUp(loan.principal * scaled * BigInt(loan.termMonths), 12_000_000n)
}

/** The wire spellings of the fee type; catalogues have a different one (FIS12 §21). */
export const feeTypeText = {
  catalogue: { 'percent-annualized': 'PERCENT_ANNUALIZED', percent: 'PERCENT', amount: 'AMOUNT' },
  order: { 'percent-annualized': 'percent-annualized', percent: 'percent', amount: 'amount' },
} as const satisfies Record<string, Record<FinderFee['type'], string>>

const finderFeeTags = (fee: FinderFee, messageKind: keyof typeof feeTypeText): TagGroup =>
  tagGroup('BUYER_FINDER_FEES', {
    BUYER_FINDER_FEES_TYPE: feeTypeText[messageKind][fee.type],
    BUYER_FINDER_FEES_PERCENTAGE: fee.value,
  })

/** The payment tags of `search`. */
export const buyerTags = (fee: FinderFee, terms: BuyerTerms): TagGroup[] => [
  finderFeeTags(fee, 'order'),
  tagGroup('SETTLEMENT_TERMS', buyerTermsOf(terms)),
]

const buyerTermsOf = (terms: BuyerTerms) => ({
  DELAY_INTEREST: terms.delayInterest,
  STATIC_TERMS: terms.staticTerms,
  OFFLINE_CONTRACT: String(terms.offlineContract),
})

/** The payment tags of `on_search`; with an amount, those of the lender's later payments. */
export const lenderTags = (fee: FinderFee, terms: LenderTerms, settlementAmount: Paise | null = null): TagGroup[] => [
  finderFeeTags(fee, settlementAmount === null ? 'catalogue' : 'order'),
  tagGroup('SETTLEMENT_TERMS', {
    SETTLEMENT_WINDOW: terms.window,
    SETTLEMENT_BASIS: 'INVOICE_RECEIPT',
    MANDATORY_ARBITRATION: String(terms.mandatoryArbitration).toUpperCase(),
    COURT_JURISDICTION: terms.courtJurisdiction,
    STATIC_TERMS: terms.staticTerms,
    SETTLEMENT_AMOUNT: settlementAmount === null ? null : rupees(settlementAmount),
    OFFLINE_CONTRACT: String(terms.offlineContract),
  }),
]

export const buyerPayment = (settlement: BuyerSettlement) =>
  omitUndefined({
    id: settlement.paymentId ?? undefined,
    collected_by: 'BPP',
    type: 'ON_ORDER',
    status: 'NOT-PAID',
    params: {
      bank_code: settlement.account.ifsc,
      bank_account_number: settlement.account.accountNumber,
      virtual_payment_address: settlement.account.vpa,
    },
    tags: [
      finderFeeTags(settlement.fee, 'order'),
      tagGroup('SETTLEMENT_TERMS', {
        SETTLEMENT_AMOUNT: rupees(settlement.settlementAmount),
        SETTLEMENT_TYPE: settlement.settlementType,
        ...buyerTermsOf(settlement.terms),
      }),
    ],
  })

/** The payment as of `on_init`; its amount is the payout. */
export const lenderPayment = (settlement: LenderSettlement) => ({
  id: settlement.paymentId,
  type: 'ON_ORDER',
  status: settlement.paid ? 'PAID' : 'NOT-PAID',
  collected_by: 'BPP',
  params: { amount: rupees(settlement.netDisbursed), currency: 'INR' },
  tags: lenderTags(settlement.fee, settlement.terms, settlement.settlementAmount),
})

/** The fee of a payment's tags; null when there is none or its type is unknown. */
export function finderFeeOf(tags: readonly TagGroup[] | undefined): FinderFee | null {
  const group = tagsOf(tags, 'BUYER_FINDER_FEES')
  const type = feeTypeOf(group?.BUYER_FINDER_FEES_TYPE ?? '')
  const value = group?.BUYER_FINDER_FEES_PERCENTAGE?.replace(/(?<!\s)\s*%$/, '')
  return type && value ? { type, value } : null
}

/** Lenders also write `PERCENT_ANNUALIZED`: case and separators do not count (FIS12 §7.1). */
export function feeTypeOf(text: string): FinderFee['type'] | null {
  const normalized = text.toLowerCase().replace(/[^a-z]/g, '')
  return (
    (['percent-annualized', 'percent', 'amount'] as const).find((type) => type.replace('-', '') === normalized) ?? null
  )
}

/** The settlement amount that a party states; null without a readable one. */
export function settlementAmountOf(tags: readonly TagGroup[] | undefined): Paise | null {
  const text = tagsOf(tags, 'SETTLEMENT_TERMS')?.SETTLEMENT_AMOUNT
  return text === undefined ? null : moneyOf(text)
}
