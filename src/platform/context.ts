// What every module of the platform is handed: the database, the seal, the clock, the configuration, the log.

import type { Seal } from '#kit/crypto/seal.ts'
import type { Db } from '#kit/db/sql.ts'
import type { Write } from '#kit/db/write.ts'
import type { TSchema } from '#kit/http/schema.ts'
import type { Route } from '#kit/http/server.ts'
import type { Clock } from '#kit/runtime/clock.ts'
import type { Config } from '#kit/runtime/config.ts'
import type { Log } from '#kit/runtime/log.ts'
import type { LenderChannels } from '#platform/lender/channel.ts'
import type { HandleMail } from '#platform/mail/incoming-mail.ts'
import type { Memory } from '#platform/memory.ts'
import type { settings } from '#platform/settings.ts'

export interface Context extends Memory {
  db: Db
  seal: Seal
  clock: Clock
  /** The time of the people who sign in to the console: it passes by itself, also where the clock of a simulation is moved. */
  realClock: Clock
  config: Config<typeof settings>
  log: Log
  /** How lenders are reached. */
  channels: LenderChannels<Context>
  /** Who reads the mail that comes in; null: nobody. */
  onMail: HandleMail<Context> | null
}

/** What an act is given that takes part in a write: the context, within the write's transaction and at its instant. */
export interface TxContext extends Context, Write {}

/** Types a route of the platform; the value is the route itself. */
export const route = <Who, B extends TSchema = TSchema, Q extends TSchema = TSchema, P extends TSchema = TSchema>(
  value: Route<Context, Who, B, Q, P>,
): Route<Context, Who, B, Q, P> => value
