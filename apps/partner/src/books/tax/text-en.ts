// English texts of invoices, credit notes and debit notes.

import type { TaxDocumentKind } from './tax-document.ts'

export const taxTexts = {
  titles: {
    INVOICE: 'Tax invoice',
    CREDIT_NOTE: 'Credit note',
    DEBIT_NOTE: 'Debit note',
  } satisfies Record<TaxDocumentKind, string>,
  facts: {
    number: 'Number',
    supplier: 'Lender’s GSTIN',
    address: 'Address',
    recipient: 'Borrower’s GSTIN',
    suppliedOn: 'Fee of',
    refundedOn: 'Refund of',
    returnedOn: 'Return of the payout',
    place: 'Place of supply',
    reference: 'For invoice',
  },
  head: {
    description: 'Description',
    serviceCode: 'SAC',
    taxable: 'Taxable value',
    rate: 'Rate',
    tax: 'Tax',
  },
  service: 'Processing fee of the loan',
  rows: {
    fee: 'Taxable value',
    integrated: 'Integrated tax (IGST)',
    central: 'Central tax (CGST)',
    state: 'State or union territory tax (SGST or UTGST)',
    total: 'Total',
  },
  notes: {
    INVOICE: ['The fee and the tax were deducted from the loan when it was paid out.'],
    CREDIT_NOTE: ['The loan was cancelled in the cooling-off period, so the fee and the tax were refunded.'],
    DEBIT_NOTE: ['A payment was returned, so the loan is not cancelled, and the fee and the tax are owed again.'],
  } satisfies Record<TaxDocumentKind, string[]>,
  notesOfReturn: {
    CREDIT_NOTE: [
      'The bank sent the loan amount back to the lender, so the loan is cancelled. The fee and the tax are cancelled with it, and nothing is owed.',
    ],
    DEBIT_NOTE: [
      'The bank sent the loan amount back to the lender, so the loan is cancelled. This note undoes the earlier refund of the fee and the tax, and a credit note of the same day cancels both. Nothing is owed.',
    ],
  } satisfies Record<Exclude<TaxDocumentKind, 'INVOICE'>, string[]>,
  reverseCharge: 'Tax is not payable on reverse charge.',
}
