// The statuses of a journey, without schema imports.

/** D1 §3. */
export const statuses = [
  'STARTED',
  'PROFILED',
  'OFFERED',
  'NOT_OFFERED',
  'OFFER_SELECTED',
  'OFFER_ACCEPTED',
  'LENDER_REDIRECTED',
  'REJECTED',
  'DISBURSED',
] as const
