// Sign-in of a command line: it shows a code, and a person who is signed in to the console allows the code (RFC 8628).

import { randomInt } from 'node:crypto'
import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { networkOf } from '@lendloom/http/sign-in-limit'
import { keyOf } from '@lendloom/identity/person'
import { type BrowserClient, beginSession, isOpen } from '@lendloom/identity/session'
import { lockSession } from '@lendloom/identity/session/store'
import type { StaffContext } from '@lendloom/identity/sign-in-program'
import { randomOctets } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import { digestOf, sameDigest } from '@lendloom/seal/token'
import type { ConsolePerson } from '#platform/context.ts'
import { noteStaffAct } from './audit.ts'
import {
  allowSignIn,
  deleteSignIn,
  findWaitingSignIn,
  insertSignIn,
  lockSignIn,
  refuseSignIn,
} from './command-line-sign-in/store.ts'
import { personIdOf } from './person.ts'

type StaffCtx = StaffContext<ConsolePerson>

const secondsToAllow = 600
/** Without vowels and letters that look alike. */
const codeLetters = 'BCDFGHJKLMNPQRSTVWXZ'
const codeLength = 8

export interface Machine {
  /** Its host name, as it says. */
  name: string
  network: string
}

const clientContext = (userCode: string): string => `command_line_sign_in:${userCode}`

function newCode(): string {
  const letters = Array.from({ length: codeLength }, () => codeLetters[randomInt(codeLetters.length)])
  return letters.join('')
}

/** Begins a sign-in. Throws `rate-limited` after too many sign-ins from a network. */
export async function beginCommandLineSignIn(
  ctx: Pick<StaffCtx, 'db' | 'seal' | 'realClock' | 'signIns'>,
  { name, address }: { name: string; address: string },
): Promise<{ userCode: string; secret: string; expiresAt: Date }> {
  const at = ctx.realClock()
  ctx.signIns.limitAddress(address, at)
  const userCode = newCode()
  const secret = randomOctets(32).toString('base64url')
  const client: Machine = { name, network: networkOf(address) }
  const expiresAt = secondsAfter(at, secondsToAllow)
  const clientSealed = ctx.seal.json(client, clientContext(userCode))
  await insertSignIn(ctx.db, { userCode, secretDigest: digestOf(secret), clientSealed, expiresAt })
  return { userCode, secret, expiresAt }
}

/** The machine that waits for a permission. Throws `absent` for a code that is wrong, expired or used. */
export async function waitingMachine(
  { db, seal, realClock }: { db: StaffCtx['db']; seal: Seal; realClock: StaffCtx['realClock'] },
  userCode: string,
): Promise<Machine> {
  const row = await findWaitingSignIn(db, userCode, realClock())
  if (!row) throw absentCode()
  return seal.openJson<Machine>(row.clientSealed, clientContext(userCode))
}

const absentCode = () =>
  new Refusal('absent', 'the code is wrong or has expired; run lendloom login again and enter its new code')

/** Allows or refuses a sign-in. Throws `absent` for a code that is wrong, expired or used. */
export async function decideCommandLineSignIn(
  ctx: StaffCtx,
  who: ConsolePerson,
  { userCode, isAllowed }: { userCode: string; isAllowed: boolean },
  at: Date,
): Promise<void> {
  if (personIdOf(who) === null)
    throw new Refusal('forbidden', 'only a person who is signed in to the console can do this')
  const now = ctx.realClock()
  await ctx.db.tx(async (tx) => {
    const isDone = isAllowed
      ? await allowSignIn(tx, userCode, { ...keyOf(who), sessionId: who.sessionId }, now)
      : await refuseSignIn(tx, userCode, now)
    if (!isDone) throw absentCode()
    await noteStaffAct({ tx, at }, who, { act: isAllowed ? 'COMMAND_LINE_ALLOWED' : 'COMMAND_LINE_REFUSED' })
  })
}

/**
 * Begins the session of an allowed sign-in, once. It expires no later than the session that allowed it, and ends with
 * it, so that a command line cannot outlive the person's sign-in. Returns `waiting` before the permission, and `ended` if
 * the sign-in was refused or has expired, or the session that allowed it is over. Throws `rate-limited` when the command
 * line asks too often (RFC 8628 §3.5, slow_down).
 */
export async function finishCommandLineSignIn(
  ctx: StaffCtx,
  { userCode, secret, ...client }: { userCode: string; secret: string } & BrowserClient,
  at: Date,
): Promise<'waiting' | 'ended' | { cookies: string[]; expiresAt: Date; person: ConsolePerson }> {
  // By the secret too, because a client that guesses codes must not slow the command lines that wait.
  const poller = `${userCode}:${digestOf(secret).toString('base64')}`
  ctx.signIns.limitPolling({ poller, address: client.address }, ctx.realClock())
  return ctx.db.tx(async (tx) => {
    const signIn = await lockSignIn(tx, userCode, ctx.realClock())
    if (!signIn || !sameDigest(signIn.secretDigest, digestOf(secret))) return 'ended'
    if (!signIn.by) return 'waiting'
    await deleteSignIn(tx, userCode)
    const account = await ctx.staff.findPerson(tx, signIn.by)
    // With this lock, a new password or a removal either ends the new session too, or comes first and refuses it.
    if (!account || !(await ctx.staff.lockIfPasswordUnchanged(tx, account))) return 'ended'
    const allowing = await lockSession(tx, signIn.by, signIn.by.sessionId)
    if (!allowing || !isOpen(allowing, ctx.realClock())) return 'ended'
    const { proof, expiresAt } = allowing
    const allowedBy = [...allowing.allowedBy, signIn.by.sessionId]
    const start = { proof, expiresAt, allowedBy }
    const { cookies, sessionId } = await beginSession({ ...ctx, tx, at }, account, client, start)
    const person = account.inSession(sessionId)
    await ctx.staff.note({ tx, at }, person, { act: 'SIGNED_IN', subject: sessionId, detail: { commandLine: true } })
    return { cookies, expiresAt, person }
  })
}
