// The lead's blocks on borrower, business, banking, bureau and the recommended offer: D3 §2.3.

import type { FieldError } from '@lendloom/foundation/refusal'
import { AnyObject, OneOf, orNull, Personal, type Static, Type } from '@lendloom/foundation/schema'
import { isGstin, pincodePattern, storedIfscPattern } from '#wire/identifier.ts'
import { installmentsOfProduct } from './account.ts'
import { BusinessDate, brokenRules, Currency, Id, Instant, Money, PositiveMoney, Reference, Text } from './fields.ts'

/** Upper case, without blanks. */
export const Pan = Type.String({
  pattern: '^[A-Z]{3}[ABCFGHJLPT][A-Z](?!0000)\\d{4}[A-Z]$',
  'x-says': 'must be a valid PAN, such as ABCPE1234F',
  examples: ['ABCPE1234F'],
})
/** The PAN of a person: its fourth character is P. */
export const PersonPan = Type.String({
  pattern: '^[A-Z]{3}P[A-Z](?!0000)\\d{4}[A-Z]$',
  'x-says': 'must be the valid PAN of a person, such as ABCPE1234F',
  examples: ['ABCPE1234F'],
})
export const Mobile = Type.String({
  pattern: '^(?:\\+?91)?[6-9]\\d{9}$',
  'x-says': 'must be an Indian mobile number, such as +919876543210',
  examples: ['+919876543210'],
})
const Email = Type.String({
  maxLength: 254,
  pattern: '^[^\\s@]{1,64}@[^\\s@.]+(?:\\.[^\\s@.]+)+$',
  'x-says': 'must be an e-mail address',
})
const Gstin = Type.String({ pattern: '^[0-9A-Z]{15}$', 'x-says': 'must be a valid GSTIN' })
const Udyam = Type.String({
  pattern: '^UDYAM-[A-Z]{2}-\\d{2}-\\d{7}$',
  'x-says': 'must be a Udyam number, such as UDYAM-MH-18-0000001',
})
const Ifsc = Type.String({ pattern: storedIfscPattern, 'x-says': 'must be an IFSC, such as HDFC0000001' })
const PinCode = Type.String({ pattern: pincodePattern, 'x-says': 'must be a PIN code of 6 digits' })
const AccountNumber = Type.String({ pattern: '^[A-Za-z0-9]{5,35}$', 'x-says': 'must be a bank account number' })

const Address = Personal(
  {
    line1: Text(),
    line2: orNull(Text()),
    city: Text(100),
    state: Text(100),
    postal_code: PinCode,
    country: Text(60),
  },
  ['state', 'country'],
  Type.Object,
)

export const Borrower = Personal(
  {
    first_name: Text(),
    middle_name: orNull(Text()),
    last_name: Text(),
    /** An additive key (D3 §9). */
    last_name_is_filler: Type.Optional(
      Type.Boolean({
        description:
          'true if the borrower has one name only, which last_name repeats because a value is required; nobody compares or prints that last_name',
      }),
    ),
    date_of_birth: BusinessDate,
    pan: PersonPan,
    mobile: Mobile,
    email: orNull(Email),
    monthly_income: orNull(Money),
    employment_type: Type.Literal('SELF_EMPLOYED'),
    residential_address: Address,
  },
  ['last_name_is_filler', 'employment_type', 'residential_address'],
  Type.Object,
)
export type Borrower = Static<typeof Borrower>

/** The last name of a borrower who has one: null if `last_name` is a filler. */
export const lastName = ({ last_name, last_name_is_filler }: Borrower): string | null =>
  last_name_is_filler === true ? null : last_name

export const fullName = (borrower: Borrower): string =>
  [borrower.first_name, borrower.middle_name, lastName(borrower)].filter((name) => name !== null).join(' ')

/** `constitution` and `industry` are free text of the sender, shown unchanged to reviewers. */
export const Business = Personal(
  {
    name: Text(),
    constitution: Text(),
    industry: Text(),
    pan: orNull(Pan),
    gstin: orNull(Gstin),
    udyam_number: orNull(Udyam),
    annual_turnover: orNull(Money),
    address: Address,
  },
  ['constitution', 'industry', 'address'],
  Type.Object,
)
export type Business = Static<typeof Business>

export const checkBusiness = ({ gstin }: Business, under: string): FieldError[] =>
  brokenRules(under, [gstin !== null && !isGstin(gstin), 'gstin', 'must be a valid GSTIN'])

/** The account of the bank statement; it does not authorize payments to this account. */
const BankAccount = Personal(
  {
    holder_name: Text(),
    account_number: AccountNumber,
    ifsc: Ifsc,
    account_type: Text(60),
    bank_name: Text(),
  },
  ['account_type', 'bank_name'],
  Type.Object,
)

export const Banking = Type.Object({
  status: OneOf(['COMPLETED', 'NOT_PROVIDED', 'FAILED']),
  source: OneOf(['STATEMENT_UPLOAD', 'BUYER_APP', 'ACCOUNT_AGGREGATOR']),
  analysis_reference_id: orNull(Reference),
  analyzed_at: orNull(Instant),
  period_from: orNull(BusinessDate),
  period_to: orNull(BusinessDate),
  report_data: orNull(AnyObject),
  unavailable_reason: orNull(Text(500)),
  account: orNull(BankAccount),
})
export type Banking = Static<typeof Banking>

export function checkBanking(banking: Banking, under: string): FieldError[] {
  const { status, period_from, period_to } = banking
  const isCompleted = status === 'COMPLETED'
  const missingKeys = (['analysis_reference_id', 'analyzed_at', 'period_from', 'period_to'] as const).filter(
    (key) => isCompleted && banking[key] === null,
  )
  return [
    ...missingKeys.map((key) => ({ path: `${under}.${key}`, message: 'is required when status is COMPLETED' })),
    ...brokenRules(
      under,
      [
        !isCompleted && banking.unavailable_reason === null,
        'unavailable_reason',
        `is required when status is ${status}`,
      ],
      [
        period_from !== null && period_to !== null && period_to < period_from,
        'period_to',
        'must not be before period_from',
      ],
    ),
  ]
}

export const Bureau = Type.Object({
  provider: Text(100),
  status: OneOf(['AVAILABLE', 'NO_HIT', 'FAILED']),
  report_reference_id: orNull(Reference),
  pulled_at: orNull(Instant),
  score: orNull(Type.Integer({ minimum: -1, maximum: 1000 })),
  report_data: orNull(AnyObject),
  unavailable_reason: orNull(Text(500)),
})
export type Bureau = Static<typeof Bureau>

export function checkBureau(bureau: Bureau, under: string): FieldError[] {
  const { status } = bureau
  const isAvailable = status === 'AVAILABLE'
  const missingKeys = (['report_reference_id', 'pulled_at', 'score'] as const).filter(
    (key) => isAvailable && bureau[key] === null,
  )
  return [
    ...missingKeys.map((key) => ({ path: `${under}.${key}`, message: 'is required when status is AVAILABLE' })),
    ...brokenRules(under, [
      !isAvailable && bureau.unavailable_reason === null,
      'unavailable_reason',
      `is required when status is ${status}`,
    ]),
  ]
}

/** A recommendation, not a sanction. */
export const ProposedOffer = Type.Object({
  reference_id: Id,
  currency: Currency,
  loan_amount: PositiveMoney,
  tenure_weeks: Type.Literal(installmentsOfProduct),
  installment_frequency: Type.Literal('WEEKLY'),
  bre_reference_id: Id,
  bre_decision: OneOf(['ELIGIBLE', 'INELIGIBLE', 'REVIEW_REQUIRED']),
})
export type ProposedOffer = Static<typeof ProposedOffer>

/** An INELIGIBLE case must not be submitted. */
export const checkProposedOffer = ({ bre_decision }: ProposedOffer, under: string): FieldError[] =>
  brokenRules(under, [bre_decision === 'INELIGIBLE', 'bre_decision', 'must not be INELIGIBLE in a lead'])
