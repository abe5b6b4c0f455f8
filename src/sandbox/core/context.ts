// What every module of the sandbox is given: its database, its clock, its own parties and its settings.

import type { Signer } from '#kit/crypto/jws.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import type { Db } from '#kit/db/sql.ts'
import type { TSchema } from '#kit/http/schema.ts'
import { anyone, type Route } from '#kit/http/server.ts'
import type { Clock } from '#kit/runtime/clock.ts'
import type { Log } from '#kit/runtime/log.ts'
import { required } from '#kit/runtime/record.ts'

export interface Context {
  db: Db
  clock: Clock
  log: Log
  seal: Seal
  /** Public base of this program, without a slash at its end. */
  url: string
  parties: Parties
  /** The keys of our parties in the account-aggregator network. */
  signers: Signers
  outside: Outside
  /** Seconds between sanction and disbursal of an ordinary loan. */
  disbursalSeconds: number
  /** Seconds between two steps of a lender's with a complaint. */
  grievanceSeconds: number
}

/** The keys of both parties in the account-aggregator network: the aggregator itself, and the lenders' desk there. */
export interface Signers {
  aggregator: Signer
  lenders: Signer
}

/** The directory's access to an applicant's host, which a caller provides. Null without a good answer. */
export interface Outside {
  get(url: string): Promise<string | null>
  postJson(url: string, body: unknown): Promise<unknown>
}

/** A party that this program plays itself, with the keys to speak as it. */
export interface SandboxParty {
  subscriberId: string
  uniqueKeyId: string
  /** Base address under which it is called. */
  url: string
  signing: { privateKey: string; publicKey: string }
  encryption: { privateKey: string; publicKey: string }
}

export type Parties = ReadonlyMap<string, SandboxParty>

/** One of the parties that this program plays. */
export const partyOf = (parties: Parties, subscriberId: string): SandboxParty =>
  required(parties.get(subscriberId), `party ${subscriberId}`)

/** A route of this program: it has no sign-in, so it only declares its input. */
export const route = <B extends TSchema, Q extends TSchema, P extends TSchema>(
  given: Omit<Route<Context, null, B, Q, P>, 'auth'>,
): Route<Context, null, B, Q, P> => ({ ...given, auth: anyone })
