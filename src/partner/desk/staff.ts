// Who is at the desk: signing in with e-mail and password, and a session that lives in a cookie for a working day.

import { uuidv7 } from '#kit/crypto/id.ts'
import { hashPassword, isPassword } from '#kit/crypto/password.ts'
import { randomOctets } from '#kit/crypto/random.ts'
import { digestOf } from '#kit/crypto/secret.ts'
import { clearGuesses, countGuess, type GuessKey, passwordLimit, secondsUntil } from '#kit/db/guess-count.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Auth } from '#kit/http/server.ts'
import { type RequestHeaders, refuseOtherSites, tokenCookie, tokenIn } from '#kit/http/session-cookie.ts'
import type { Trying } from '#kit/http/sign-in-limit.ts'
import { nobody } from '#kit/messaging/queue.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import type { Context } from '#partner/context.ts'
import type { Account } from './one-person.ts'
import { roles as allRoles, can, type Role } from './roles.ts'
import { tellOfPause } from './sign-in-pause/send.ts'
import { type Act, noteAct } from './staff-act.ts'
import {
  deleteSession,
  findDevice,
  findSession,
  findStaff,
  holdProven,
  insertFailure,
  insertSession,
  insertStaff,
  keepDevice,
  otherAdmins,
  removeStaff,
  type StaffRow,
  writeRoles,
} from './store.ts'

export interface Staff extends Account {
  email: string
  name: string
  roles: Role[]
}

/** Somebody of the staff, and what their session is kept under. */
export interface SignedIn extends Staff {
  session: Buffer
  /** Their own address, and those of the staff who may know the password. */
  emailsBehind: string[]
}

const sessionSeconds = 8 * 3600
const cookieName = 'desk'
const deviceCookieName = 'desk-device'
const deviceSeconds = 365 * 86_400

export const emailOf = (text: string): string => text.trim().toLowerCase()

/** Who changes the staff, and when. */
export interface Actor {
  /** Null at the command line. */
  account: Account | null
  at: Date
}

const staffIdOf = ({ account }: Actor): string | null => account?.staffId ?? null
const actorOf = (by: Actor | Date): Actor => (by instanceof Date ? { account: null, at: by } : by)

export interface NewStaff {
  email: string
  name: string
  password: string
  roles: readonly Role[]
}

/** Adds somebody to the staff. Refused: `invalid` at `email`, `roles` or `password` · `wrong-state` when they work here already. */
export async function addStaff(tx: Tx, given: NewStaff, by: Actor | Date): Promise<string> {
  const { email, name, password, roles } = given
  const actor = actorOf(by)
  const { at } = actor
  requireRole(roles)
  if (!/^[^\s@]+@[^\s@]+$/.test(emailOf(email)))
    throw new Refusal('invalid', 'that is no e-mail address', { field: 'email' })
  const passwordHash = await hashOf(password)
  const row = { staffId: uuidv7(at.getTime()), email: emailOf(email), name, roles: inOrder(roles), passwordHash }
  const staffId = await insertStaff(tx, row, at)
  if (staffId === undefined) throw new Refusal('wrong-state', `${emailOf(email)} works here already`)
  const detail = { roles: row.roles.join(' ') }
  await noteAct(tx, { staffId: staffIdOf(actor), act: 'STAFF_ADDED', about: { subject: row.email, detail }, at })
  return staffId
}

const inOrder = (roles: readonly Role[]): Role[] => allRoles.filter((role) => roles.includes(role))

function requireRole(roles: readonly Role[]): void {
  if (roles.length === 0)
    throw new Refusal('invalid', `somebody has at least one role of ${allRoles.join(', ')}`, { field: 'roles' })
}

/**
 * Other roles from the next request on; gives whose they are, with those of before. Refused: `invalid` at `roles` · `absent` ·
 * `wrong-state` when nobody would be admin.
 */
export async function setRoles(tx: Tx, email: string, roles: readonly Role[]): Promise<Staff> {
  requireRole(roles)
  const staff = await staffOf(tx, email)
  if (!roles.includes('admin')) await keepAnAdmin(tx, staff)
  await writeRoles(tx, staff.staffId, inOrder(roles))
  return staff
}

/** The same by the command line, with its entry; at the desk two admins change roles. Refused as `setRoles`. */
export async function changeRoles(tx: Tx, email: string, roles: readonly Role[], at: Date): Promise<void> {
  const staff = await setRoles(tx, email, roles)
  const detail = { before: staff.roles.join(' '), roles: inOrder(roles).join(' ') }
  await noteAct(tx, { staffId: null, act: 'ROLES_CHANGED', about: { subject: staff.email, detail }, at })
}

/** Somebody must be able to let others in. */
async function keepAnAdmin(tx: Tx, staff: Staff): Promise<void> {
  if (staff.roles.includes('admin') && (await otherAdmins(tx, staff.staffId)).length === 0)
    throw new Refusal('wrong-state', `${staff.email} is the only admin; make somebody else one first`)
}

/** They sign in no longer, and what they did stays theirs. Refused: `absent` nobody works here as that · `wrong-state` the only admin. */
export async function removeFromStaff(tx: Tx, email: string, actor: Actor): Promise<void> {
  const { at } = actor
  const staff = await staffOf(tx, email)
  await keepAnAdmin(tx, staff)
  await removeStaff(tx, staff.staffId, at)
  await noteAct(tx, { staffId: staffIdOf(actor), act: 'STAFF_REMOVED', about: { subject: staff.email }, at })
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

/** Whose password it is; null when it is wrong. Refused as `rate-limited` after some wrong ones. */
export async function provesPassword(
  { db, signIns }: Pick<Context, 'db' | 'signIns'>,
  trying: Trying,
  password: string,
  at: Date,
): Promise<StaffRow | null> {
  signIns.limit(trying, at)
  const device = trying.device ? ` ${trying.device.toString('hex')}` : ''
  const key: GuessKey = { tenantId: nobody, subject: `password ${trying.email.slice(0, 254)}${device}` }
  const guess = await countGuess(db, key, passwordLimit, at)
  if (!guess.isAllowed)
    throw new Refusal('rate-limited', 'too many wrong tries', {
      retryAfterSeconds: secondsUntil(guess.pausedUntil, at),
    })
  const found = await findStaff(db, trying.email)
  if ((await isPassword(password, found?.passwordHash)) && found) {
    await clearGuesses(db, key)
    return found
  }
  if (found && guess.pausedUntil && guess.isFirstPause)
    await tellOfPause(db, trying, { staffId: found.staffId, at, until: guess.pausedUntil })
  return null
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
    const typedEmail = email.slice(0, 254)
    await ctx.db.tx(async (tx) => {
      await insertFailure(tx, { failureId, email: typedEmail, address, outcome, at })
      const about = { subject: typedEmail, detail: { outcome, address } }
      await noteAct(tx, { staffId: null, act: 'SIGN_IN_FAILED', about, at })
    })
  }
  const cookies = await begun(ctx, { email, address, device: known }, password, at).catch(async (error) => {
    if (!(error instanceof Refusal && error.kind === 'rate-limited')) throw error
    if (ctx.signIns.isRecorded(at)) await failed('LIMITED')
    throw new Refusal(error.kind, error.message, { ...error.details, isKnownDevice: known !== null })
  })
  if (!cookies) await failed('WRONG')
  return cookies
}

/** Begins a session of whoever has the password; null when it is wrong, or was reset while it was checked. */
async function begun(ctx: Context, trying: Trying, password: string, at: Date): Promise<string[] | null> {
  const proven = await provesPassword(ctx, trying, password, at)
  if (!proven) return null
  const { staffId } = proven
  const { device: known } = trying
  const token = randomOctets(32).toString('base64url')
  const fresh = randomOctets(32).toString('base64url')
  return ctx.db.tx(async (tx) => {
    if (!(await holdProven(tx, proven))) return null
    await insertSession(tx, { digest: digestOf(token), staffId, expiresAt: secondsAfter(at, sessionSeconds), at })
    await keepDevice(tx, known ?? digestOf(fresh), staffId, at)
    await noteAct(tx, { staffId, act: 'SIGNED_IN', about: {}, at })
    const session = cookie(ctx, cookieName, token, sessionSeconds)
    return known ? [session] : [session, cookie(ctx, deviceCookieName, fresh, deviceSeconds)]
  })
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

/** What somebody's roles do not allow; the try is recorded already. */
export class NotAllowed extends Refusal {}

interface ForAct extends Auth<Context, SignedIn> {
  act: Act
}

/** Whoever is signed in and may do this act in one of their roles; others are refused as `forbidden`, and their try is recorded. */
export const may = (act: Act): ForAct => ({
  scheme: null,
  act,
  async check(arrival, ctx) {
    const who = await atDesk.check(arrival, ctx)
    if (can(who, act)) return who
    const { at, path } = arrival
    const about = { subject: act, detail: { path } }
    await ctx.db.tx((tx) => noteAct(tx, { staffId: who.staffId, act: 'NOT_ALLOWED', about, at }))
    throw new NotAllowed('forbidden', `as ${who.roles.join(', ')} you may not do this`, { act })
  },
})

/** The act that it lets people do; undefined where it is for everybody. */
export const actOf = (auth: Auth<Context, unknown> | ForAct): Act | undefined => ('act' in auth ? auth.act : undefined)

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
