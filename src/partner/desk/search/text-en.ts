// The desk's English texts on search.
import type { FoundBy } from './store.ts'

export const foundBy: Record<FoundBy, string> = {
  name: 'Name',
  mobile: 'Mobile',
  pan: 'PAN',
  email: 'E-mail',
  account: 'Bank account',
  registration: 'Registration',
  reference: 'Provider’s reference',
  case: 'Number',
  payment: 'Payment',
}

export const searchTexts = {
  label: 'Search by name, mobile, PAN or any number',
  placeholder: 'Name, mobile, PAN, any number',
  title: 'Search',
  how: 'Words of a name in any order, a mobile number, a PAN, an e-mail address, a GSTIN, an account number, or any number: of the application, loan, lead, mandate, transfer, receipt or claim, the UTR too.',
  none: 'Nothing was found. A name is found by its whole words, a number only when it is complete.',
  receipts: 'Unmatched receipts',
}
