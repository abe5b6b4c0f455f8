// The desk's English texts on search.
import type { FoundBy } from './store.ts'

export const foundByLabels: Record<FoundBy, string> = {
  name: 'Name',
  mobile: 'Mobile',
  pan: 'PAN',
  email: 'Email',
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
  how: 'Search by the words of a name in any order, a mobile number, PAN, email address, GSTIN, account number or UTR, or by the number of an application, loan, lead, mandate, transfer, receipt or claim.',
  none: 'No results. Enter whole words of a name, or a complete number.',
  receipts: 'Unmatched receipts',
}
