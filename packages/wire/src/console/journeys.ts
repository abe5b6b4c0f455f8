// Schemas of the console API: journey search and list, a journey with its timeline, notes, and revealed personal data.

import { keysOf, recordOf } from '@lendloom/foundation/record'
import { AnyObject, Closed, NonEmpty, OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import { productIds } from '@lendloom/lending/product/products'
import { Day, Id, Instant, InstantOrNull, Text, TextOrNull } from '#wire/basic-schemas.ts'
import { drawdownStatuses } from '#wire/hosted/drawdown-status.ts'
import { statuses } from '#wire/hosted/lifecycle-status.ts'
import type { ProfileField } from '#wire/hosted/profile.ts'
import { actObstacles, journeyActs, parties, searchKinds, timelineKinds, waits } from './journey-lists.ts'
import { RevealReason } from './mail.ts'
import { ListOfTenant } from './staff.ts'

const Amount = orNull(Type.String({ examples: ['200000.00'] }))
const Status = OneOf(statuses)
const Product = OneOf(productIds)

const InstantOrDay = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}(?:T\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,3})?)?(?:Z|[+-]\\d{2}:\\d{2}))?$',
  'x-says': 'must be a day, or an instant such as 2026-11-21T10:00:00Z',
})
const After = Type.String({ minLength: 1, maxLength: 300 })

const SearchText = Type.String({ minLength: 2, maxLength: 200, 'x-says': 'must have 2 to 200 characters' })
export const SearchQuery = Closed({ q: SearchText, tenantId: Type.Optional(Id) })

/** A search result. `matched` is the identifier that matched; null if that is personal data. */
export const SearchItem = Closed({
  kind: OneOf(searchKinds),
  tenantId: Id,
  journeyId: Id,
  matched: TextOrNull,
  /** The timeline entry, if the search matched one. */
  entryId: TextOrNull,
  product: Product,
  status: Status,
  active: Type.Boolean(),
  /** Whether the journey expired. Expiry does not change `status`. */
  isExpired: Type.Boolean(),
  createdAt: Instant,
  /** The borrower's masked name. */
  name: TextOrNull,
})
export type SearchItem = Static<typeof SearchItem>
export const SearchReply = Closed({ items: Type.Array(SearchItem) })

const journeyFilters = {
  tenantId: Type.Optional(Id),
  applicationId: Type.Optional(Id),
  status: Type.Optional(Status),
  product: Type.Optional(Product),
  from: Type.Optional(InstantOrDay),
  to: Type.Optional(InstantOrDay),
}
export const JourneyExportQuery = Closed(journeyFilters)
export type JourneyExportQuery = Static<typeof JourneyExportQuery>
/** The statuses that the list shows. An expired journey keeps its status, and a cancelled loan is still DISBURSED. */
const ListedStatus = OneOf([...statuses, 'EXPIRED', 'CANCELLED'])
export const JourneysQuery = Closed({
  ...journeyFilters,
  status: Type.Optional(ListedStatus),
  /** Only journeys that wait for this party. */
  waitsOn: Type.Optional(OneOf(['borrower', 'lender'])),
  /** Only journeys that have waited for so many days. */
  waitedDays: Type.Optional(Type.String({ pattern: '^[1-9]\\d?$', 'x-says': 'must be 1 to 99' })),
  /** Only journeys with this identifier, as in the search. */
  q: Type.Optional(SearchText),
  after: Type.Optional(After),
  limit: ListOfTenant.properties.limit,
})

export const WaitingFor = Closed({
  what: OneOf(waits),
  whose: OneOf(parties),
  /** The last act of the borrower, change of the status or change of a step. */
  since: Instant,
  /** When the wait times out; null if it never does. */
  until: InstantOrNull,
})
export type WaitingFor = Static<typeof WaitingFor>

const Borrower = Closed({
  providerId: Text,
  /** Masked. */
  name: TextOrNull,
  mobile: Text,
})

const listed = {
  tenantId: Id,
  journeyId: Id,
  applicationId: Id,
  product: Product,
  status: Status,
  active: Type.Boolean(),
  createdAt: Instant,
  updatedAt: Instant,
  borrower: Borrower,
  /** Null until the borrower chooses a lender. */
  lender: orNull(Closed({ lenderId: Id, name: Text })),
  /** The amount of the chosen offer; null without one. */
  amount: Amount,
  waitsFor: orNull(WaitingFor),
  /** When and why the journey expired; null if it did not. Expiry does not change `status`. */
  expired: orNull(Closed({ at: Instant, because: TextOrNull })),
  /** When the personal data of the journey was erased; null if it is stored. */
  erasedAt: InstantOrNull,
  isCancelled: Type.Boolean(),
  /** Null for another loan, and before the lender has opened the line. A line that is never drawn keeps its `status`. */
  line: orNull(OneOf(['OPEN', 'CLOSED'])),
}
export const ListedJourney = Closed(listed)
export type ListedJourney = Static<typeof ListedJourney>
export const JourneysReply = Closed({ items: Type.Array(ListedJourney), next: TextOrNull })

export type JourneysQuery = Static<typeof JourneysQuery>

export const JourneyParams = Closed({ journeyId: Id })

export const ConsoleOffer = Closed({
  offerId: Id,
  lenderId: Id,
  lender: Text,
  status: OneOf(['OFFER_AWAITED', 'OFFER_RECEIVED', 'NO_OFFER_AVAILABLE']),
  reason: TextOrNull,
  chosen: Type.Boolean(),
  accepted: Type.Boolean(),
  rejectedAt: InstantOrNull,
  validUntil: InstantOrNull,
  final: Type.Boolean(),
  principal: Amount,
  installment: Amount,
  interestRate: TextOrNull,
  apr: TextOrNull,
  term: TextOrNull,
  /** How many instalments there are and how often one is due, in the lender's words; null before there are terms. */
  installmentsCount: orNull(Type.Integer()),
  repaymentFrequency: TextOrNull,
  /** Whether it offers a credit line, and `principal` is the limit. */
  creditLine: Type.Boolean(),
})
export type ConsoleOffer = Static<typeof ConsoleOffer>

export const ActAvailability = Closed({
  act: OneOf(journeyActs),
  possible: Type.Boolean(),
  because: orNull(OneOf(actObstacles)),
  /** The number of items; null when it does not apply. */
  count: orNull(Type.Integer()),
})
export type ActAvailability = Static<typeof ActAvailability>

export const ConsoleLoan = Closed({
  state: OneOf(['RUNNING', 'OVERDUE', 'REPAID', 'CANCELLED']),
  number: TextOrNull,
  /** What is owed now, as the lending partner's account has it; null on the network, whose lenders report no account. */
  outstanding: Amount,
  /** The unpaid instalments, with the interest to come. */
  unpaidInstalments: Amount,
  overdue: Amount,
  /** How many instalments are overdue; 0 of a loan whose lender states an amount only. */
  overdueInstalments: Type.Integer({ minimum: 0 }),
  /** The day of the oldest overdue instalment; null without one, or if the lender calls it overdue before its day. */
  overdueSince: orNull(Day),
  /** The next instalment that is not overdue. */
  nextDue: orNull(Closed({ dueOn: Day, amount: Text })),
  closedAt: InstantOrNull,
})
export type ConsoleLoan = Static<typeof ConsoleLoan>

/** A credit line that the lender has opened, by its last report. */
export const ConsoleLine = Closed({
  limit: Text,
  drawn: Text,
  available: Text,
  openedAt: Instant,
  /** When the lender reported these amounts. */
  reportedAt: Instant,
  closedAt: InstantOrNull,
  /** The newest first, at most twenty. */
  drawdowns: Type.Array(
    Closed({ drawdownId: Id, amount: Text, status: OneOf(drawdownStatuses), reason: TextOrNull, changedAt: Instant }),
  ),
})
export type ConsoleLine = Static<typeof ConsoleLine>

/** The gold that secures a loan, and the branch of the lender that the borrower chose. */
const ConsoleGold = Closed({
  weightGrams: orNull(Type.Number()),
  purity: TextOrNull,
  branch: TextOrNull,
})
export type ConsoleGold = Static<typeof ConsoleGold>

const Neighbour = orNull(Closed({ journeyId: Id, status: Status, createdAt: Instant }))

export const JourneyHead = Closed({
  ...listed,
  application: Text,
  networkTransactionId: Id,
  caseRef: orNull(Id),
  endReason: TextOrNull,
  /** The borrower’s journey before and after, for the same product and app, if the earlier one ended without a loan. */
  previous: Neighbour,
  next: Neighbour,
  lastBorrowerActAt: Instant,
  closedAt: InstantOrNull,
  borrower: Closed({ ...Borrower.properties, pan: TextOrNull, email: TextOrNull, account: TextOrNull }),
  /** Null before the payout. */
  loan: orNull(ConsoleLoan),
  /** Null before the lender has opened the line, and for another loan. */
  creditLine: orNull(ConsoleLine),
  /** Null unless gold secures the loan. */
  gold: orNull(ConsoleGold),
  /** Whether the borrower completes the steps at a branch of the lender. */
  visitsBranch: Type.Boolean(),
  offers: Type.Array(ConsoleOffer),
  steps: Type.Array(Closed({ name: Text, status: Text, attempts: Type.Integer(), problem: TextOrNull })),
  acts: Type.Array(ActAvailability),
  /** Numbers of webhook updates: `waiting` are pending, and `lost` were given up. */
  deliveries: Closed({
    waiting: Type.Integer(),
    lost: Type.Integer(),
    /** Per destination, the newest delivery that has failed; the newest first. */
    failing: Type.Array(Closed({ endpointId: TextOrNull, url: TextOrNull, answer: TextOrNull, at: Instant })),
  }),
})
export type JourneyHead = Static<typeof JourneyHead>

export const TimelineQuery = Closed({
  tenantId: Type.Optional(Id),
  kinds: Type.Optional(
    Type.String({
      pattern: `^(?:${timelineKinds.join('|')})(?:,(?:${timelineKinds.join('|')}))*$`,
      'x-says': `must be some of ${timelineKinds.join(', ')}, separated by commas`,
    }),
  ),
  order: Type.Optional(OneOf(['oldest', 'newest'])),
  /** Whether successful requests that only read are entries: an app that polls has hundreds of them. */
  reads: Type.Optional(OneOf(['include', 'omit'])),
  after: Type.Optional(After),
  limit: ListOfTenant.properties.limit,
})

export const TimelineEntry = Closed({
  id: Text,
  at: Instant,
  kind: OneOf(timelineKinds),
  title: Closed({ code: Text, params: AnyObject }),
  state: TextOrNull,
  correlationId: TextOrNull,
})
export type TimelineEntry = Static<typeof TimelineEntry>
export const TimelineReply = Closed({ items: Type.Array(TimelineEntry), next: TextOrNull })
export type TimelineReply = Static<typeof TimelineReply>

export const EntryParams = Closed({ journeyId: Id, entryId: Type.String({ minLength: 3, maxLength: 200 }) })
/** The other side's immediate response. `body` is the masked start of its body. */
const EntryAnswer = Closed({ answer: Text, tookMs: orNull(Type.Integer()), body: TextOrNull })
export type EntryAnswer = Static<typeof EntryAnswer>
/** An entry with its details. `raw` is the stored or sent JSON with personal data masked; null if there is none. */
export const TimelineDetail = Closed({
  ...TimelineEntry.properties,
  detail: AnyObject,
  raw: Type.Any(),
  answer: orNull(EntryAnswer),
})
export type TimelineDetail = Static<typeof TimelineDetail>

/** Fields that staff may reveal with a reason, by their name in that API, with their label in the console. */
export const revealedFields = {
  name: { field: 'panName', label: 'Name' },
  mobile: { field: 'contactNumber', label: 'Mobile' },
  pan: { field: 'pan', label: 'PAN' },
  email: { field: 'personalemail', label: 'Email' },
  officialEmail: { field: 'officialemail', label: 'Work email' },
} as const satisfies Record<string, { field: ProfileField; label: string }>

/** What staff may reveal, with its label. */
export const revealLabels = {
  ...recordOf(keysOf(revealedFields), (name) => revealedFields[name].label),
  address: 'Address',
  account: 'Bank account',
  notes: 'Notes',
}
export const revealable = keysOf(revealLabels)
export type Revealable = (typeof revealable)[number]

export const RevealRequest = Closed({
  reason: RevealReason,
  fields: NonEmpty(OneOf(revealable)),
})
/** Null for unknown values. */
export const RevealReply = Closed({
  fields: Closed(recordOf(revealable, () => Type.Optional(TextOrNull))),
})
export type RevealReply = { fields: Partial<Record<Revealable, string | null>> }

export const StaffNote = Closed({
  noteId: Id,
  at: Instant,
  /** Null when the name is no longer known. */
  personName: TextOrNull,
  /** Whether only platform staff may read it. */
  isPlatform: Type.Boolean(),
  text: Text,
})
export type StaffNote = Static<typeof StaffNote>
/** The newest first. */
export const StaffNotes = Closed({ items: Type.Array(StaffNote), next: Type.Null() })
export type StaffNotes = Static<typeof StaffNotes>
export const NoteRequest = Closed({
  text: Type.String({ minLength: 1, maxLength: 4000, pattern: '\\S', 'x-says': 'must have 1 to 4,000 characters' }),
})

export const MoveOnRequest = Closed({ to: Status })
export const MoveOnReply = Closed({ status: Status, to: Status })
/** How many events are resent or rechecked. */
export const EventsReply = Closed({ count: Type.Integer() })
export type EventsReply = Static<typeof EventsReply>
