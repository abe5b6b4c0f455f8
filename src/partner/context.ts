// The context of every module of the partner: database, seal, clock, configuration, log, file store.

import type { Write } from '#kit/db/write.ts'
import type { Scanner } from '#kit/files/malware.ts'
import type { ProvenScanner } from '#kit/files/malware-proof.ts'
import type { ObjectBackend, ObjectStore } from '#kit/files/object-store.ts'
import type { TSchema } from '#kit/http/schema.ts'
import type { Route } from '#kit/http/server.ts'
import type { Inbox } from '#kit/messaging/inbox.ts'
import type { Clock } from '#kit/runtime/clock.ts'
import type { Config } from '#kit/runtime/config.ts'
import type { Alert } from '#kit/runtime/mail.ts'
import type { StaffContext } from '#kit/staff/program.ts'
import type { DeskPerson } from '#partner/desk-person.ts'
import type { settings } from '#partner/settings.ts'

export interface Context extends StaffContext<DeskPerson> {
  clock: Clock
  config: Config<typeof settings>
  store: ObjectStore
  /** Where old events are archived: beside the files. */
  archive: ObjectBackend
  /** Scans every incoming file. */
  scanner: Scanner & Partial<Pick<ProvenScanner, 'fault'>>
  /** Alerts operators to problems that need their attention. */
  alert: Alert
  /** Stores incoming events. */
  inbox: Inbox
}

/** The context within a write, with the transaction and the time of the write. */
export interface TxContext extends Context, Write {}

/** Returns the route unchanged. Gives its handler the type of the partner's context. */
export const route = <Who, B extends TSchema = TSchema, Q extends TSchema = TSchema, P extends TSchema = TSchema>(
  value: Route<Context, Who, B, Q, P>,
): Route<Context, Who, B, Q, P> => value
