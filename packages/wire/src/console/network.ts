// Schemas of the console API: the network's registry, our service level, and our reports to its collector.

import { Closed, OneOf, orNull, type Static, Type } from '@lendloom/foundation/schema'
import { Count, Day, Instant, Text, TextOrNull } from '#wire/basic-schemas.ts'
import { entryStates } from './lists.ts'

const RegistryKey = Closed({
  keyId: Text,
  type: Text,
  domain: TextOrNull,
  status: Text,
  url: TextOrNull,
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
  /** When the last of its currently valid keys expires. */
  validUntil: TextOrNull,
  /** True if `validUntil` is within thirty days, or no key is valid now. */
  endsSoon: Type.Boolean(),
})
export type RegistryEntry = Static<typeof RegistryEntry>
export const OwnRegistryEntry = Closed({
  ...RegistryEntry.properties,
  url: Text,
  keyId: Text,
  /** The fingerprint of our current signing key. */
  fingerprint: Text,
  /** Whether the registry has exactly this key under this id. */
  isKeyKnown: Type.Boolean(),
  registryUrl: Text,
  /** The deadline for the next key: thirty days before this one expires. */
  rotateBy: TextOrNull,
})
export type OwnRegistryEntry = Static<typeof OwnRegistryEntry>
export const RegistryEntries = Closed({
  /** The platform's own entry; null for tenant users. */
  own: orNull(OwnRegistryEntry),
  lenders: Type.Array(RegistryEntry),
})
export type RegistryEntries = Static<typeof RegistryEntries>

/** Callbacks that we received, and how we answered them. */
const answered = {
  callbacks: Count,
  refused: Count,
  /** Answered with 5xx: neither ACK nor NACK. */
  failed: Count,
  withinSecond: Count,
  /** Bounds of the time to answer, in milliseconds. */
  medianMs: orNull(Count),
  p95Ms: orNull(Count),
  p99Ms: orNull(Count),
}
/** Our service level towards the network. */
export const NetworkServiceLevel = Closed({
  /** Days in India with callbacks, the newest first; empty for tenant users. */
  days: Type.Array(Closed({ day: Day, ...answered })),
  /** Sums of these days, the most frequent first. */
  actions: Type.Array(Closed({ action: Text, ...answered })),
})
export type NetworkServiceLevel = Static<typeof NetworkServiceLevel>

export const NetworkReportsQuery = Closed({ day: Type.Optional(Day) })
const ReportsOfDay = Closed({
  /** In India. */
  day: Day,
  /** When the network wants the reports of the day: 02:00 of the next one. */
  dueAt: Instant,
  /** Messages of the journal whose answer is final. */
  journal: Count,
  reported: Count,
  waiting: Count,
  refused: Count,
})
export type ReportsOfDay = Static<typeof ReportsOfDay>
export const NetworkReports = Closed({
  /** Null without a collector, and for tenant users. */
  collector: orNull(
    Closed({
      url: Text,
      /** The newest first. */
      days: Type.Array(ReportsOfDay),
      /** The collector's code and path. */
      refusals: Type.Array(Closed({ action: Text, note: Text, count: Count })),
    }),
  ),
})
export type NetworkReports = Static<typeof NetworkReports>
