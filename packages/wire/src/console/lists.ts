// Lists of codes shared by the console's schemas and pages; without schema imports, because browsers load them.

/** The scopes of an API key, shared by schemas and page. */
export const keyScopes = ['sessions', 'webhooks', 'sandbox'] as const
/** A week: by then every server has the new key. */
export const maxOverlapHours = 168

/**
 * The checks of a page that embeds the journey. `allowed`: its origin is in the list · `secure`: it is https, or local ·
 * `reachable`: it responded · `frame-policy`: its Content-Security-Policy allows our frame · `permissions`: its
 * Permissions-Policy grants camera and microphone to frames · `embedder-policy`: our page satisfies its embedder policy.
 */
export const embedFindings = [
  'allowed',
  'secure',
  'reachable',
  'frame-policy',
  'permissions',
  'embedder-policy',
] as const
export type EmbedFinding = (typeof embedFindings)[number]

/** The state of a registry entry, ours or a lender's: `unreached` when the registry did not answer in time. */
export const entryStates = ['known', 'missing', 'unreached'] as const

/** The minimum length of a reason for switching a lender off. */
export const minReasonLength = 10
/** The console warns of keys that expire within this many days. */
export const warnDays = 30

/** QUEUED until the mail server accepts it (SENT), or rejects it permanently or for too long (FAILED). */
export const mailStates = ['QUEUED', 'SENT', 'FAILED'] as const
export type MailState = (typeof mailStates)[number]

export const mailKinds = ['complaint', 'invitation', 'webhook-alert', 'report', 'sign-in', 'audit-head'] as const
export type MailKind = (typeof mailKinds)[number]

/** The outcomes that the console's overview counts. */
export const offerOutcomes = ['REQUESTED', 'ANSWERED', 'OFFERED', 'CHOSEN'] as const
export type OfferOutcome = (typeof offerOutcomes)[number]
export const deliveryOutcomes = ['FIRST_TRY', 'REPEATED', 'WAITING', 'GIVEN_UP', 'STOPPED'] as const
export type DeliveryOutcome = (typeof deliveryOutcomes)[number]
export const requestOutcomes = ['ANSWERED', 'LATE', 'SILENT', 'REFUSED', 'UNREACHED', 'WAITING'] as const
export type RequestOutcome = (typeof requestOutcomes)[number]
export const eventOutcomes = ['DONE', 'WAITING', 'FAILED', 'SUPERSEDED'] as const
export type EventOutcome = (typeof eventOutcomes)[number]

export const ranges = ['24h', '7d', '30d', '90d', 'custom'] as const
export type Range = (typeof ranges)[number]
export const stepNames = ['hour', 'day'] as const
export type ChartStep = (typeof stepNames)[number]
/** The longest period of hourly figures, in days. */
export const maxHourlyDays = 14
/** The longest period of any figures, in days. */
export const maxDays = 366

/** The figures that can be downloaded as a file. */
export const figureFiles = [
  'journeys',
  'time-to-money',
  'payout-time',
  'offers',
  'deliveries',
  'delivery-time',
  'requests',
  'partner-events',
  'partner-gaps',
  'platform-events',
] as const
export type FigureFile = (typeof figureFiles)[number]

/** The states of the lending partner's events. */
export const eventStates = [
  'DELIVERED',
  'APPLIED',
  'WAITING',
  'GAP',
  'FAILING',
  'CONFLICT',
  'GIVEN_UP',
  'FAILED',
  'SUPERSEDED',
] as const
export type EventState = (typeof eventStates)[number]
export const directions = ['sent', 'received'] as const
export type Direction = (typeof directions)[number]
/** A missing event is reported after this time. */
export const gapMinutes = 15
/** Directions of credentials: `outgoing` is ours, `incoming` the partner's. */
export const credentialDirections = ['outgoing', 'incoming'] as const
export type CredentialDirection = (typeof credentialDirections)[number]
export const kycModes = ['STANDARD', 'VIDEO_AND_MANUAL_REVIEW'] as const
/** Whether borrowers share a bank statement before the lead: not at all, optionally, or as a condition. */
export const bankStatementModes = ['OFF', 'OPTIONAL', 'REQUIRED'] as const
export const mandateFrequencies = ['AS_PRESENTED', 'WEEKLY'] as const
/** For borrowers: the grievance officer and the support (D1 §2.4 lenders), and the account for transfers to the lender. */
export const contactNames = [
  'groName',
  'groEmail',
  'groContactNumber',
  'groDesignation',
  'groAddress',
  'customerSupportLink',
  'customerSupportContactNumber',
  'customerSupportEmail',
  'repaymentAccount',
] as const

/** Roles of platform staff, fewest rights first. */
export const platformRoles = ['viewer', 'operator', 'grievance-officer', 'admin'] as const
export const tenantRoles = ['viewer', 'developer', 'support', 'admin'] as const
export const roleNames: Record<(typeof platformRoles | typeof tenantRoles)[number], string> = {
  viewer: 'Viewer',
  operator: 'Operator',
  'grievance-officer': 'Grievance officer',
  admin: 'Admin',
  developer: 'Developer',
  support: 'Support',
}
export const roles = ['viewer', 'operator', 'grievance-officer', 'developer', 'support', 'admin'] as const

export { corners, fonts } from '@lendloom/design/theme-lists'

export const maxThemeNameLength = 30
export const maxLogoBytes = 100_000
/** Text in the accent colour, text on a button, and the border of a button. */
export const contrastKinds = ['WORDS', 'BUTTON', 'EDGE'] as const
