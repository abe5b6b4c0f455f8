// The interfaces of the providers: KYC, e-sign, mandate (NACH), credit bureau, statement analyser.

import { AnyObject, Nullable, OneOf, type Static, Type, Uuid } from '@lendloom/foundation/schema'
import { Month } from '#wire/basic-schemas.ts'
import { accountNumberPattern, ifscPattern, mandateNumberPattern } from '#wire/identifier.ts'
import {
  Day,
  Instant,
  ProviderApplicant,
  ProviderFile,
  Rupees,
  reportFields,
  requestFields,
  Text,
} from './common-interface.ts'

/** WEEK: once a week · ADHO: as and when presented. */
const mandateFrequencies = ['WEEK', 'ADHO'] as const

/** `auth_success`: the borrower authorized it; the bank accepts it with `register_success`. */
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
  person: ProviderApplicant,
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

/** The authorised terms are null until the bank has accepted. */
export const MandateStatusReport = Type.Object({
  ...reportFields,
  state: OneOf(mandateStates),
  /** The bank's number of the mandate: a UMRN, or the address of a UPI mandate. */
  umrn: Nullable(Type.String({ pattern: mandateNumberPattern })),
  maximum_amount: Nullable(Rupees),
  frequency: Nullable(OneOf(mandateFrequencies)),
  start_on: Nullable(Day),
  end_on: Nullable(Day),
})
export type MandateStatusReport = Static<typeof MandateStatusReport>

/** The e-sign provider's interface: the client uploads a PDF, a borrower signs it, and the client downloads it. */
const esignStates = ['sign_pending', 'signed', 'sign_failed', 'expired', 'withdrawn'] as const
export type EsignState = (typeof esignStates)[number]

/** `file_id` is the uploaded PDF. */
export const EsignRequest = Type.Object({
  ...requestFields,
  person: ProviderApplicant,
  file_id: Uuid,
  title: Type.String({ minLength: 1, maxLength: 200 }),
})
export type EsignRequest = Static<typeof EsignRequest>

export const EsignStatusReport = Type.Object({
  ...reportFields,
  state: OneOf(esignStates),
  /** The digest of the uploaded PDF, as on the signature page. */
  source_sha256: Type.String(),
  /** The signer's name in the certificate. */
  signed_by: Nullable(Type.String()),
})
export type EsignStatusReport = Static<typeof EsignStatusReport>

/** DIGILOCKER: documents from the government's locker · VIDEO: with a video call that an official reviews afterwards. */
const kycModes = ['DIGILOCKER', 'VIDEO'] as const

const kycStates = ['LINK_SENT', 'UNDER_REVIEW', 'VERIFIED', 'REJECTED', 'CALL_ENDED', 'LINK_EXPIRED'] as const
export type KycState = (typeof kycStates)[number]

export const KycRequest = Type.Object({ ...requestFields, mode: OneOf(kycModes), person: ProviderApplicant })
export type KycRequest = Static<typeof KycRequest>

export const KycSession = Type.Object({ ...reportFields, mode: OneOf(kycModes), state: OneOf(kycStates) })
export type KycSession = Static<typeof KycSession>

/** The credit bureau's interface: pulls a report with the borrower's consent. */
const bureauResults = ['HIT', 'NO_RECORD', 'SOURCE_FAILED'] as const

export const BureauRequest = Type.Object({
  client_reference: Text,
  /** The borrower's consent; a pull without it is rejected. */
  consent: Type.Object({ given_at: Instant, purpose: OneOf(['LOAN_UNDERWRITING']) }),
  person: ProviderApplicant,
})
export type BureauRequest = Static<typeof BureauRequest>

export const BureauReport = Type.Object({
  report_id: Uuid,
  client_reference: Text,
  result: OneOf(bureauResults),
  pulled_at: Instant,
  /** 300 to 900; -1 means that there is no record of this person. */
  score: Nullable(Type.Integer({ minimum: -1, maximum: 900 })),
  error_code: Nullable(Text),
  report: Nullable(AnyObject),
  files: Type.Array(ProviderFile),
})
export type BureauReport = Static<typeof BureauReport>

/** The statement analyser's interface: a borrower uploads a bank statement, and the analyser returns figures. */
const statementStates = [
  'AWAITING_STATEMENT',
  'PROCESSING',
  'INSIGHTS_READY',
  'PDF_PARSE_FAILED',
  'PDF_FRAUD_DETECTED',
  'STATEMENT_VALIDATION_FAILED',
  'CONSENT_DENIED',
  'LINK_EXPIRED',
] as const
export type StatementState = (typeof statementStates)[number]

const Account = Type.Object({
  holder_name: Type.String(),
  account_number: Type.String(),
  ifsc: Type.String(),
  account_type: Type.String(),
  bank_name: Type.String(),
})
export type StatementAccount = Static<typeof Account>

export const StatementRequest = Type.Object({ ...requestFields, person: ProviderApplicant, account: Account })
export type StatementRequest = Static<typeof StatementRequest>

const Count = Type.Integer({ minimum: 0 })

/** The figures of an analysis over its full months; unknown figures are omitted. */
export const StatementInsights = Type.Object({
  /** The average monthly inflow and outflow. */
  average_monthly_credits: Type.Optional(Rupees),
  average_monthly_debits: Type.Optional(Rupees),
  average_closing_balance: Type.Optional(Rupees),
  lowest_balance: Type.Optional(Rupees),
  /** Credits of a month that were a salary, on average. */
  average_monthly_salary: Type.Optional(Rupees),
  /** Instalments of loans and cards that were debited in a month, on average. */
  average_monthly_obligations: Type.Optional(Rupees),
  /** Debits returned for insufficient funds, in all months. */
  returned_debits: Type.Optional(Count),
  /** The oldest first. */
  months: Type.Optional(
    Type.Array(
      Type.Object({
        month: Month,
        credits: Rupees,
        debits: Rupees,
        closing_balance: Rupees,
        credit_count: Type.Optional(Count),
        returned_debits: Type.Optional(Count),
      }),
      { maxItems: 36 },
    ),
  ),
})
export type StatementInsights = Static<typeof StatementInsights>

/** Null until there are insights. */
export const StatementStatusReport = Type.Object({
  ...reportFields,
  state: OneOf(statementStates),
  analysed_at: Nullable(Instant),
  period_from: Nullable(Day),
  period_to: Nullable(Day),
  account: Nullable(Account),
  insights: Nullable(AnyObject),
})
export type StatementStatusReport = Static<typeof StatementStatusReport>
