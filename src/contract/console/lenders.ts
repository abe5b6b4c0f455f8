// The console's requests and answers about lenders: how they answer, whether they are switched off, their entries in the registry.

import { Count, Id, Instant, MaybeInstant, MaybeText, Text } from '#contract/atoms.ts'
import { Closed, OneOf, orNull, type Static, Type } from '#kit/http/schema.ts'
import { entryStates, leastReason } from './lists.ts'
import { ListOfTenant } from './staff.ts'

const Whole = Type.Integer({ minimum: 0, maximum: 100_000_000 })

/** Behind a lender's name, which may be long. */
export const LenderListQuery = Closed({
  ...ListOfTenant.properties,
  after: Type.Optional(Type.String({ maxLength: 500 })),
})
export const LenderParams = Closed({ lenderId: Id })

/** The results of requests. */
export const Answers = Closed({
  /** In time. */
  answered: Count,
  /** After the request's ttl. */
  late: Count,
  /** Rejected at once. */
  refused: Count,
  /** Acknowledged, and never answered. */
  silent: Count,
  /** Not acknowledged. */
  unreached: Count,
  waiting: Count,
})
export type Answers = Static<typeof Answers>

const Recent = Closed({ ...Answers.properties, medianMs: orNull(Count) })
export type Recent = Static<typeof Recent>

/** Who switched a lender off: for all tenants, or for one. */
export const SwitchedOff = Closed({
  forAll: Type.Boolean(),
  tenantId: orNull(Id),
  reason: Text,
  offAt: Instant,
  /** Null for the command line, and for people of the platform when a tenant's person asks. */
  personName: MaybeText,
})
export type SwitchedOff = Static<typeof SwitchedOff>

export const Lender = Closed({
  /** One of its ids; with several tenants it has one in each. */
  lenderId: Id,
  /** The lending partner, which is reached by events. */
  isPartner: Type.Boolean(),
  name: Text,
  /** Its subscriber id on the network, or the partner's name in events. */
  bppId: Text,
  providerId: Text,
  /** Products requested from it in the last seven days. */
  products: Type.Array(Text),
  off: Type.Array(SwitchedOff),
  /** For the last sixty minutes, at most its newest 2,000 requests. */
  hour: Recent,
  /** For the last seven days, from the figures. */
  week: Answers,
  /** For the last seven days: requested, answered, made and chosen offers. */
  offers: Closed({ requested: Count, answered: Count, offered: Count, chosen: Count }),
  /** The newest message in either direction, of its newest conversations and of the last hour. */
  lastMessageAt: MaybeInstant,
  /** When it was last seen in a catalogue. */
  seenAt: Instant,
})
export type Lender = Static<typeof Lender>
export const Lenders = Closed({ items: Type.Array(Lender), next: MaybeText })
export type Lenders = Static<typeof Lenders>

export const ActionAnswers = Closed({ action: Text, hour: Recent, week: Answers })
export type ActionAnswers = Static<typeof ActionAnswers>
export const LenderConversation = Closed({
  tenantId: Id,
  journeyId: Id,
  conversationId: Id,
  product: Text,
  stage: Text,
  /** Our request that it has not answered yet. */
  awaitedAction: MaybeText,
  awaitedUntil: MaybeInstant,
  endedBecause: MaybeText,
  lastMessageAt: MaybeInstant,
  createdAt: Instant,
})
export type LenderConversation = Static<typeof LenderConversation>
export const LenderDetail = Closed({
  ...Lender.properties,
  grievanceOfficer: MaybeText,
  supportEmail: MaybeText,
  actions: Type.Array(ActionAnswers),
  /** The newest first. */
  conversations: Type.Array(LenderConversation),
})
export type LenderDetail = Static<typeof LenderDetail>

/** How many journeys are at a lender. */
export const LenderEffect = Closed({
  /** Asked, and its answer is awaited: it is not taken up while the lender is off. */
  searching: Count,
  /** It has offered: that cannot be chosen while the lender is off. */
  offered: Count,
  /** Chosen, but not disbursed yet: these continue. */
  chosen: Count,
  /** Running loans: these continue. */
  loans: Count,
})
export type LenderEffect = Static<typeof LenderEffect>

export const SwitchOffRequest = Closed({
  reason: Type.String({
    minLength: leastReason,
    maxLength: 500,
    'x-says': `must say why in ${leastReason} to 500 characters`,
  }),
  /** The effect that was shown at the confirmation. */
  searching: Whole,
  offered: Whole,
})
export type SwitchOffRequest = Static<typeof SwitchOffRequest>

const RegistryKey = Closed({
  keyId: Text,
  type: Text,
  domain: MaybeText,
  status: Text,
  url: MaybeText,
  /** SHA-256 of the public signing key, its first 16 hexadecimal digits. */
  fingerprint: Text,
  validFrom: Text,
  validUntil: Text,
})
export type RegistryKey = Static<typeof RegistryKey>
export const RegistryEntry = Closed({
  subscriberId: Text,
  state: OneOf(entryStates),
  keys: Type.Array(RegistryKey),
  /** When the last of its keys that are valid now ends. */
  validUntil: MaybeText,
  /** Within thirty days, or no key is valid now. */
  endsSoon: Type.Boolean(),
})
export type RegistryEntry = Static<typeof RegistryEntry>
export const OwnEntry = Closed({
  ...RegistryEntry.properties,
  url: Text,
  keyId: Text,
  /** Of our current signing key. */
  fingerprint: Text,
  /** Whether the registry has exactly this key under this id. */
  isKeyKnown: Type.Boolean(),
  registryUrl: Text,
  /** The deadline for the next key: thirty days before this one expires. */
  rotateBy: MaybeText,
})
export type OwnEntry = Static<typeof OwnEntry>
export const NetworkEntries = Closed({
  /** The platform's own; null for people of a tenant. */
  own: orNull(OwnEntry),
  lenders: Type.Array(RegistryEntry),
})
export type NetworkEntries = Static<typeof NetworkEntries>
