// The roles of people of the console, as plain lists that browsers load too.

/** Of people of the platform, from the least that they may do. */
export const platformRoles = ['viewer', 'operator', 'grievance-officer', 'admin'] as const
/** Of people of a tenant. */
export const tenantRoles = ['viewer', 'developer', 'support', 'admin'] as const
/** Why somebody who came back from the OpenID provider is not signed in. */
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
/** How a try to sign in fails. */
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
export const roles = ['viewer', 'operator', 'grievance-officer', 'developer', 'support', 'admin'] as const
