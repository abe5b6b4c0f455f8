// What every module of the partner is handed: the database, the seal, the clock, the configuration, the log, the file store.
import type { Clock } from '#kit/clock.ts'
import type { Config } from '#kit/config.ts'
import type { Route } from '#kit/http-server.ts'
import type { Log } from '#kit/log.ts'
import type { Alert } from '#kit/mail.ts'
import type { Scanner } from '#kit/malware.ts'
import type { ProvenScanner } from '#kit/malware-proof.ts'
import type { ObjectStore } from '#kit/object-store.ts'
import type { TSchema } from '#kit/schema.ts'
import type { Seal } from '#kit/seal.ts'
import type { Db } from '#kit/sql.ts'
import type { SignInLimiter } from '#partner/desk/sign-in-limit.ts'
import type { settings } from '#partner/settings.ts'

export interface Context {
  db: Db
  seal: Seal
  clock: Clock
  config: Config<typeof settings>
  log: Log
  store: ObjectStore
  /** Looks at every file that comes in. */
  scanner: Scanner & Partial<Pick<ProvenScanner, 'lacks'>>
  /** Tells operators what a machine cannot put right. */
  alert: Alert
  /** How often passwords were tried at the desk of this process. */
  signIns: SignInLimiter
}

/** Types a route of the partner; the value is the route itself. */
export const route = <Who, B extends TSchema = TSchema, Q extends TSchema = TSchema, P extends TSchema = TSchema>(
  value: Route<Context, Who, B, Q, P>,
): Route<Context, Who, B, Q, P> => value
