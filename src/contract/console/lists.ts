// Plain lists of the console, loaded by browsers too: shared by schemas and page.
import { ownValue } from '#kit/runtime/record.ts'

/** The type of a filter value: a word of a list, a day, one of our ids, or a lender's address. */
export type FilterKind = 'word' | 'day' | 'id' | 'party'

interface ViewList {
  /** The display name. */
  name: string
  /** Its path in the console. */
  path: readonly string[]
  /** Filters of the address bar. Free text is not included: a saved view outlives a single search. */
  filters: Readonly<Record<string, FilterKind>>
}

export const viewLists = {
  journeys: {
    name: 'Journeys',
    path: ['journeys'],
    filters: { status: 'word', product: 'word', from: 'day', to: 'day' },
  },
  deliveries: {
    name: 'Deliveries',
    path: ['webhooks', 'deliveries'],
    filters: { state: 'word', status: 'word', since: 'word' },
  },
  requests: { name: 'Requests', path: ['developers', 'requests'], filters: { method: 'word', failed: 'word' } },
  'partner-events': {
    name: 'Partner events',
    path: ['lenders', 'events'],
    filters: { direction: 'word', state: 'word', since: 'word' },
  },
  complaints: {
    name: 'Complaints',
    path: ['grievances'],
    filters: {
      ...{ state: 'word', due: 'word', category: 'word', route: 'word', matched: 'word', replied: 'word' },
      ...{ assignee: 'id', lender: 'party' },
    },
  },
} as const satisfies Record<string, ViewList>

export type ViewListName = keyof typeof viewLists
export const viewListNames = ['journeys', 'deliveries', 'requests', 'partner-events', 'complaints'] as const

const patterns: Record<FilterKind, RegExp> = {
  word: /^(?:[A-Za-z][A-Za-z_-]{0,39}|\d{1,3}[a-z])$/,
  day: /^\d{4}-\d{2}-\d{2}$/,
  id: /^(?:me|none|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/,
  party: /^(?=[^@]*[a-z])[a-z0-9:./-]{1,200}$/i,
}

export const filtersOf = (list: ViewListName): Readonly<Record<string, FilterKind>> => viewLists[list].filters

/** Whether a list has a filter of that name that may have this value. */
export function isFilterOf(list: ViewListName, name: string, value: string): boolean {
  const known = filtersOf(list)
  const kind = ownValue(known, name)
  return kind !== undefined && patterns[kind].test(value)
}

/** Per person and list. */
export const mostViews = 50
export const longestViewName = 60

/** The scopes of an API key, shared by schemas and page. */
export const keyScopes = ['sessions', 'webhooks', 'sandbox'] as const
/** A week: a key that is rolled is out of every server by then. */
export const longestOverlapHours = 168

/**
 * The checks of a page that embeds the journey. `allowed`: its origin is in the list · `secure`: it is https, or local
 * · `reachable`: it answered · `frame-policy`: its Content-Security-Policy allows our frame · `permissions`: its
 * Permissions-Policy grants camera and microphone to frames · `embedder-policy`: our page satisfies its embedder
 * policy.
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

/** Minimum length of a reason. */
export const leastReason = 10
/** A key that ends sooner than this is pointed out. */
export const warnDays = 30

/** QUEUED until the mail server has taken it (SENT), or has refused it for good or for too long (FAILED). */
export const mailStates = ['QUEUED', 'SENT', 'FAILED'] as const
export type MailState = (typeof mailStates)[number]

/** The subject of a mail. */
export const mailKinds = ['complaint', 'invitation', 'webhook-alert', 'report', 'sign-in', 'audit-head'] as const
export type MailKind = (typeof mailKinds)[number]

/** The counts of the console's overview, shared by schemas, counting and page. */
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
/** The limit for hourly figures in days, and for any figures. */
export const [mostHourlyDays, mostDays] = [14, 366]

/** The figures that there is a file of. */
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

/** States of the lending partner's events and files, as plain lists that browsers load too. */
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
/** A gap that is older than this is reported. */
export const gapMinutes = 15
/** Directions of credentials: `outgoing` is ours, `incoming` the partner's. */
export const credentialDirections = ['outgoing', 'incoming'] as const
export type CredentialDirection = (typeof credentialDirections)[number]
export const kycModes = ['STANDARD', 'VIDEO_AND_MANUAL_REVIEW'] as const
/** Whether borrowers are asked for bank statements before the lead: never, optionally, or as a condition. */
export const bankStatementModes = ['OFF', 'OPTIONAL', 'REQUIRED'] as const
export const mandateFrequencies = ['AS_PRESENTED', 'WEEKLY'] as const
/** The contacts for borrowers (D1 §2.4 lenders): the grievance officer, and the support. */
export const contactNames = [
  'groName',
  'groEmail',
  'groContactNumber',
  'groDesignation',
  'groAddress',
  'customerSupportLink',
  'customerSupportContactNumber',
  'customerSupportEmail',
] as const

/** Roles in the platform, least rights first. */
export const platformRoles = ['viewer', 'operator', 'grievance-officer', 'admin'] as const
/** Roles in a tenant. */
export const tenantRoles = ['viewer', 'developer', 'support', 'admin'] as const
export const roles = ['viewer', 'operator', 'grievance-officer', 'developer', 'support', 'admin'] as const

/** The choices of a theme, shared by schemas and page. */
export { corners, fonts } from '#kit/design/theme-lists.ts'

export const mostNameLength = 30
export const maxLogoBytes = 100_000
/** Words in the accent, words on a button, and the edge of a button. */
export const contrastKinds = ['WORDS', 'BUTTON', 'EDGE'] as const
