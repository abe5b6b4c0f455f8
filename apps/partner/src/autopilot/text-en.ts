// The autopilot's reasons for a rejection, which the applicant's app may show (D3 §2.4 reason_message).
import type { Rejection } from '#partner/origination/review/review-case.ts'

export const policyRejection: Pick<Rejection, 'reasonCode' | 'reasonMessage'> = {
  reasonCode: 'CREDIT_POLICY',
  reasonMessage: 'The application does not meet our policy.',
}

/** Returns the rejection reason of a bank data rule; null stands for the credit policy. */
export const rejectionFor = (bankRule: string | null): typeof policyRejection =>
  bankRule === null
    ? policyRejection
    : { reasonCode: bankRule, reasonMessage: 'The applicant’s bank statement does not meet our policy.' }

export const exposureRejection: typeof policyRejection = {
  reasonCode: 'EXPOSURE_LIMIT',
  reasonMessage: 'The applicant already has the maximum number of loans and applications.',
}
