// The autopilot's reasons in place of a reviewer's: the applicant's app may show them (D3 §2.4 reason_message).
import type { Rejection } from '#partner/review/decide.ts'

export const policyRejection: Pick<Rejection, 'reasonCode' | 'reasonMessage'> = {
  reasonCode: 'CREDIT_POLICY',
  reasonMessage: 'The application does not meet our policy.',
}

/** Because of a rule for bank data, by its code, or of the policy. */
export const rejectionFor = (bankRule: string | null): typeof policyRejection =>
  bankRule === null
    ? policyRejection
    : { reasonCode: bankRule, reasonMessage: 'The bank statement of the applicant does not meet our policy.' }

export const exposureRejection: typeof policyRejection = {
  reasonCode: 'EXPOSURE_LIMIT',
  reasonMessage: 'There are as many loans and applications as one borrower may have.',
}
