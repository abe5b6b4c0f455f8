// Plain lists about journeys, shared by schemas and page.

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

/** The party that must act next. */
export const parties = ['borrower', 'lender', 'partner', 'provider'] as const

/** What a journey may wait for. */
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

export const journeyActs = ['reveal', 'replay-deliveries', 'replay-events', 'retry-events', 'move-on'] as const

/** Why an act is not possible now. */
export const actObstacles = ['ROLE', 'NOTHING_TO_DO', 'ENDED', 'SANDBOX_ONLY'] as const

/** The kind of a timeline entry, for the page's filter. */
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

/** The kinds of the jobs of a journey, which a timeline shows as what is yet to come. */
export const plannedKinds = [
  'aa-look',
  'autopilot',
  'fund-statement-look',
  'grievance-changed',
  'grievance-follow-up',
  'grievance-turned-away',
  'inbound-message',
  'lender-follow-up',
  'lender-page',
  'loan-closed',
  'loan-look',
  'network-call',
  'network-form',
  'network-timer',
  'offer-lapse',
  'offer-window',
  'partner-begin',
  'partner-check',
  'partner-claim',
  'partner-dedupe',
  'partner-lead',
  'partner-statement',
  'partner-status',
  'partner-upload',
  'partner-weigh',
  'servicing-watch',
  'sms',
] as const
export type PlannedKind = (typeof plannedKinds)[number]

/** The minimum length, in characters, of a reason for revealing personal data. */
export const minRevealReasonLength = 10
