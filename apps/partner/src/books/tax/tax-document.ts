// Invoices, credit notes and debit notes for fees (Central Goods and Services Tax Act, sections 31 and 34).

import { decimalText, divideHalfUp, type Paise } from '@lendloom/lending/money'
import type { LedgerEntry } from '#partner/books/ledger/entry.ts'
import { placeOfSupply, stateOfGstin, type TaxedBorrower } from './place-of-supply.ts'
import type { Supplier } from './supplier.ts'

/** A debit note charges a fee again that a credit note had refunded. */
export type TaxDocumentKind = 'INVOICE' | 'CREDIT_NOTE' | 'DEBIT_NOTE'

export interface TaxDocumentKey {
  kind: TaxDocumentKind
  /** The first calendar year of the financial year. */
  financialYear: number
  /** Begins at 1 in each year, without gaps. */
  number: number
  caseRef: string
  /** The entry that charged or refunded the fee. */
  entryId: string
  /** The posting day of the entry. */
  issuedOn: string
}

export interface TaxDocument extends TaxDocumentKey {
  /** Null for a document of an earlier version: the present settings. */
  supplier: Supplier | null
}

const numberPrefixes: Record<TaxDocumentKind, string> = { INVOICE: 'INV', CREDIT_NOTE: 'CRN', DEBIT_NOTE: 'DBN' }

/** Returns the number in its printed form, such as `INV/2627/0000001`: at most 16 characters (CGST Rules, rule 46). */
export function documentNumberText({
  kind,
  financialYear,
  number,
}: Omit<TaxDocumentKey, 'caseRef' | 'entryId' | 'issuedOn'>) {
  const years = [financialYear, financialYear + 1].map((year) => String(year % 100).padStart(2, '0')).join('')
  return `${numberPrefixes[kind]}/${years}/${String(number).padStart(7, '0')}`
}

/** Returns the number of a document in a form that a file name may have. */
export const documentFileName = (document: TaxDocumentKey): string => documentNumberText(document).replaceAll('/', '-')

/** Returns the kind of document for an entry that charges (or, if negative, refunds) a fee. */
export function documentKindFor(entryKind: LedgerEntry['kind'], charged: Paise): TaxDocumentKind {
  if (charged < 0n) return 'CREDIT_NOTE'
  return entryKind === 'DISBURSEMENT' ? 'INVOICE' : 'DEBIT_NOTE'
}

/** A fee and its tax. The tax is integrated, or its halves are central and of the state. */
export interface TaxedFee {
  fee: Paise
  integrated: Paise
  central: Paise
  state: Paise
  total: Paise
  /** Code of the state. */
  place: string
}

export interface FeeWithTax {
  fee: Paise
  tax: Paise
}

/** Splits the tax by place. The state's half has the odd paisa. */
export function taxedFeeOf({ fee, tax }: FeeWithTax, borrower: TaxedBorrower, lenderGstin: string): TaxedFee {
  const place = placeOfSupply(borrower, lenderGstin)
  const isWithinState = place === stateOfGstin(lenderGstin)
  const central = isWithinState ? tax / 2n : 0n
  return {
    fee,
    total: fee + tax,
    place,
    central,
    integrated: isWithinState ? 0n : tax,
    state: isWithinState ? tax - central : 0n,
  }
}

/** Returns the fee and tax that an entry charges or refunds, both as positive amounts. */
export function feeOfEntry({ postings }: Pick<LedgerEntry, 'postings'>): FeeWithTax {
  const sumOf = (account: 'FEE_INCOME' | 'TAX_PAYABLE'): Paise => {
    const sum = postings.reduce(
      (total, { debit, credit, paise }) => total + (credit === account ? paise : 0n) - (debit === account ? paise : 0n),
      0n,
    )
    return sum < 0n ? -sum : sum
  }
  return { fee: sumOf('FEE_INCOME'), tax: sumOf('TAX_PAYABLE') }
}

/** Returns the rate in percent. A whole rate if its tax differs by less than a rupee, because taxes are rounded. */
export function ratePercent({ fee, tax }: FeeWithTax): string {
  if (fee === 0n) return '0'
  const whole = divideHalfUp(tax * 100n, fee)
  const difference = fee * whole - tax * 100n
  if (difference > -10_000n && difference < 10_000n) return String(whole)
  return decimalText(divideHalfUp(tax * 10_000n, fee), 2, 2)
}
