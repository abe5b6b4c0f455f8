// One lifecycle update on its way to one destination, and what its states mean.
import type { LifecycleStatus } from '#contract/hosted/lifecycle.ts'
import { formatUuid } from '#kit/crypto/id.ts'
import type { Seal } from '#kit/crypto/seal.ts'

/** PENDING is due, in flight or waiting for its next try; STOPPED lost its destination. All but PENDING may be replayed. */
export const deliveryStates = ['PENDING', 'DELIVERED', 'EXHAUSTED', 'STOPPED'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** An update as journey tells it: the same for every destination. */
export interface Update {
  tenantId: string
  applicationId: string
  journeyId: string
  /** Its place among the journey's updates, from 1. */
  sequence: number
  status: LifecycleStatus
  /** A UUIDv7: the `webhook-id` of every try, and the order in which deliveries are listed. */
  eventId: string
}

/** Where a journey's own `callbackUrl` lies; all of one origin are one destination. */
export interface Callback {
  destinationId: string
  urlSealed: Buffer
}

/** An update with its exact bytes, sealed, ready to be stored for every destination. */
export interface LifecycleDelivery extends Update {
  bodySealed: Buffer
  callback: Callback | null
  correlationId: string | null
}

export interface DeliveryKey {
  tenantId: string
  applicationId: string
  deliveryId: string
}

/** A delivery that is due, and has no unfinished update of its journey before it on the way to its destination. */
export interface Due extends DeliveryKey {
  dueAt: Date
  destinationId: string
}

/** A delivery that this worker holds until `leaseUntil`. */
export interface Held extends DeliveryKey, Update {
  destinationId: string
  leaseUntil: Date
  attempt: number
  bodySealed: Buffer
  callbackUrlSealed: Buffer | null
  createdAt: Date
  correlationId: string | null
  /** The endpoint's address and secrets; null for a callback, and for an endpoint that is gone or disabled. */
  url: string | null
  secretSealed: Buffer | null
  oldSecretSealed: Buffer | null
  oldSecretUntil: Date | null
}

/** What became of a held delivery. `dueAt` is null unless it stays PENDING; `tried` is false when nobody was called. */
export interface AttemptResult {
  delivery: Held
  tried: boolean
  state: DeliveryState
  dueAt: Date | null
  answer: string
  at: Date
}

export const bodyContext = ({ tenantId, journeyId, sequence }: Pick<Update, 'tenantId' | 'journeyId' | 'sequence'>) =>
  `webhook_delivery:${tenantId}:${journeyId}:${sequence}`

export const callbackContext = ({ tenantId, journeyId }: Pick<Update, 'tenantId' | 'journeyId'>) =>
  `webhook_delivery.callback_url:${tenantId}:${journeyId}`

/** A callback without its address in clear. Journeys that call back to one host share its fate, not each other's. */
export function sealedCallback(seal: Seal, update: Update, url: string): Callback {
  const digest = seal.digest(`${update.tenantId} ${new URL(url).origin}`, 'webhook_delivery.destination')
  // A UUID of version 8, which is for digests.
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x80, 6)
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8)
  return {
    destinationId: formatUuid(digest.subarray(0, 16)),
    urlSealed: seal.bytes(Buffer.from(url), callbackContext(update)),
  }
}

/** A delivery as its application may see it. */
export interface Listed extends Omit<Update, 'tenantId' | 'applicationId'> {
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

/** Null leaves a condition out. `before` is the id of the last delivery that was seen. */
export interface ListFilter {
  before: string | null
  deliveryId: string | null
  eventId: string | null
  journeyId: string | null
  endpointId: string | null
  status: string | null
  state: DeliveryState | null
}
