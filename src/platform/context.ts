// What every module of the platform is handed: the database, the seal, the clock, the configuration, the log.

import type { Seal } from '#kit/crypto/seal.ts'
import type { Db } from '#kit/db/sql.ts'
import type { Write } from '#kit/db/write.ts'
import type { Branches } from '#kit/files/ifsc.ts'
import type { Scanner } from '#kit/files/malware.ts'
import type { OpenId } from '#kit/http/open-id.ts'
import type { TSchema } from '#kit/http/schema.ts'
import type { Route } from '#kit/http/server.ts'
import type { SignInLimiter } from '#kit/http/sign-in-limit.ts'
import type { Inbox } from '#kit/messaging/inbox.ts'
import type { Clock } from '#kit/runtime/clock.ts'
import type { Config } from '#kit/runtime/config.ts'
import type { Log } from '#kit/runtime/log.ts'
import type { settings } from '#platform/settings.ts'

export interface Context {
  db: Db
  seal: Seal
  clock: Clock
  /** The time of the people who sign in to the console: it passes by itself, also where the clock of a simulation is moved. */
  realClock: Clock
  config: Config<typeof settings>
  log: Log
  /** Where the partners' events are stored. */
  inbox: Inbox
  /** How often a sign-in to the console was tried. */
  signIns: SignInLimiter
  /** With which provider people sign in to the console; null: with none. */
  openId: OpenId | null
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
