// People's acts on their own account: signing out, ending sessions, changing the password.

import { isPassword } from '#kit/crypto/password.ts'
import type { Tx } from '#kit/db/sql.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { checkPassword, forgetCodeGuesses, guesserIn } from './guess.ts'
import { keyOf, newPasswordHash } from './person.ts'
import type { PersonKey, StaffAccount, StaffContext, StaffPerson, StaffProgram } from './program.ts'
import { deleteOtherSessions, deleteSession, holdSession } from './session/store.ts'
import { endedCookie } from './session.ts'

/** Ends the session; the cookie that takes its place is empty. */
export async function signOut<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  who: StaffPerson,
  at: Date,
): Promise<string> {
  await ctx.db.tx(async (tx) => {
    await deleteSession(tx, keyOf(who), who.sessionId)
    await ctx.staff.note({ tx, at }, who, { act: 'SIGNED_OUT', subject: who.sessionId })
  })
  return endedCookie(ctx.staff)
}

/** Ends another session of one's own, or this one. Refused as `absent` where there is none. */
export async function revokeSession<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  who: StaffPerson,
  sessionId: string,
  at: Date,
): Promise<void> {
  await ctx.db.tx(async (tx) => {
    if (!(await deleteSession(tx, keyOf(who), sessionId))) throw new Refusal('absent', 'there is no such session')
    await ctx.staff.note({ tx, at }, who, { act: 'SESSION_REVOKED', subject: sessionId })
  })
}

/**
 * Another password of one's own; every other session ends. Refused: `invalid` at `current` or `next` · `rate-limited` after
 * some wrong ones.
 */
export async function changePassword<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  who: StaffPerson,
  { current, next, address }: { current: string; next: string; address: string },
  at: Date,
): Promise<void> {
  const key = keyOf(who)
  const wrong = () => invalid({ path: 'current', message: 'is not the present password' })
  const found = await provesOwn(ctx, who, { password: current, address }, at)
  if (!found) throw wrong()
  const hash = await newPasswordHash(next, who.email, 'next')
  await ctx.db.tx(async (tx) => {
    if (!(await ctx.staff.hold(tx, found))) throw wrong()
    await writePassword({ tx, staff: ctx.staff }, key, hash, who.sessionId)
    await ctx.staff.note({ tx, at }, who, { act: 'PASSWORD_CHANGED', subject: who.personId })
  })
}

/** Writes another password; every session ends but the one given. Wrong codes of before no longer count. */
export async function writePassword(
  { tx, staff }: { tx: Tx; staff: Pick<StaffProgram<StaffPerson>, 'writeHash'> },
  key: PersonKey,
  hash: string,
  but: string | null,
): Promise<void> {
  await staff.writeHash(tx, key, hash)
  await deleteOtherSessions(tx, key, but)
  await forgetCodeGuesses(tx, key)
}

/** Refused: `invalid` at `password` where it is not the present one of the person who is signed in · `rate-limited` after some wrong ones. */
export async function requirePassword<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  who: StaffPerson,
  given: { password: string; address: string },
  at: Date,
): Promise<void> {
  if (!(await provesOwn(ctx, who, given, at)))
    throw invalid({ path: 'password', message: 'is not the present password' })
}

/** The person who is signed in, where it is their present password; null otherwise. Refused as `rate-limited` after some wrong ones. */
async function provesOwn<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  who: StaffPerson,
  { password, address }: { password: string; address: string },
  at: Date,
): Promise<StaffAccount<Person> | null> {
  limitOwn(ctx, who, at)
  const found = await ctx.staff.findPerson(ctx.db, keyOf(who))
  const guesser = guesserIn(who, address)
  const isRight = await checkPassword(ctx, { email: who.email, found, guesser, at }, () =>
    isPassword(password, found?.passwordHash),
  )
  return isRight && found ? found : null
}

/** A signed-in person may guess no more often than others; these guesses do not count against sign-ins. */
export const limitOwn = (
  { signIns }: Pick<StaffContext<StaffPerson>, 'signIns'>,
  { email, sessionId }: StaffPerson,
  at: Date,
): void => signIns.limit({ email, address: null, device: Buffer.from(sessionId) }, at)

/** Locks a person and the session in which they act. Refused as `bad-session` where a reset ended it meanwhile. */
export async function holdOwn<Person extends StaffPerson>(
  { staff }: StaffContext<Person>,
  tx: Tx,
  { found, sessionId }: { found: StaffAccount<Person> | undefined; sessionId: string },
): Promise<void> {
  if (!found || !(await staff.hold(tx, found)) || !(await holdSession(tx, found, sessionId)))
    throw new Refusal('bad-session', 'sign in first')
}
