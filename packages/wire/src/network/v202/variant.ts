// Version 2.0.2: personal loans by the categories and headings of 2.0.3, and the first gold loans (FIS12 §24).
import { type Variant, variant203 } from '#wire/network/v203/variant.ts'

export const variant202: Variant = {
  ...variant203,
  version: '2.0.2',
  hasTermsInIntent: false,
  catalogueNamesOfficer: false,
  dayPrefix: 'PT',
  consentAnswer: 'APPROVED',
  placedOrder: { isDated: false, hasBranch: false },
  sharesInstallmentId: true,
  sharesPaymentId: true,
}
