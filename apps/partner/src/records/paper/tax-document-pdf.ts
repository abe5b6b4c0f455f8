// An invoice, credit note or debit note as a PDF file (CGST Rules, rules 46 and 53).

import { type Block, tableBlock } from '@lendloom/documents/pdf'
import { required } from '@lendloom/foundation/required'
import { dayText } from '@lendloom/lending/calendar'
import { grouped, type Paise } from '@lendloom/lending/money'
import { fullName } from '@lendloom/wire/exchange/lead'
import { isReturn, type LedgerEntry } from '#partner/books/ledger/entry.ts'
import { stateText, type TaxedBorrower } from '#partner/books/tax/place-of-supply.ts'
import type { Supplier } from '#partner/books/tax/supplier.ts'
import {
  documentNumberText,
  type FeeWithTax,
  feeOfEntry,
  ratePercent,
  type TaxDocument,
  type TaxDocumentKind,
  type TaxedFee,
  taxedFeeOf,
} from '#partner/books/tax/tax-document.ts'
import { taxTexts as texts } from '#partner/books/tax/text-en.ts'
import { amountsOf, pairsOf, paperOf, paragraph } from './paper-parts.ts'
import { paperTexts } from './text.ts'

const t = paperTexts.en

interface TaxedCase extends TaxedBorrower {
  loanId: string
  entries: LedgerEntry[]
  /** All documents of the case. */
  taxDocuments: TaxDocument[]
}

const linesOf = (fee: FeeWithTax, serviceCode: string): Block =>
  tableBlock<FeeWithTax>(
    [
      { head: texts.head.description, of: () => texts.service, width: 3 },
      { head: texts.head.serviceCode, of: () => serviceCode, width: 1.2 },
      { head: texts.head.taxable, of: (amounts) => grouped(amounts.fee), width: 1.7, isRight: true },
      { head: texts.head.rate, of: (amounts) => `${ratePercent(amounts)}%`, width: 1, isRight: true },
      { head: texts.head.tax, of: (amounts) => grouped(amounts.tax), width: 1.7, isRight: true },
    ],
    [fee],
    { isLight: true },
  )

const taxRows = ({ integrated, central, state }: TaxedFee): [string, Paise][] =>
  central + state > 0n
    ? [
        [texts.rows.central, central],
        [texts.rows.state, state],
      ]
    : [[texts.rows.integrated, integrated]]

function factsOf(document: TaxDocument, { borrower, business, loanId, taxDocuments }: TaxedCase): Block {
  const { line1, line2, city, state, postal_code } = borrower.residential_address
  const invoice = document.kind === 'INVOICE' ? undefined : taxDocuments.find(({ kind }) => kind === 'INVOICE')
  return pairsOf([
    [texts.facts.number, documentNumberText(document)],
    [t('facts.issuedOn'), dayText(document.issuedOn)],
    [texts.facts.reference, invoice ? `${documentNumberText(invoice)}, ${dayText(invoice.issuedOn)}` : null],
    [t('facts.loan'), loanId],
    [t('facts.borrower'), fullName(borrower)],
    [texts.facts.address, [line1, line2, city, state, postal_code].filter(Boolean).join(', ')],
    [texts.facts.recipient, business.gstin],
  ])
}

/** The day of the fee, of its refund, or of the return of the payout that cancelled it. */
function dayFactOf(kind: TaxDocumentKind, entry: LedgerEntry): [string, string] {
  const { suppliedOn, refundedOn, returnedOn } = texts.facts
  const ofFee = kind === 'CREDIT_NOTE' ? refundedOn : suppliedOn
  return [isReturn(entry) ? returnedOn : ofFee, dayText(entry.businessOn)]
}

const notesOf = (kind: TaxDocumentKind, entry: LedgerEntry): string[] =>
  kind !== 'INVOICE' && isReturn(entry) ? texts.notesOfReturn[kind] : texts.notes[kind]

export function taxDocumentPdf(
  config: Supplier,
  document: TaxDocument,
  taxedCase: TaxedCase,
  at: Date,
): Promise<Buffer> {
  const entry = required(
    taxedCase.entries.find(({ entryId }) => entryId === document.entryId),
    'the entry of the fee',
  )
  const amounts = feeOfEntry(entry)
  const supplier = { ...config, ...document.supplier }
  const taxed = taxedFeeOf(amounts, taxedCase, supplier.PARTNER_LENDER_GSTIN)
  const { kind } = document
  const taxes = taxRows(taxed)
  const blocks = [
    factsOf(document, taxedCase),
    pairsOf([
      [texts.facts.supplier, supplier.PARTNER_LENDER_GSTIN],
      dayFactOf(kind, entry),
      [texts.facts.place, stateText(taxed.place)],
    ]),
    linesOf(amounts, supplier.PARTNER_SERVICE_CODE),
    amountsOf([[texts.rows.fee, taxed.fee], ...taxes, [texts.rows.total, taxed.total]], [taxes.length + 1]),
    ...notesOf(kind, entry).map(paragraph),
    paragraph(texts.reverseCharge),
    paragraph(t('inRupees')),
    paragraph(t('signature')),
  ]
  return paperOf(supplier, { title: texts.titles[kind], language: 'en', at, blocks })
}
