// What every module of the platform is handed: the database, the seal, the clock, the configuration, the log.

import type { Role } from '#contract/console/staff.ts'
import type { Write } from '#kit/db/write.ts'
import type { Branches } from '#kit/files/ifsc.ts'
import type { Scanner } from '#kit/files/malware.ts'
import type { TSchema } from '#kit/http/schema.ts'
import type { Route } from '#kit/http/server.ts'
import type { Inbox } from '#kit/messaging/inbox.ts'
import type { Clock } from '#kit/runtime/clock.ts'
import type { Config } from '#kit/runtime/config.ts'
import type { StaffContext, StaffPerson } from '#kit/staff/program.ts'
import type { settings } from '#platform/settings.ts'

/** A person who is signed in to the console. */
export interface ConsolePerson extends StaffPerson {
  role: Role
}

/** Signing in to the console is part of it. */
export interface Context extends StaffContext<ConsolePerson> {
  clock: Clock
  config: Config<typeof settings>
  /** Where the partners' events are stored. */
  inbox: Inbox
  /** Looks for malware in files that come with mail. */
  scanner: Scanner
  /** Which bank and branch an IFSC names. */
  branches: Branches
}

/** What an act is given that takes part in a write: the context, within the write's transaction and at its instant. */
export interface TxContext extends Context, Write {}

/** Types a route of the platform; the value is the route itself. */
export const route = <Who, B extends TSchema = TSchema, Q extends TSchema = TSchema, P extends TSchema = TSchema>(
  value: Route<Context, Who, B, Q, P>,
): Route<Context, Who, B, Q, P> => value
