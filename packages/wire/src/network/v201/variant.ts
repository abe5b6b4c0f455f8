// Version 2.0.1: personal loans only, in one category, with headings for people and one title per stage (FIS12 §24).
import { type Variant, variant203 } from '#wire/network/v203/variant.ts'

const borrowerStage = 'Customer Information'

export const variant201: Variant = {
  ...variant203,
  version: '2.0.1',
  categories: {
    PERSONAL_LOAN: {
      ancestors: [],
      own: { id: 'C2', descriptor: { code: 'PERSONAL_LOAN', name: 'Personal Loan' } },
      byAssessment: {},
    },
  },
  hasTermsInIntent: false,
  catalogueNamesOfficer: false,
  headingTexts: {
    PERSONAL_INFORMATION: 'Personal Information',
    SET_LOAN_AMOUNT: 'Set Loan Amount',
    KYC: 'Know your Customer',
    ACCOUNT_INFORMATION: 'Account Information',
    EMANDATE: 'Emandate',
    LOAN_AGREEMENT: 'Loan Agreement',
  },
  stageTitles: {
    PERSONAL_INFORMATION: borrowerStage,
    SET_LOAN_AMOUNT: borrowerStage,
    ACCOUNT_INFORMATION: 'Account Information',
  },
  dayPrefix: 'PT',
  consentAnswer: 'APPROVED',
  reportsFormId: false,
  reportsPages: false,
  placedOrder: { isDated: false, hasBranch: true },
  sharesInstallmentId: true,
  sharesPaymentId: true,
}
