// The context of every module of the partner: database, seal, clock, configuration, log, file store.

import type { Inbox } from '@lendloom/event-log/inbox'
import type { Scanner } from '@lendloom/files/malware'
import type { ProvenScanner } from '@lendloom/files/malware-scanner-proof'
import type { ObjectBackend, ObjectStore } from '@lendloom/files/object-store'
import type { Clock } from '@lendloom/foundation/clock'
import type { Config } from '@lendloom/foundation/config'
import type { TSchema } from '@lendloom/foundation/schema'
import type { Route } from '@lendloom/http/server'
import type { StaffContext } from '@lendloom/identity/sign-in-program'
import type { Alert } from '@lendloom/mail/mail'
import type { Write } from '@lendloom/postgres/write'
import type { DeskPerson } from './people/person.ts'
import type { settings } from './settings.ts'

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
