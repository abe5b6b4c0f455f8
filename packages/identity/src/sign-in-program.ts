// What a program must provide for sign-in: its table of people, its audit log and its mails.

import type { Clock } from '@lendloom/foundation/clock'
import type { Log } from '@lendloom/foundation/log'
import type { OpenId } from '@lendloom/http/open-id-connect'
import type { SignInLimiter } from '@lendloom/http/sign-in-limit'
import type { Db, Run, Tx } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import type { Seal } from '@lendloom/seal/seal'
import type { FailureOutcome } from './sign-in-failures.ts'

export interface PersonKey {
  tenantId: string
  personId: string
}

/** A person who is signed in. */
export interface StaffPerson {
  personId: string
  /** Null for the program's own people. */
  tenantId: string | null
  email: string
  name: string
  sessionId: string
}

/** A person who may sign in. */
export interface StaffAccount<Person> extends PersonKey {
  email: string
  name: string
  passwordHash: string
  totpSealed: Buffer | null
  totpPendingSealed: Buffer | null
  inSession(sessionId: string): Person
}

/** How a session was started: with a password, a password and code, a passkey, or the OpenID provider. */
export type SessionProof = 'PASSWORD' | 'CODE' | 'PASSKEY' | 'OPENID'

export interface SessionState {
  digest: Buffer
  proof: SessionProof
  createdAt: Date
  usedAt: Date
  expiresAt: Date
}

/** An entry of the audit log. */
export interface StaffEntry {
  /** In capitals, such as `SIGNED_IN`. */
  act: string
  subject?: string
  detail?: Record<string, string | number | boolean>
}

/** A second factor, a passkey or an account at the OpenID provider was added or removed. */
export interface FactorNotice {
  about: 'factor-on' | 'factor-off' | 'passkey-added' | 'passkey-removed' | 'openid-linked' | 'openid-unlinked'
  network: string
  at: Date
  ends: null
}

/** The mails to a person about signing in. */
export type SignInNotice = LockoutNotice | FactorNotice

/** Wrong passwords or codes have locked a sign-in method. */
export interface LockoutNotice {
  about: 'pause'
  secret: 'password' | 'code'
  /** The network of the last guess. */
  network: string
  at: Date
  /** When the lockout ends; null until the password is changed. */
  ends: Date | null
  openMethods: string[]
}

export interface StaffProgram<Person extends StaffPerson> {
  /** Part of the names of the program's cookies. */
  name: string
  /** The address at which browsers reach the program. */
  publicUrl: string
  /** The display name of the OpenID provider. */
  openIdName: string
  /** E-mail domains whose addresses the OpenID provider may identify. */
  openIdDomains: string[]
  /** Whether the OpenID provider replaces the second factor. */
  openIdReplacesSecondFactor: boolean
  findByEmail(db: Run, email: string): Promise<StaffAccount<Person> | undefined>
  findPerson(db: Run, key: PersonKey): Promise<StaffAccount<Person> | undefined>
  /** Finds a session, open or expired, with its person, in one statement. */
  findBySession(
    db: Run,
    tenantId: string,
    sessionId: string,
  ): Promise<{ account: StaffAccount<Person>; session: SessionState } | undefined>
  /**
   * Locks a person until the transaction ends. Returns false when the password was changed or the person was removed
   * since `account` was read.
   */
  lockIfPasswordUnchanged(
    tx: Tx,
    account: Pick<StaffAccount<Person>, 'tenantId' | 'personId' | 'passwordHash'>,
  ): Promise<boolean>
  /** Writes a new password hash. The caller must end the sessions. */
  writeHash(tx: Tx, key: PersonKey, hash: string): Promise<void>
  note(write: Write, actor: Pick<StaffPerson, 'personId' | 'tenantId'>, entry: StaffEntry): Promise<void>
  /** Adds a failed sign-in to the audit log; absent if the program does not record failures there. */
  noteFailure?(write: Write, failure: { failureId: string; address: string; outcome: FailureOutcome }): Promise<void>
  /** Queues a mail about signing in. */
  mailNotice(write: Write, account: StaffAccount<Person>, notice: SignInNotice): Promise<void>
}

/** The program's context for signing in. */
export interface StaffContext<Person extends StaffPerson> {
  db: Db
  seal: Seal
  log: Log
  /** Real time, also in a simulation with a moved clock. */
  realClock: Clock
  signIns: SignInLimiter
  /** Null without a provider. */
  openId: OpenId | null
  staff: StaffProgram<Person>
}

export type StaffWrite<Person extends StaffPerson> = StaffContext<Person> & Write
