// Outcomes of failed sign-ins, which browser code also imports.
import { keysOf } from '@lendloom/foundation/record'

/** Why a person who returned from the OpenID provider is not signed in. */
export const openIdProblems = [
  'expired', // the sign-in at the provider took too long
  'away', // the provider did not answer
  'declined', // by the provider or the person
  'unproven', // the provider's answer is not valid
  'unverified', // the provider has not verified the email address
  'domain', // addresses of this domain are not allowed
  'unknown', // no account has this address
  'other-account', // the person is linked to another account of the provider
  'limited', // too many attempts
  'failed',
] as const
export type OpenIdProblem = (typeof openIdProblems)[number]

/** The recorded outcome of a failed sign-in. */
export const failureTexts = {
  WRONG: 'Wrong email or password',
  WRONG_CODE: 'Wrong code',
  LIMITED: 'Too many attempts, not checked',
  OPENID_UNPROVEN: 'Provider’s answer not verified',
  OPENID_UNVERIFIED: 'Provider: email not verified',
  OPENID_DOMAIN: 'Provider: other email domain',
  OPENID_UNKNOWN: 'Provider: no account with this email',
  OPENID_OTHER_ACCOUNT: 'Provider: another account is linked',
} as const
export type FailureOutcome = keyof typeof failureTexts
export const failureOutcomes = keysOf(failureTexts)

export const minPasswordLength = 12
