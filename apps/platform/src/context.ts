// The context that every module receives: database, seal, clock, configuration, log.

import type { Inbox } from '@lendloom/event-log/inbox'
import type { Scanner } from '@lendloom/files/malware'
import type { ObjectBackend } from '@lendloom/files/object-store'
import type { Clock } from '@lendloom/foundation/clock'
import type { Config } from '@lendloom/foundation/config'
import type { TSchema } from '@lendloom/foundation/schema'
import type { Route } from '@lendloom/http/server'
import type { StaffContext, StaffPerson } from '@lendloom/identity/sign-in-program'
import type { Branches } from '@lendloom/lending/ifsc'
import type { Write } from '@lendloom/postgres/write'
import type { Role } from '@lendloom/wire/console/staff'
import type { ChannelName, LenderChannel } from '#platform/lending/lender/channel.ts'
import type { settings } from './settings.ts'

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
  /** The channels to lenders. */
  channels: Record<ChannelName, LenderChannel<TxContext>>
}

/** The context, with an open transaction and its time. */
export interface TxContext extends Context, Write {}

/** Returns the route unchanged; serves type inference. */
export const route = <Who, B extends TSchema = TSchema, Q extends TSchema = TSchema, P extends TSchema = TSchema>(
  value: Route<Context, Who, B, Q, P>,
): Route<Context, Who, B, Q, P> => value
