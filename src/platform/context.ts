// What every module of the platform is handed: the database, the seal, the clock, the configuration, the log.
import type { Clock } from '#kit/clock.ts'
import type { Config } from '#kit/config.ts'
import type { Route } from '#kit/http-server.ts'
import type { Log } from '#kit/log.ts'
import type { TSchema } from '#kit/schema.ts'
import type { Seal } from '#kit/seal.ts'
import type { Db } from '#kit/sql.ts'
import type { settings } from '#platform/settings.ts'

export interface Context {
  db: Db
  seal: Seal
  clock: Clock
  config: Config<typeof settings>
  log: Log
}

/** Types a route of the platform; the value is the route itself. */
export const route = <Who, B extends TSchema = TSchema, Q extends TSchema = TSchema, P extends TSchema = TSchema>(
  value: Route<Context, Who, B, Q, P>,
): Route<Context, Who, B, Q, P> => value
