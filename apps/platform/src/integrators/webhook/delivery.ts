// A delivery: one lifecycle update to one destination, with its states and its next try.

import { type FailedAttempt, nextTryAt } from '@lendloom/foundation/schedule'
import { type StoredTrace, storedTrace } from '@lendloom/foundation/trace'
import type { DueMessage, LeasedMessage } from '@lendloom/queue/delivery-claim'
import { formatUuid } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import { eventVersion, type LifecycleStatus } from '@lendloom/wire/hosted/lifecycle'
import { isLoanEvent, type LoanEventType, loanEventVersion } from '@lendloom/wire/hosted/loan-event'
import type { DeliveryState } from '@lendloom/wire/webhook/delivery-state'
import type { DeliveryPolicy } from './delivery-policy.ts'

/** The queue that wakes the delivery workers. */
export const deliveryQueue = 'webhook'

/** Duration of a lease: longer than an attempt and its recording. */
export const leaseSeconds = 20

/** What an update is about: a lifecycle status of the journey, or an event of its loan. */
export type UpdateStatus = LifecycleStatus | LoanEventType

/** The version of an update's body. */
export const versionOf = (status: UpdateStatus): string => (isLoanEvent(status) ? loanEventVersion : eventVersion)

/** An update as the journey module reports it, without a destination. */
export interface Update {
  tenantId: string
  applicationId: string
  journeyId: string
  /** Position among the journey's updates, from 1. */
  sequence: number
  status: UpdateStatus
  /** A UUIDv7, by which lists are ordered. It is the `webhook-id` of every attempt. */
  eventId: string
}

/** The destination of a journey's own `callbackUrl`; callbacks of one origin share a destination id. */
interface Callback {
  destinationId: string
  urlSealed: Buffer
}

/** An update with its exact bytes, sealed, ready to be stored for every destination. */
export interface LifecycleDelivery extends Update, StoredTrace {
  bodySealed: Buffer
  callback: Callback | null
}

export interface DeliveryKey {
  tenantId: string
  applicationId: string
  deliveryId: string
}

/** A due delivery without an unfinished predecessor to the same destination. */
export interface DueDelivery extends DeliveryKey, DueMessage {}

/** A delivery that this worker has leased until `leaseUntil`. */
export interface LeasedDelivery extends DeliveryKey, Update, LeasedMessage, StoredTrace {
  /** All attempts; `attempt` counts only those since the last replay. */
  tries: number
  bodySealed: Buffer
  callbackUrlSealed: Buffer | null
  /** The endpoint's address and secrets; null for a callback, and for a removed or disabled endpoint. */
  url: string | null
  secretSealed: Buffer | null
  /** What the endpoint's server demands beside the signature; null for nothing. */
  accessSealed: Buffer | null
  oldSecretSealed: Buffer | null
  oldSecretUntil: Date | null
  /** Null if the destination got every earlier update of the journey. */
  gap: DeliveryGap | null
}

/** Earlier updates of the journey that the destination did not get and that are no longer tried. */
export interface DeliveryGap {
  /** Their event ids, oldest first, among the fifty updates before this one. */
  missing: string[]
  /** Set if they are just before this update: the number of the last delivered update, or 0. */
  lastDelivered: number | null
}

/** Maximum number of stored attempts per delivery. */
export const maxStoredTries = 20

/** What a stored response body is sealed to. */
export const answerContext = ({ tenantId, deliveryId }: Pick<DeliveryKey, 'tenantId' | 'deliveryId'>) =>
  `webhook_try:${tenantId}:${deliveryId}`

/** Seals a response body, because a receiver may echo personal data that we sent. */
export const sealAnswer = (seal: Seal, delivery: DeliveryKey, body: Buffer | null): Buffer | null =>
  body && seal.bytes(body, answerContext(delivery))

/** What the bytes of an update are sealed to: the same for all destinations. */
export const bodyContext = ({ tenantId, journeyId, sequence }: Pick<Update, 'tenantId' | 'journeyId' | 'sequence'>) =>
  `webhook_delivery:${tenantId}:${journeyId}:${sequence}`

/** What a journey's own callback URL is sealed to. */
export const callbackContext = ({ tenantId, journeyId }: Pick<Update, 'tenantId' | 'journeyId'>) =>
  `webhook_delivery.callback_url:${tenantId}:${journeyId}`

/** Seals the callback's URL and derives its destination id from a digest of tenant and origin. */
function sealedCallback(seal: Seal, update: Update, url: string): Callback {
  const digest = seal.digest(`${update.tenantId} ${new URL(url).origin}`, 'webhook_delivery.destination')
  // UUID version 8 is for digests.
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x80, 6)
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8)
  return {
    destinationId: formatUuid(digest.subarray(0, 16)),
    urlSealed: seal.bytes(Buffer.from(url), callbackContext(update)),
  }
}

/** Seals the update's exact bytes once for all destinations; `callbackUrl` is the journey's own, or null. */
export function deliveryOf(
  { seal }: { seal: Seal },
  update: Update,
  body: Buffer,
  callbackUrl: string | null,
): LifecycleDelivery {
  const { tenantId, applicationId, journeyId, sequence, status, eventId } = update
  return {
    tenantId,
    applicationId,
    journeyId,
    sequence,
    status,
    eventId,
    bodySealed: seal.bytes(body, bodyContext(update)),
    callback: callbackUrl === null ? null : sealedCallback(seal, update, callbackUrl),
    ...storedTrace(),
  }
}

export interface DeliveryRow extends Omit<Update, 'tenantId' | 'applicationId'> {
  deliveryId: string
  destinationId: string
  isCallback: boolean
  state: DeliveryState
  /** Null unless PENDING. */
  dueAt: Date | null
  attempt: number
  lastAnswer: string | null
  lastAttemptAt: Date | null
  deliveredAt: Date | null
  createdAt: Date
}

/** Null omits a condition. `before` is the last delivery id of the previous page. */
export interface ListFilter {
  before: string | null
  deliveryId: string | null
  eventId: string | null
  journeyId: string | null
  endpointId: string | null
  status: string | null
  state: DeliveryState | null
  /** Whether to list only updates that the destination did not get and that are no longer tried. */
  isMissing: boolean
  /** Whether to list only events of loans, or only lifecycle updates; null for both. */
  isOfLoan: boolean | null
}

/** Lists every delivery. */
export const noFilter: ListFilter = {
  before: null,
  deliveryId: null,
  eventId: null,
  journeyId: null,
  endpointId: null,
  status: null,
  state: null,
  isMissing: false,
  isOfLoan: null,
}

/** Pauses are up to a tenth longer than scheduled, so that simultaneous failures do not retry together. */
const jitter = 0.1

/** The time of the next attempt; null after the last one. `random` is between 0 and 1. */
export const nextTry = (
  policy: DeliveryPolicy,
  { random, ...failedAttempt }: FailedAttempt & { random: number },
): Date | null => nextTryAt(policy.schedule, { ...failedAttempt, scale: 1 + jitter * random })
