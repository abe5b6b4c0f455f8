// Signing in with e-mail and password, and a code where the second factor is on; and the own password.

import { uuidv7 } from '#kit/crypto/id.ts'
import { isPassword } from '#kit/crypto/password.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import type { Tx } from '#kit/db/sql.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { checkCode, checkPassword, forgetCodeGuesses, type Guesser, guesserIn, withOpenWays } from './guess.ts'
import { emailOf, keyOf, newPasswordHash, noTenant } from './person.ts'
import type { Account, PersonKey, StaffContext, StaffPerson, StaffProgram } from './program.ts'
import { acceptsCode } from './second-factor.ts'
import { deleteOtherSessions, deleteSession, type FailureRow, findDevice, insertFailure } from './session/store.ts'
import { beginSession, type Client, deviceOf, endedCookie, type SessionStart } from './session.ts'

/** What is typed and sent to sign in. */
export interface Attempt extends Client {
  email: string
  password: string
  code?: string | undefined
}

export interface SignedIn<Person> {
  person: Person
  cookies: string[]
}

/**
 * The person with the cookies of their session; `needs-code` where the password is right and no code was given; `wrong`
 * otherwise, which takes as long for an address that is nobody's. Refused as `rate-limited` after some wrong ones. What
 * fails is recorded.
 */
export async function signIn<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  attempt: Attempt,
  at: Date,
): Promise<SignedIn<Person> | 'wrong' | 'needs-code'> {
  const { db, staff } = ctx
  const email = emailOf(attempt.email)
  const found = await staff.findByEmail(db, email)
  const device = deviceOf(staff, attempt.headers)
  // Looked for whether the address is somebody's or not: the time it takes says nothing.
  const isKnown = device !== undefined && (await findDevice(db, found ?? nobody, device))
  const known = found && device && isKnown ? device : null
  const failed = (outcome: FailureRow['outcome']) => noteFailure(ctx, found, { ...attempt, email }, { outcome, at })
  const guesser = { address: attempt.address, device: known }
  const limited = async (secret: 'password' | 'code', error: unknown): Promise<unknown> => {
    if (!(error instanceof Refusal)) return error
    if (ctx.signIns.isRecorded(at)) await failed('LIMITED')
    return withOpenWays(ctx, error, { secret, isKnown: known !== null })
  }
  try {
    ctx.signIns.limit({ email, ...guesser }, at)
    const isRight = await checkPassword(ctx, { email, found, guesser, at }, () =>
      isPassword(attempt.password, found?.passwordHash),
    )
    if (!found || !isRight) {
      await failed('WRONG')
      return 'wrong'
    }
  } catch (error) {
    throw await limited('password', error)
  }
  if (found.totpSealed && attempt.code === undefined) {
    await noteCodeRequested(ctx, found, 'password', at)
    return 'needs-code'
  }
  const { code = '' } = attempt
  const isProven =
    !found.totpSealed ||
    (await provesCode(ctx, found, { code, guesser, at }).catch(async (error) => {
      throw await limited('code', error)
    }))
  if (!isProven) {
    await failed('WRONG_CODE')
    return 'wrong'
  }
  const start: SessionStart = { proof: found.totpSealed ? 'CODE' : 'PASSWORD', device: known }
  const signedIn = await begun(ctx, found, { ...attempt, start }, at)
  if (!signedIn) await failed('WRONG')
  return signedIn ?? 'wrong'
}

/** Begins a session of whoever gave the password; null when that was changed while it was checked. */
const begun = <Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  found: Account<Person>,
  { start, ...client }: Client & { start: SessionStart },
  at: Date,
): Promise<SignedIn<Person> | null> =>
  ctx.db.tx(async (tx) => {
    if (!(await ctx.staff.hold(tx, found))) return null
    const within = { ...ctx, tx, at }
    const { cookies, sessionId } = await beginSession(within, found, client, start)
    const person = found.within(sessionId)
    await ctx.staff.note(within, person, { act: 'SIGNED_IN', subject: sessionId })
    return { person, cookies }
  })

/** Whether it is a code of the person. Refused as `rate-limited` after some wrong ones. */
export const provesCode = <Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  found: Account<Person>,
  { code, guesser, at }: { code: string; guesser: Guesser; at: Date },
): Promise<boolean> =>
  checkCode(ctx, { found, guesser, at }, () => acceptsCode(ctx.db, ctx.seal, found, { code, at: ctx.realClock() }))

/** Notes that the first proof was right and a code is asked for: an admin sees guesses at codes from the first step. */
export const noteCodeRequested = <Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  found: Account<Person>,
  way: 'password' | 'openid',
  at: Date,
): Promise<void> =>
  ctx.db.tx((tx) =>
    ctx.staff.note({ tx, at }, found.within(''), {
      act: 'CODE_REQUESTED',
      subject: found.personId,
      detail: { way },
    }),
  )

/** Under which no row is kept. */
const nobody: PersonKey = { tenantId: noTenant, personId: noTenant }

/** Records a try that failed, with the address as it was typed, or as the OpenID provider says it. */
export async function noteFailure<Person extends StaffPerson>(
  { db, seal, log }: StaffContext<Person>,
  found: Account<Person> | undefined,
  { email, address }: Pick<Attempt, 'email' | 'address'>,
  { outcome, at }: Pick<FailureRow, 'outcome' | 'at'>,
): Promise<void> {
  const failureId = uuidv7(at.getTime())
  const tenantId = found?.tenantId ?? noTenant
  log.warn({ failureId, outcome }, 'a try to sign in failed')
  const detailSealed = seal.json({ email: email.slice(0, 254), address }, failurePlace(tenantId, failureId))
  await insertFailure(db, { tenantId, failureId, personId: found?.personId ?? null, detailSealed, outcome, at })
}

const failurePlace = (tenantId: string, failureId: string): string => `sign_in_failure:${tenantId}:${failureId}`

/** Who was typed, and from where. */
export const failureDetail = (seal: Seal, { tenantId, failureId, detailSealed }: FailureRow) =>
  seal.openJson<{ email: string; address: string }>(detailSealed, failurePlace(tenantId, failureId))

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

/** Whoever is signed in, where it is their present password; null otherwise. Refused as `rate-limited` after some wrong ones. */
export async function provesOwn<Person extends StaffPerson>(
  ctx: StaffContext<Person>,
  who: StaffPerson,
  { password, address }: { password: string; address: string },
  at: Date,
): Promise<Account<Person> | null> {
  limitOwn(ctx, who, at)
  const found = await ctx.staff.findPerson(ctx.db, keyOf(who))
  const guesser = guesserIn(who, address)
  const isRight = await checkPassword(ctx, { email: who.email, found, guesser, at }, () =>
    isPassword(password, found?.passwordHash),
  )
  return isRight && found ? found : null
}

/** Whoever is signed in may guess no more often than others; it does not count against those who sign in. */
export const limitOwn = (
  { signIns }: Pick<StaffContext<StaffPerson>, 'signIns'>,
  { email, sessionId }: StaffPerson,
  at: Date,
): void => signIns.limit({ email, address: null, device: Buffer.from(sessionId) }, at)
