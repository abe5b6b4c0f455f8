// The field names of the forms that our side fills and a lender's page shows (FIS12 §7.7, §13.3).

export interface FieldSpec {
  type: 'text' | 'email' | 'tel' | 'date' | 'number' | 'checkbox' | 'select' | 'file' | 'hidden'
  required: boolean
  options?: readonly string[]
}

const must = (type: FieldSpec['type'] = 'text') => ({ type, required: true }) as const
const may = (type: FieldSpec['type'] = 'text') => ({ type, required: false }) as const
const oneOf = <const Options extends readonly string[]>(options: Options) =>
  ({ type: 'select', required: true, options }) as const

/** The personal loan profile. `dob` is `YYYY-MM-DD`, `income` is rupees a month, `bureauConsent` a checkbox. */
export const profileFields = {
  panName: must(),
  personalemail: may('email'),
  officialemail: may('email'),
  dob: must('date'),
  gender: oneOf(['male', 'female', 'transgender']),
  pan: must(),
  contactNumber: must('tel'),
  employmentType: oneOf(['salaried', 'selfEmployed']),
  income: must('number'),
  companyName: must(),
  udyamNumber: may(),
  addressL1: may(),
  addressL2: may(),
  city: may(),
  state: may(),
  pincode: may(),
  aa_id: may(),
  endUse: oneOf(['consumerDurablePurchase', 'education', 'travel', 'health', 'other']),
  bureauConsent: may('checkbox'),
  derivedData: may('file'),
  formId: may('hidden'),
} as const satisfies Record<string, FieldSpec>

/** The gold loan profile. `annualIncome` is rupees a year, `jewellery` grams; the network spells `18k` with a small letter. */
export const goldFields = {
  userType: { ...oneOf(['individual', 'non-individual']), required: false },
  pan: must(),
  fullName: must(),
  constitution: may(),
  gender: oneOf(['male', 'female', 'transgender']),
  employmentType: { ...oneOf(['salaried', 'selfEmployed']), required: false },
  dob: must('date'),
  annualIncome: may('number'),
  contactNumber: must('tel'),
  email: may('email'),
  address: may(),
  pincode: must(),
  city: may(),
  state: may(),
  jewellery: must('number'),
  purity: oneOf(['24K', '22K', '21K', '18k', '14K', '9K']),
  endUse: {
    ...oneOf([
      'marriage',
      'familyFunctions',
      'medicalTreatmentAndEmergencies',
      'travelEducationExpenses',
      'businessExpansion',
      'agricultureAndFarmRelatedNeeds',
      'purchaseOfEquipment',
      'other',
    ]),
    required: false,
  },
  bureauConsent: may('checkbox'),
  aa_id: may(),
  formId: may('hidden'),
} as const satisfies Record<string, FieldSpec>

/** The amount in rupees and the term in months that the borrower chose. */
export const amountFields = {
  requestAmount: must('number'),
  requestTerm: must('number'),
  formId: may('hidden'),
} as const satisfies Record<string, FieldSpec>

/** The account that is paid into and debited. */
export const bankFields = {
  accHolderName: must(),
  acctype: oneOf(['current', 'saving']),
  accNo: must(),
  ifscCode: must(),
  formId: may('hidden'),
} as const satisfies Record<string, FieldSpec>

/** A second form about the borrower, with which an offer is taken: who it is, and what is wanted of it (FIS12 §19.1). */
export const customerFields = {
  pan: must(),
  fullName: must(),
  gender: oneOf(['male', 'female', 'transgender']),
  dob: must('date'),
  contactNumber: must('tel'),
  pincode: must(),
  requestAmount: must('number'),
  requestTerm: must('number'),
  formId: may('hidden'),
} as const satisfies Record<string, FieldSpec>

/** Answers by field name, as they are posted. */
export type AnswersTo<Fields extends Record<string, FieldSpec>> = { [Name in keyof Fields]?: string }
