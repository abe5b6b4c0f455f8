// The people of the desk: who works here, in which roles, and who may call which route. How they sign in is kit/staff.

import { uuidv7 } from '#kit/crypto/id.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Auth } from '#kit/http/server.ts'
import { refuseOtherSites } from '#kit/http/session-cookie.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { deleteLinks } from '#kit/staff/open-id/store.ts'
import { emailOf, keyOf, newPasswordHash } from '#kit/staff/person.ts'
import { removeFactors } from '#kit/staff/second-factor.ts'
import { deleteDevices, lockSession } from '#kit/staff/session/store.ts'
import { type OpenSession, sessionIn } from '#kit/staff/session.ts'
import type { Context } from '#partner/context.ts'
import { expireRolesOf } from '#partner/desk/change/store.ts'
import { findStaff, findStaffById, insertStaff, lockOtherAdmins, removeStaff, writeRoles } from '#partner/desk/store.ts'
import { roles as allRoles, type DeskIdentity, type DeskPerson, type Role, type Staff } from '#partner/desk-person.ts'
import { requireProof } from './one-person.ts'
import { type Act, can, noteAct } from './staff-act.ts'

/** A person who is signed in. */
export interface SignedIn extends DeskPerson {
  /** Whether the session may decide: by a second factor that is at least a day old, or a fresh OpenID sign-in. */
  isProven: boolean
}

/** Seconds for which an OpenID sign-in, or a password chosen through a mailed link, counts as proof of identity. */
export const proofSeconds = 3600

/** The author and time of a change of users. */
export interface Actor {
  /** Null at the command line. */
  account: DeskIdentity | null
  at: Date
}

const staffIdOf = ({ account }: Actor): string | null => account?.staffId ?? null
const actorOf = (author: Actor | Date): Actor => (author instanceof Date ? { account: null, at: author } : author)

export interface NewStaff {
  email: string
  name: string
  password: string
  roles: readonly Role[]
}

/** Adds a person to the staff. Refused: `invalid` at `email`, `roles` or `password` · `wrong-state` when they exist. */
export async function addStaff(tx: Tx, person: NewStaff, author: Actor | Date): Promise<string> {
  const { email, name, password, roles } = person
  const actor = actorOf(author)
  const { at } = actor
  requireRole(roles)
  if (!/^[^\s@]+@[^\s@]+$/.test(emailOf(email)))
    throw new Refusal('invalid', 'that is not an email address', { field: 'email' })
  const passwordHash = await newPasswordHash(password, email, 'password')
  const row = { staffId: uuidv7(at.getTime()), email: emailOf(email), name, roles: inOrder(roles), passwordHash }
  const staffId = await insertStaff(tx, row, at)
  if (staffId === undefined) throw new Refusal('wrong-state', `${emailOf(email)} already has an account`)
  const detail = { roles: row.roles.join(' ') }
  await noteAct(tx, { staffId: staffIdOf(actor), act: 'STAFF_ADDED', about: { subject: row.email, detail }, at })
  return staffId
}

const inOrder = (roles: readonly Role[]): Role[] => allRoles.filter((role) => roles.includes(role))

function requireRole(roles: readonly Role[]): void {
  if (roles.length === 0)
    throw new Refusal('invalid', `choose at least one role of ${allRoles.join(', ')}`, { field: 'roles' })
}

/**
 * Sets roles, which apply from the next request. Returns the person with the previous roles. Refused: `invalid` at
 * `roles` · `absent` · `wrong-state` when no other admin would remain.
 */
export async function setRoles(tx: Tx, email: string, roles: readonly Role[]): Promise<Staff> {
  requireRole(roles)
  const staff = await staffOf(tx, email)
  if (!roles.includes('admin')) await requireOtherAdmin(tx, staff)
  await writeRoles(tx, staff.staffId, inOrder(roles))
  return staff
}

/** Sets roles from the command line and records that; at the desk, two admins change roles. Refused as `setRoles`. */
export async function changeRoles(tx: Tx, email: string, roles: readonly Role[], at: Date): Promise<void> {
  const staff = await setRoles(tx, email, roles)
  const detail = { before: staff.roles.join(' '), roles: inOrder(roles).join(' ') }
  await noteAct(tx, { staffId: null, act: 'ROLES_CHANGED', about: { subject: staff.email, detail }, at })
}

/** Throws `wrong-state` when this is the last admin. */
async function requireOtherAdmin(tx: Tx, staff: Staff): Promise<void> {
  if (staff.roles.includes('admin') && (await lockOtherAdmins(tx, staff.staffId)).length === 0)
    throw new Refusal('wrong-state', `${staff.email} is the only admin; make another person an admin first`)
}

/** Removes a person; their audit entries stay. Refused: `absent` · `wrong-state` for the last admin. */
export async function removeFromStaff(tx: Tx, email: string, actor: Actor): Promise<void> {
  const { at } = actor
  const staff = await staffOf(tx, email)
  await requireOtherAdmin(tx, staff)
  await removeStaff(tx, staff.staffId, at)
  const key = keyOf({ tenantId: null, personId: staff.staffId })
  // A later user with the same address may be another person, so all proofs of identity are deleted.
  await removeFactors(tx, key)
  await deleteLinks(tx, key)
  await deleteDevices(tx, key)
  await expireRolesOf(tx, staff.email, at)
  await noteAct(tx, { staffId: staffIdOf(actor), act: 'STAFF_REMOVED', about: { subject: staff.email }, at })
}

/** Finds a user by address. Refused as `absent`. */
export async function staffOf(db: Run, email: string): Promise<Staff> {
  const staff = await findStaff(db, emailOf(email))
  if (!staff) throw new Refusal('absent', `there is no account with ${emailOf(email)}`)
  return staff
}

/**
 * Allows every signed-in user. Refused: `bad-session` without a session · `forbidden` for a request from another site.
 */
export const anyStaff: Auth<Context, SignedIn> = {
  scheme: null,
  async check({ headers }, ctx) {
    refuseOtherSites(headers, ctx.config.PARTNER_PUBLIC_URL)
    const session = await sessionIn(ctx, headers)
    if (!session) throw new Refusal('bad-session', 'sign in first')
    return { ...session.person, isProven: isProven(session, session.person, ctx) }
  },
}

function isProven(
  { proof, createdAt }: Pick<OpenSession<DeskPerson>, 'proof' | 'createdAt'>,
  { decidesAt }: Pick<DeskPerson, 'decidesAt'>,
  { config, realClock }: Context,
): boolean {
  if (config.PARTNER_DESK_SECOND_FACTOR === 'optional') return true
  if (proof === 'CODE') return decidesAt !== null && decidesAt <= realClock()
  return proof === 'OPENID' && secondsAfter(createdAt, proofSeconds) > realClock()
}

/**
 * Locks the session of a user who proposes, refuses or withdraws. Refused: `bad-session` when the session has ended
 * meanwhile, for example by a reset · `forbidden` when the roles have changed meanwhile.
 */
export async function lockSignedIn(tx: Tx, who: DeskPerson) {
  const session = await lockSession(tx, keyOf(who), who.sessionId)
  const now = session && (await findStaffById(tx, who.staffId))
  if (!now) throw new Refusal('bad-session', 'sign in first')
  if (now.roles.join() !== who.roles.join())
    throw new Refusal('forbidden', 'your roles have just changed: reload the page')
  return { session, now }
}

/** As `lockSignedIn`, for an approval: also refused as `forbidden` without the second factor. */
export async function lockDecider(tx: Tx, who: SignedIn, ctx: Context): Promise<void> {
  const { session, now } = await lockSignedIn(tx, who)
  requireProof({ isProven: isProven(session, now, ctx) })
}

/** A refusal by the user's roles, which `may` has already recorded. */
export class PermissionRefusal extends Refusal {}

interface ActAuth extends Auth<Context, SignedIn> {
  act: Act
}

/** Allows signed-in users whose roles permit the act. Others are refused as `forbidden`, which is recorded. */
export const may = (act: Act): ActAuth => ({
  scheme: null,
  act,
  async check(arrival, ctx) {
    const who = await anyStaff.check(arrival, ctx)
    if (can(who, act)) return who
    const { at, path } = arrival
    const about = { subject: act, detail: { path } }
    await ctx.db.tx((tx) => noteAct(tx, { staffId: who.staffId, act: 'NOT_ALLOWED', about, at }))
    throw new PermissionRefusal('forbidden', `as ${who.roles.join(', ')} you cannot do this`, { act })
  },
})

/** The act that a route needs; undefined for a route that every role may use. */
export const actOf = (auth: Auth<Context, unknown> | ActAuth): Act | undefined => ('act' in auth ? auth.act : undefined)

/** Allows everyone, but only from our own pages. */
export const sameSite: Auth<Context, null> = {
  scheme: null,
  check({ headers }, ctx) {
    refuseOtherSites(headers, ctx.config.PARTNER_PUBLIC_URL)
    return null
  },
}
