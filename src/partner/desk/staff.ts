// Who is at the desk: signing in with e-mail and password, and a session that lives in a cookie for a working day.

import { uuidv7 } from '#kit/crypto/id.ts'
import { hashPassword, isPassword } from '#kit/crypto/password.ts'
import { randomOctets } from '#kit/crypto/random.ts'
import { digestOf } from '#kit/crypto/secret.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Auth } from '#kit/http/server.ts'
import { type RequestHeaders, refuseOtherSites, tokenCookie, tokenIn } from '#kit/http/session-cookie.ts'
import type { Trying } from '#kit/http/sign-in-limit.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import type { Context } from '#partner/context.ts'
import { noteAct } from './staff-act.ts'
import {
  deleteSession,
  findDevice,
  findSession,
  findStaff,
  insertFailure,
  insertSession,
  insertStaff,
  isKnownStaff,
  keepDevice,
  removeStaff,
  writePassword,
} from './store.ts'

export interface Staff {
  staffId: string
  email: string
  name: string
}

/** Somebody of the staff, and what their session is kept under. */
export interface SignedIn extends Staff {
  session: Buffer
}

const sessionSeconds = 8 * 3600
const cookieName = 'desk'
const deviceCookieName = 'desk-device'
const deviceSeconds = 365 * 86_400

export const emailOf = (text: string): string => text.trim().toLowerCase()

/** Adds somebody to the staff. Refused: `invalid` at `email` or `password` · `wrong-state` when they work here already. */
export async function addStaff(
  tx: Tx,
  { email, name, password }: { email: string; name: string; password: string },
  at: Date,
): Promise<void> {
  if (!/^[^\s@]+@[^\s@]+$/.test(emailOf(email)))
    throw new Refusal('invalid', 'that is no e-mail address', { field: 'email' })
  const passwordHash = await hashOf(password)
  const row = { staffId: uuidv7(at.getTime()), email: emailOf(email), name, passwordHash }
  if (!(await insertStaff(tx, row, at))) throw new Refusal('wrong-state', `${emailOf(email)} works here already`)
  await noteAct(tx, { staffId: null, act: 'STAFF_ADDED', about: { subject: row.email }, at })
}

/** Another password for somebody who lost theirs; their sessions end. Refused: `invalid` at `password` · `absent`. */
export async function givePassword(tx: Tx, email: string, password: string, at: Date): Promise<void> {
  const staff = await staffOf(tx, email)
  await writePassword(tx, staff.staffId, await hashOf(password), null)
  await noteAct(tx, { staffId: null, act: 'STAFF_PASSWORD', about: { subject: staff.email }, at })
}

/** They sign in no longer, and what they did stays theirs. Refused as `absent` when nobody works here as that. */
export async function removeFromStaff(tx: Tx, email: string, at: Date): Promise<void> {
  const staff = await staffOf(tx, email)
  await removeStaff(tx, staff.staffId, at)
  await noteAct(tx, { staffId: null, act: 'STAFF_REMOVED', about: { subject: staff.email }, at })
}

const leastLength = 12

/** The hash to keep. Refused as `invalid` when the password is too short. */
export async function hashOf(password: string): Promise<string> {
  if (password.length < leastLength)
    throw new Refusal('invalid', `a password has at least ${leastLength} characters`, { field: 'password' })
  return hashPassword(password)
}

/** Whoever works here. Refused as `absent` when nobody does under that address. */
export async function staffOf(db: Run, email: string): Promise<Staff> {
  const staff = await findStaff(db, emailOf(email))
  if (!staff) throw new Refusal('absent', `nobody works here as ${emailOf(email)}`)
  return staff
}

/** Makes sure that the person whom the settings name could sign in once: what was changed since then stays. */
export async function firstStaff({ db, config }: Context, at: Date): Promise<void> {
  const { PARTNER_DESK_EMAIL: email, PARTNER_DESK_PASSWORD: password } = config
  if (email === '' || (await isKnownStaff(db, emailOf(email)))) return
  const [name = email] = email.split('@')
  try {
    await db.tx((tx) => addStaff(tx, { email, name, password }, at))
  } catch (error) {
    // Another process of the same program was first.
    if (!(error instanceof Refusal && error.kind === 'wrong-state')) throw error
  }
}

/** Whether it is their password. Refused as `rate-limited` after some wrong ones. */
export async function provesPassword(
  { db, signIns }: Pick<Context, 'db' | 'signIns'>,
  trying: Trying,
  password: string,
  at: Date,
): Promise<boolean> {
  signIns.limit(trying, at)
  return isPassword(password, (await findStaff(db, trying.email))?.passwordHash)
}

/** What is typed and sent to sign in. */
export interface Attempt {
  email: string
  password: string
  /** Of the caller. */
  address: string
  headers: RequestHeaders
}

/**
 * The cookies of a new session and, in a browser that was not known, of the device; null when name or password is wrong.
 * Refused as `rate-limited` after some wrong ones. What fails is recorded.
 */
export async function signIn(
  ctx: Context,
  { email: typed, password, address, headers }: Attempt,
  at: Date,
): Promise<string[] | null> {
  const email = emailOf(typed)
  const deviceToken = tokenIn(headers, deviceCookieName)
  const device = deviceToken === undefined ? null : digestOf(deviceToken)
  const known = device !== null && (await findDevice(ctx.db, device, email)) ? device : null
  const failed = async (outcome: 'WRONG' | 'LIMITED'): Promise<void> => {
    const failureId = uuidv7(at.getTime())
    ctx.log.warn({ failureId, outcome }, 'a try to sign in at the desk failed')
    await insertFailure(ctx.db, { failureId, email: email.slice(0, 254), address, outcome, at })
  }
  try {
    if (!(await provesPassword(ctx, { email, address, device: known }, password, at))) {
      await failed('WRONG')
      return null
    }
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'rate-limited' && ctx.signIns.isRecorded(at)) await failed('LIMITED')
    throw error
  }
  const { staffId } = await staffOf(ctx.db, email)
  const token = randomOctets(32).toString('base64url')
  const fresh = randomOctets(32).toString('base64url')
  await ctx.db.tx(async (tx) => {
    await insertSession(tx, { digest: digestOf(token), staffId, expiresAt: secondsAfter(at, sessionSeconds), at })
    await keepDevice(tx, known ?? digestOf(fresh), staffId, at)
    await noteAct(tx, { staffId, act: 'SIGNED_IN', about: {}, at })
  })
  const session = cookie(ctx, cookieName, token, sessionSeconds)
  return known ? [session] : [session, cookie(ctx, deviceCookieName, fresh, deviceSeconds)]
}

/** Ends the session; the cookie that takes its place is empty. */
export async function signOut(ctx: Context, { staffId, session }: SignedIn, at: Date): Promise<string> {
  await ctx.db.tx(async (tx) => {
    await deleteSession(tx, session)
    await noteAct(tx, { staffId, act: 'SIGNED_OUT', about: {}, at })
  })
  return cookie(ctx, cookieName, '', 0)
}

/** What the session of this request is kept under. */
function sessionOf(headers: RequestHeaders): Buffer | undefined {
  const token = tokenIn(headers, cookieName)
  return token === undefined ? undefined : digestOf(token)
}

/** Whoever is signed in; refused as `bad-session`, and as `forbidden` when another site asks for it. */
export const atDesk: Auth<Context, SignedIn> = {
  scheme: null,
  async check({ headers, at }, ctx) {
    refuseOtherSites(headers, ctx.config.PARTNER_PUBLIC_URL)
    const session = sessionOf(headers)
    const staff = session && (await findSession(ctx.db, session, at))
    if (!staff) throw new Refusal('bad-session', 'sign in first')
    return { ...staff, session }
  },
}

/** Anybody, but only from a page of our own. */
export const ownPage: Auth<Context, null> = {
  scheme: null,
  check({ headers }, ctx) {
    refuseOtherSites(headers, ctx.config.PARTNER_PUBLIC_URL)
    return null
  },
}

function cookie({ config }: Context, name: string, value: string, seconds: number): string {
  return tokenCookie({ name, value, seconds, path: '/desk', publicUrl: config.PARTNER_PUBLIC_URL })
}
