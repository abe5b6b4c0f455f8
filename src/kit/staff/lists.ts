// How a sign-in fails: lists that browser code also imports.

/** Why a person who returned from the OpenID provider is not signed in. */
export const openIdProblems = [
  'expired',
  'away', // the provider did not answer
  'declined', // by the provider or the person
  'unproven', // the provider's answer is not valid
  'unverified', // the provider has not verified the email address
  'domain', // addresses of this domain are not allowed
  'unknown', // no account has this address
  'other-account',
  'limited', // too many attempts
  'failed',
] as const
export type OpenIdProblem = (typeof openIdProblems)[number]

/** How an attempt to sign in fails, as recorded. */
export const failureOutcomes = [
  'WRONG',
  'WRONG_CODE',
  'LIMITED', // too many attempts
  'OPENID_UNPROVEN', // the provider's answer is not valid
  'OPENID_UNVERIFIED', // the provider has not verified the email address
  'OPENID_DOMAIN',
  'OPENID_UNKNOWN',
  'OPENID_OTHER_ACCOUNT',
] as const
export type FailureOutcome = (typeof failureOutcomes)[number]

export const minPasswordLength = 12
