// The dependencies of every sandbox module: database, clock, parties and settings.

import type { Clock } from '@lendloom/foundation/clock'
import type { Log } from '@lendloom/foundation/log'
import { required } from '@lendloom/foundation/required'
import type { TSchema } from '@lendloom/foundation/schema'
import type { Auth, Route } from '@lendloom/http/server'
import type { Db } from '@lendloom/postgres/sql'
import type { Signer } from '@lendloom/seal/jws'
import type { Seal } from '@lendloom/seal/seal'
import type { LenderVersion } from './lender-version.ts'

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
  /** Seconds that a lender takes for each step of a complaint. */
  grievanceSeconds: number
  /** The lenders that answer in another version than usual, by slug. */
  lenderVersions: ReadonlyMap<string, readonly LenderVersion[]>
}

/** The keys of both parties in the account-aggregator network: the aggregator, and the lenders as one party. */
export interface Signers {
  aggregator: Signer
  lenders: Signer
}

/** HTTP access to the host of a party that subscribes. Returns null unless the host answers 200. */
export interface Outside {
  get(url: string): Promise<string | null>
  postJson(url: string, body: unknown): Promise<unknown>
}

/** A party that this program plays, with its keys. */
export interface SandboxParty {
  subscriberId: string
  uniqueKeyId: string
  /** Base URL of its API. */
  url: string
  signing: { privateKey: string; publicKey: string }
  encryption: { privateKey: string; publicKey: string }
}

export type Parties = ReadonlyMap<string, SandboxParty>

export const partyOf = (parties: Parties, subscriberId: string): SandboxParty =>
  required(parties.get(subscriberId), `party ${subscriberId}`)

/**
 * Authenticates no caller: the sandbox plays the outside world, whose parties verify signatures themselves. Their
 * messages are larger than the bodies of public routes.
 */
export const anyParty: Auth<unknown, null> = { scheme: null, check: () => null }

export const route = <B extends TSchema, Q extends TSchema, P extends TSchema>(
  definition: Omit<Route<Context, null, B, Q, P>, 'auth'>,
): Route<Context, null, B, Q, P> => ({ ...definition, auth: anyParty })
