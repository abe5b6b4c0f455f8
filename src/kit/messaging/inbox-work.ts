// What applying is done with: a received message, and what its effect needs.
import type { Seal } from '#kit/crypto/seal.ts'
import type { Db, Tx } from '#kit/db/sql.ts'
import type { Refusal } from '#kit/http/refusal.ts'
import type { Clock } from '#kit/runtime/clock.ts'
import type { Log } from '#kit/runtime/log.ts'
import type { Alert } from '#kit/runtime/mail.ts'
import type { Body, Waiting } from './inbox-rows.ts'

/** A message as it was stored. */
export interface Received {
  tenantId: string
  sender: string
  eventId: string
  type: string
  partitionKey: string
  entityType: string
  entityId: string
  entityVersion: number
  receivedAt: Date
  correlationId: string | null
  /** The exact bytes, and the JSON in them. */
  raw: Buffer
  body: unknown
}

/** What applying is done with. */
export interface CaseWork {
  db: Db
  seal: Seal
  clock: Clock
  log: Log
  /** Told of what is stuck for longer than `alertAfterSeconds`, once each. */
  alert: Alert
  /**
   * The effect of one message, in the transaction that marks it applied; it locks its case first. It runs again, from the
   * beginning, when its transaction did not commit. A `Refusal` fails the message for good; `NotYet` holds it; anything
   * else is tried again, with growing delays, and what comes after it waits.
   */
  apply(tx: Tx, event: Received, at: Date): Promise<void>
  /** Says so to the sender when a message failed, in the transaction that marks it failed. */
  failed(tx: Tx, event: Received, refusal: Refusal, at: Date): Promise<void>
  alertAfterSeconds: number
  bodyOf(key: Waiting): Promise<Body | undefined>
}

export const factsOf = ({ eventId, type, sender, partitionKey, entityType, entityId, entityVersion }: Received) => ({
  ...{ eventId, type, sender, partitionKey, entityType, entityId, entityVersion },
})
