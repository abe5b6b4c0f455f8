// The users of the desk and their roles, and the authorization of routes. Sign-in is in packages/identity/src.

import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Auth } from '@lendloom/http/server'
import { type RequestHeaders, refuseOtherSites } from '@lendloom/http/session-cookie'
import { emailOf, keyOf, newPasswordHash } from '@lendloom/identity/person'
import { removeFactors } from '@lendloom/identity/second-factor'
import { type OpenSession, sessionIn } from '@lendloom/identity/session'
import { deleteDevices, lockSession } from '@lendloom/identity/session/store'
import type { Run, Tx } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import type { Context } from '#partner/context.ts'
import { expireRolesOf } from '#partner/desk/change/store.ts'
import { requireProof } from '#partner/people/one-person.ts'
import {
  roles as allRoles,
  type DeskIdentity,
  type DeskPerson,
  type DeskTheme,
  type Role,
  type Staff,
} from '#partner/people/person.ts'
import {
  findStaff,
  findStaffById,
  insertStaff,
  lockOtherAdmins,
  removeStaff,
  writeRoles,
} from '#partner/people/store.ts'
import { type Act, can, noteAct, rolesFor } from './staff-act.ts'

/** A user who is signed in. */
export interface SignedIn extends DeskPerson {
  /** Whether the session may approve: `decidesAt` of the second factor has passed, or the OpenID sign-in is fresh. */
  isProven: boolean
  theme?: DeskTheme | null
}

/** Seconds for which an OpenID sign-in, or a password chosen through a mailed link, counts as proof of identity. */
export const proofSeconds = 3600

/** Who changes a user, and when. */
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

/** Adds a user. Refused: `invalid` at `email`, `roles` or `password` · `wrong-state` if the user exists. */
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
 * Sets the roles of a user, which apply from the next request. Returns the user with the previous roles. Refused:
 * `invalid` at `roles` · `absent` · `wrong-state` if no admin would remain.
 */
export async function setRoles(tx: Tx, email: string, roles: readonly Role[]): Promise<Staff> {
  requireRole(roles)
  const staff = await staffOf(tx, email)
  if (!roles.includes('admin')) await requireOtherAdmin(tx, staff)
  await writeRoles(tx, staff.staffId, inOrder(roles))
  return staff
}

/** Sets roles from the command line and records the change. Refused as `setRoles`. */
export async function changeRoles(tx: Tx, email: string, roles: readonly Role[], at: Date): Promise<void> {
  const staff = await setRoles(tx, email, roles)
  const detail = { before: staff.roles.join(' '), roles: inOrder(roles).join(' ') }
  await noteAct(tx, { staffId: null, act: 'ROLES_CHANGED', about: { subject: staff.email, detail }, at })
}

/** Throws `wrong-state` if the user is the last admin. */
async function requireOtherAdmin(tx: Tx, staff: Staff): Promise<void> {
  if (staff.roles.includes('admin') && (await lockOtherAdmins(tx, staff.staffId)).length === 0)
    throw new Refusal('wrong-state', `${staff.email} is the only admin; make another person an admin first`)
}

/** Removes a user, but not their audit entries. Refused: `absent` · `wrong-state` for the last admin. */
export async function removeFromStaff(tx: Tx, email: string, actor: Actor): Promise<void> {
  const { at } = actor
  const staff = await staffOf(tx, email)
  await requireOtherAdmin(tx, staff)
  await removeStaff(tx, staff.staffId, at)
  const key = keyOf({ tenantId: null, personId: staff.staffId })
  // The next user with this address may be another person.
  await removeFactors(tx, key)
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

/** Allows every signed-in user: `bad-session` without a session · `forbidden` for another site. */
export const anyStaff: Auth<Context, SignedIn> = {
  scheme: null,
  async check({ headers }, ctx) {
    refuseOtherSites(headers, ctx.config.PARTNER_PUBLIC_URL)
    const session = await sessionIn(ctx, headers)
    if (!session) throw new Refusal('bad-session', 'sign in first')
    return { ...session.person, isProven: isProven(session, session.person, ctx), theme: themeIn(headers) }
  },
  nameOf: ({ staffId }) => staffId,
}

const themeIn = ({ cookie }: RequestHeaders): DeskTheme | null => {
  const [, theme] = /(?:^|; )desk-theme=(light|dark)(?:;|$)/.exec(String(cookie ?? '')) ?? []
  return theme === 'light' || theme === 'dark' ? theme : null
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
 * Locks the session of a user who proposes, refuses or withdraws. Refused: `bad-session` if the session has ended, for
 * example because of a reset · `forbidden` if the roles have changed since the request began.
 */
export async function lockSignedIn(tx: Tx, who: DeskPerson) {
  const session = await lockSession(tx, keyOf(who), who.sessionId)
  const now = session && (await findStaffById(tx, who.staffId))
  if (!now) throw new Refusal('bad-session', 'sign in first')
  if (now.roles.join() !== who.roles.join())
    throw new Refusal('forbidden', 'your roles have just changed: reload the page')
  return { session, now }
}

/** Locks the session of a user who approves. Refused as `lockSignedIn`, and as `forbidden` without a second factor. */
export async function lockDecider(tx: Tx, who: SignedIn, ctx: Context): Promise<void> {
  const { session, now } = await lockSignedIn(tx, who)
  requireProof({ isProven: isProven(session, now, ctx) })
}

const orList = new Intl.ListFormat('en-IN', { type: 'disjunction' })

/** A refusal because the user's roles do not permit the act; `may` has recorded it. */
export class PermissionRefusal extends Refusal {
  readonly staff: SignedIn
  /** The name of the refused page or act. */
  routeName = ''
  constructor(staff: SignedIn, act: Act) {
    super(
      'forbidden',
      `this needs the role ${orList.format(rolesFor(act))}. Your role is ${staff.roles.join(', ')}, so nothing was opened or changed; ask an admin to change your role`,
      { act },
    )
    this.staff = staff
  }
}

interface ActAuth extends Auth<Context, SignedIn> {
  act: Act
}

/** Allows users whose roles permit the act. Refuses and records other users' requests as `forbidden`. */
export const may = (act: Act): ActAuth => ({
  ...anyStaff,
  act,
  async check(arrival, ctx) {
    const who = await anyStaff.check(arrival, ctx)
    if (can(who, act)) return who
    const { at, path } = arrival
    const about = { subject: act, detail: { path } }
    await ctx.db.tx((tx) => noteAct(tx, { staffId: who.staffId, act: 'NOT_ALLOWED', about, at }))
    throw new PermissionRefusal(who, act)
  },
})

/** Returns the act that a route requires; undefined if every role may use the route. */
export const actOf = (auth: Auth<Context, unknown> | ActAuth): Act | undefined => ('act' in auth ? auth.act : undefined)

/** Allows requests without a session, but only from pages of this site. */
export const sameSite: Auth<Context, null> = {
  scheme: null,
  isPublic: true,
  check({ headers }, ctx) {
    refuseOtherSites(headers, ctx.config.PARTNER_PUBLIC_URL)
    return null
  },
}
