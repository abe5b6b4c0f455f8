// The context that every module receives: database, seal, clock, configuration, log.

import type { Role } from '#contract/console/staff.ts'
import type { Write } from '#kit/db/write.ts'
import type { Branches } from '#kit/files/ifsc.ts'
import type { Scanner } from '#kit/files/malware.ts'
import type { ObjectBackend } from '#kit/files/object-store.ts'
import type { TSchema } from '#kit/http/schema.ts'
import type { Route } from '#kit/http/server.ts'
import type { Inbox } from '#kit/messaging/inbox.ts'
import type { Clock } from '#kit/runtime/clock.ts'
import type { Config } from '#kit/runtime/config.ts'
import type { StaffContext, StaffPerson } from '#kit/staff/program.ts'
import type { settings } from '#platform/settings.ts'

export interface ConsolePerson extends StaffPerson {
  role: Role
}

/** The context of the platform's modules, including the console's sign-in. */
export interface Context extends StaffContext<ConsolePerson> {
  clock: Clock
  config: Config<typeof settings>
  /** Stores the partners' events. */
  inbox: Inbox
  /** Scans the attachments of mails for malware. */
  scanner: Scanner
  /** Where old messages are archived; null if they stay in the database. */
  archive: ObjectBackend | null
  branches: Branches
}

/** The context, with an open transaction and its time. */
export interface TxContext extends Context, Write {}

/** Returns the route unchanged; serves type inference. */
export const route = <Who, B extends TSchema = TSchema, Q extends TSchema = TSchema, P extends TSchema = TSchema>(
  value: Route<Context, Who, B, Q, P>,
): Route<Context, Who, B, Q, P> => value
