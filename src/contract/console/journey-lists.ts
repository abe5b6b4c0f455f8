// What the console can tell of journeys, as plain lists: the schemas and the page read the same ones.

/** Identifiers that a user may search by. */
export const searchKinds = [
  'borrower',
  'mobile',
  'pan',
  'email',
  'journey',
  'correlation',
  'event',
  'delivery',
  'network-transaction',
  'case',
  'loan',
  'bank-reference',
  'grievance',
  'complaint',
] as const
export type SearchKind = (typeof searchKinds)[number]

/** Whose turn it is. */
export const parties = ['borrower', 'lender', 'partner', 'provider'] as const

/** What a journey waits for. */
export const waits = [
  'PROFILE',
  'OFFERS',
  'CHOICE',
  'FINAL_OFFER',
  'ACCEPTANCE',
  'CONSENT',
  'ACCOUNT',
  'KYC',
  'MANDATE',
  'AGREEMENT',
  'VISIT',
  'DISBURSAL',
  'LENDER',
] as const

/** What people of the console may do about a journey. */
export const journeyActs = ['reveal', 'replay-deliveries', 'replay-events', 'retry-events', 'move-on'] as const

/** Why it is not possible now. */
export const actObstacles = ['ROLE', 'NOTHING_TO_DO', 'ENDED', 'SANDBOX_ONLY'] as const

/** What an entry of a timeline is about: the filter of the page. */
export const timelineKinds = [
  'update',
  'request',
  'delivery',
  'network',
  'partner-event',
  'provider',
  'document',
  'consent',
  'offer',
  'servicing',
  'grievance',
  'staff',
  'job',
] as const
export type TimelineKind = (typeof timelineKinds)[number]

export const revealable = ['name', 'mobile', 'pan', 'email', 'officialEmail', 'address', 'account', 'notes'] as const
export type Revealable = (typeof revealable)[number]

/** Of a reason to reveal personal data, in characters. */
export const leastReasonLength = 10
