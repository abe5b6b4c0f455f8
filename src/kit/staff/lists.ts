// Outcomes of failed sign-ins, which browser code also imports.

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
export const failureOutcomes = [
  'WRONG', // the email address or the password
  'WRONG_CODE',
  'LIMITED', // too many attempts
  'OPENID_UNPROVEN', // the provider's answer is not valid
  'OPENID_UNVERIFIED', // the provider has not verified the email address
  'OPENID_DOMAIN', // addresses of this domain are not allowed
  'OPENID_UNKNOWN', // no account has this address
  'OPENID_OTHER_ACCOUNT',
] as const
export type FailureOutcome = (typeof failureOutcomes)[number]

export const minPasswordLength = 12
