// How a sign-in fails: lists that browser code also imports.

/** Why a person who returned from the OpenID provider is not signed in. */
export const openIdProblems = [
  'expired',
  'away',
  'declined',
  'unproven',
  'unverified',
  'domain',
  'unknown',
  'other-account',
  'limited',
  'failed',
] as const
export type OpenIdProblem = (typeof openIdProblems)[number]

/** How an attempt to sign in fails, as recorded. */
export const failureOutcomes = [
  'WRONG',
  'WRONG_CODE',
  'LIMITED',
  'OPENID_UNPROVEN',
  'OPENID_UNVERIFIED',
  'OPENID_DOMAIN',
  'OPENID_UNKNOWN',
  'OPENID_OTHER_ACCOUNT',
] as const
export type FailureOutcome = (typeof failureOutcomes)[number]

export const minPasswordLength = 12
