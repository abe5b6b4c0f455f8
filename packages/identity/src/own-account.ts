// Lets people sign out, end their other sessions, and change their password.

import { invalid, Refusal } from '@lendloom/foundation/refusal'
import type { Tx } from '@lendloom/postgres/sql'
import { isPassword } from '@lendloom/seal/password'
import { checkPassword, forgetCodeGuesses, guesserIn } from './guess-lock.ts'
import { deleteLinks } from './open-id/store.ts'
import { deletePasskeys } from './passkey/store.ts'
import { keyOf, newPasswordHash } from './person.ts'
import { deleteOtherSessions, deleteSession, lockSession } from './session/store.ts'
import { clearedCookie } from './session.ts'
import type { PersonKey, StaffAccount, StaffContext, StaffPerson, StaffProgram } from './sign-in-program.ts'

/** Ends the session and the command lines that it allowed, and returns the cookie that clears it in the browser. */
export async function signOut<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  caller: StaffPerson,
  at: Date,
): Promise<string> {
  await ctx.db.tx(async (tx) => {
    await deleteSession(tx, keyOf(caller), caller.sessionId)
    await ctx.staff.note({ tx, at }, caller, { act: 'SIGNED_OUT', subject: caller.sessionId })
  })
  return clearedCookie(ctx.staff)
}

/** Ends one of the caller's sessions, and the command lines that it allowed. Throws `absent` if it does not exist. */
export async function revokeSession<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  caller: StaffPerson,
  sessionId: string,
  at: Date,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    if (!(await deleteSession(tx, keyOf(caller), sessionId))) throw new Refusal('absent', 'there is no such session')
    await ctx.staff.note({ tx, at }, caller, { act: 'SESSION_REVOKED', subject: sessionId })
  })
}

export interface PasswordChange {
  current: string
  next: string
  /** The passkeys that the caller confirms to be theirs. */
  keepPasskeyIds?: string[] | undefined
  address: string
}

/**
 * Changes the caller's password and ends their other sessions. Removes the passkeys that the caller does not confirm, and
 * the linked OpenID accounts, because a thief may have added them. Throws `invalid` at `current` or `next`,
 * `rate-limited` after some wrong passwords.
 */
export async function changePassword<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  caller: StaffPerson,
  { current, next, keepPasskeyIds: passkeyIds = [], address }: PasswordChange,
  at: Date,
): Promise<void> {
  const key = keyOf(caller)
  const wrongPassword = () => invalid({ path: 'current', message: 'is not the current password' })
  const found = await checkOwnPassword(ctx, caller, { password: current, address }, at)
  if (!found) throw wrongPassword()
  const hash = await newPasswordHash(next, caller.email, 'next')
  await ctx.db.tx(async (tx) => {
    if (!(await ctx.staff.lockIfPasswordUnchanged(tx, found))) throw wrongPassword()
    const kept = { sessionId: caller.sessionId, passkeyIds }
    const { passkeysRemoved } = await writePassword({ tx, staff: ctx.staff }, key, hash, kept)
    const detail = { passkeysRemoved }
    await ctx.staff.note({ tx, at }, caller, { act: 'PASSWORD_CHANGED', subject: caller.personId, detail })
  })
}

/** The ways in that survive a new password; by default none. */
interface KeptAccess {
  sessionId: string | null
  passkeyIds: string[]
}

/**
 * Writes a new password, and removes every way in without it that is not `kept`: sessions, passkeys and linked OpenID
 * accounts. The second factor stays, because a code alone signs no person in. Clears the counted guesses at codes.
 */
export async function writePassword(
  { tx, staff }: { tx: Tx; staff: Pick<StaffProgram<StaffPerson>, 'writeHash'> },
  key: PersonKey,
  hash: string,
  { sessionId, passkeyIds }: KeptAccess = { sessionId: null, passkeyIds: [] },
): Promise<{ passkeysRemoved: number }> {
  await staff.writeHash(tx, key, hash)
  await deleteOtherSessions(tx, key, sessionId)
  const passkeysRemoved = await deletePasskeys(tx, key, passkeyIds)
  // The next OpenID sign-in links an account again, and mails its owner.
  await deleteLinks(tx, key)
  await forgetCodeGuesses(tx, key)
  return { passkeysRemoved }
}

/** Throws `invalid` at `password` if the password is wrong, `rate-limited` after some wrong passwords. */
export async function requirePassword<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  caller: StaffPerson,
  credentials: { password: string; address: string },
  at: Date,
): Promise<void> {
  if (!(await checkOwnPassword(ctx, caller, credentials, at)))
    throw invalid({ path: 'password', message: 'is not the current password' })
}

/** Returns the caller's account; null for a wrong password. Throws `rate-limited` after some wrong passwords. */
async function checkOwnPassword<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  caller: StaffPerson,
  { password, address }: { password: string; address: string },
  at: Date,
): Promise<StaffAccount<Person> | null> {
  limitOwnGuesses(ctx, caller, at)
  const found = await ctx.staff.findPerson(ctx.db, keyOf(caller))
  const guesser = guesserIn(caller, address)
  const isRight = await checkPassword(ctx, { email: caller.email, found, guesser, at }, () =>
    isPassword(password, found?.passwordHash),
  )
  return isRight && found ? found : null
}

/** Limits the guesses of a signed-in person, separately from sign-ins. */
export const limitOwnGuesses = (
  { signIns }: Pick<StaffContext<StaffPerson>, 'signIns'>,
  { email, sessionId }: StaffPerson,
  at: Date,
): void => signIns.limit({ email, address: null, device: Buffer.from(sessionId) }, at)

/** Locks the caller's account and session. Throws `bad-session` if a reset ended the session meanwhile. */
export async function lockOwnAccount<Person extends StaffPerson>(
  { staff }: StaffContext<Person>,
  tx: Tx,
  { found, sessionId }: { found: StaffAccount<Person> | undefined; sessionId: string },
): Promise<void> {
  if (!found || !(await staff.lockIfPasswordUnchanged(tx, found)) || !(await lockSession(tx, found, sessionId)))
    throw new Refusal('bad-session', 'sign in first')
}
