// The mandate provider's interface: a borrower allows debits of a bank account, and the bank accepts that (NACH).
import { accountNumberPattern, ifscPattern } from '#contract/identifier.ts'
import { Nullable, OneOf, type Static, Type } from '#kit/http/schema.ts'
import { Applicant, Day, Rupees, reportFields, requestFields } from './request.ts'

/** Once a week, or as and when presented. */
const mandateFrequencies = ['WEEK', 'ADHO'] as const

/** `auth_success` says that the borrower allowed it; the bank has not accepted it before `register_success`. */
const mandateStates = [
  'register_initiated',
  'auth_success',
  'register_success',
  'auth_fail',
  'register_failed',
  'cancelled',
  'expired',
] as const
export type MandateState = (typeof mandateStates)[number]

export const MandateRequest = Type.Object({
  ...requestFields,
  person: Applicant,
  account: Type.Object({
    holder_name: Type.String({ minLength: 1, maxLength: 300 }),
    account_number: Type.String({ pattern: accountNumberPattern, 'x-says': 'must have 9 to 18 digits' }),
    ifsc: Type.String({ pattern: ifscPattern, 'x-says': 'must be an IFSC' }),
    account_type: OneOf(['SAVINGS', 'CURRENT']),
  }),
  maximum_amount: Rupees,
  frequency: OneOf(mandateFrequencies),
  first_collection_on: Day,
  final_collection_on: Day,
})
export type MandateRequest = Static<typeof MandateRequest>

/** What was authorised is null until the bank has accepted it. */
export const MandateStatusReport = Type.Object({
  ...reportFields,
  state: OneOf(mandateStates),
  /** The bank's number of the mandate. */
  umrn: Nullable(Type.String({ pattern: '^[A-Z0-9]{1,20}$' })),
  maximum_amount: Nullable(Rupees),
  frequency: Nullable(OneOf(mandateFrequencies)),
  start_on: Nullable(Day),
  end_on: Nullable(Day),
})
export type MandateStatusReport = Static<typeof MandateStatusReport>
