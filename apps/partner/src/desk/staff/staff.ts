// The users of the desk and their roles. Sign-in is in packages/identity/src.

import { Refusal } from '@lendloom/foundation/refusal'
import { emailOf, keyOf, newPasswordHash } from '@lendloom/identity/person'
import { removeFactors } from '@lendloom/identity/second-factor'
import { deleteDevices } from '@lendloom/identity/session/store'
import type { Run, Tx } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import { expireRolesOf } from '#partner/desk/change/store.ts'
import { roles as allRoles, type DeskIdentity, type Role, type Staff } from '#partner/people/person.ts'
import { findStaff, insertStaff, lockOtherAdmins, removeStaff, writeRoles } from '#partner/people/store.ts'
import { noteAct } from './staff-acts.ts'

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
