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
  reverseCharge: 'Tax is not payable on reverse charge.',
}
