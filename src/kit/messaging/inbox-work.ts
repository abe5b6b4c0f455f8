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
  caseRef: string
  entityType: string
  entityId: string
  entityVersion: number
  receivedAt: Date
  correlationId: string | null
  /** The exact bytes, and the JSON in them. */
  raw: Buffer
  body: unknown
}

/** What applying is done with; `ApplyingOptions` says what each of its parts is for. */
export interface CaseWork {
  db: Db
  seal: Seal
  clock: Clock
  log: Log
  alert: Alert
  apply(tx: Tx, event: Received, at: Date): Promise<void>
  failed(tx: Tx, event: Received, refusal: Refusal, at: Date): Promise<void>
  alertAfterSeconds: number
  bodyOf(key: Waiting): Promise<Body | undefined>
}

export const factsOf = ({ eventId, type, sender, caseRef, entityType, entityId, entityVersion }: Received) => ({
  ...{ eventId, type, sender, caseRef, entityType, entityId, entityVersion },
})
