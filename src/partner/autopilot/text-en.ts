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
    : { reasonCode: bankRule, reasonMessage: 'The applicant’s bank statement does not meet our policy.' }

export const exposureRejection: typeof policyRejection = {
  reasonCode: 'EXPOSURE_LIMIT',
  reasonMessage: 'The applicant already has the maximum number of loans and applications.',
}
