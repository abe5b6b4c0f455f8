// The people of the console: adding, roles, passwords, removing.

import type { Role } from '#contract/console/staff.ts'
import { uuidv7 } from '#kit/crypto/id.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { deleteLinks, listLinks, type OpenIdLinkRow } from '#kit/staff/open-id/store.ts'
import { writePassword } from '#kit/staff/own-account.ts'
import { emailOf, tenantIn, tenantKeyOf } from '#kit/staff/person.ts'
import type { PersonKey } from '#kit/staff/program.ts'
import { removeFactors } from '#kit/staff/second-factor.ts'
import { deleteDevices, deleteSession, deleteSessions } from '#kit/staff/session/store.ts'
import type { TxContext } from '#platform/context.ts'
import { type Actor, noteStaffAct } from './audit.ts'
import { emailDigest, type Identity, identitySealContext } from './person.ts'
import { insertPerson, lockAdmins, lockPerson, writeHash, writeRemoved, writeRole } from './store.ts'
import { deleteOwnViews } from './view/store.ts'

type PeopleDeps = Pick<TxContext, 'tx' | 'at' | 'seal'>

export interface NewPerson extends Identity {
  /** Null for the platform. */
  tenantId: string | null
  role: Role
  passwordHash: string
  /** Set by the caller, or new by default. */
  personId?: string
}

/** Adds a person, without an entry in the audit log. Refused as `wrong-state` when the address is in use. */
export async function addPerson({ tx, at, seal }: PeopleDeps, given: NewPerson): Promise<PersonKey> {
  const { role, passwordHash, personId = uuidv7(at.getTime()) } = given
  const tenantId = tenantKeyOf(given.tenantId)
  const identity: Identity = { email: emailOf(given.email), name: given.name.trim() }
  const identitySealed = seal.json(identity, identitySealContext(tenantId, personId))
  const digest = emailDigest(seal, identity.email)
  const row = { tenantId, personId, emailDigest: digest, identitySealed, role, passwordHash, createdAt: at }
  if (!(await insertPerson(tx, row))) throw new Refusal('wrong-state', 'somebody signs in with this address already')
  return { tenantId, personId }
}

/** Refused: `absent` · `wrong-state` for the last admin. */
export async function changeRole(ctx: PeopleDeps, by: Actor, key: PersonKey, role: Role): Promise<void> {
  if (role !== 'admin') await mustNotBeLast(ctx, key)
  const before = await present(ctx, key)
  if (before === role) return
  await writeRole(ctx.tx, key, role)
  await note(ctx, by, key, { act: 'PERSON_ROLE', detail: { before, after: role } })
}

/** They sign in no longer, and what they did stays theirs. Refused: `absent` · `wrong-state` for the last admin. */
export async function removePerson(ctx: PeopleDeps, by: Actor, key: PersonKey): Promise<void> {
  await mustNotBeLast(ctx, key)
  const role = await present(ctx, key)
  await writeRemoved(ctx.tx, key, ctx.at)
  await deleteDevices(ctx.tx, key)
  await deleteSessions(ctx.tx, key)
  // A person who is added again with the same address is a new person, and may use the same account at the provider.
  await deleteLinks(ctx.tx, key)
  await deleteOwnViews(ctx.tx, key)
  await note(ctx, by, key, { act: 'PERSON_REMOVED', detail: { role } })
}

/** Sets a new password for a person who lost theirs, and ends their sessions. Refused as `absent`. */
export async function setNewPassword(ctx: PeopleDeps, by: Actor, key: PersonKey, passwordHash: string): Promise<void> {
  await present(ctx, key)
  await writePassword({ tx: ctx.tx, staff: { writeHash } }, key, passwordHash, null)
  await note(ctx, by, key, { act: 'PASSWORD_GIVEN' })
}

/** Removes second factor and passkeys of a person who lost them, and ends their sessions. Refused as `absent`. */
export async function resetSecondFactor(ctx: PeopleDeps, by: Actor, key: PersonKey): Promise<void> {
  await present(ctx, key)
  await removeFactors(ctx.tx, key)
  await note(ctx, by, key, { act: 'SECOND_FACTOR_RESET' })
}

/** Ends one session of a person, for a lost device. Refused as `absent`. */
export async function endSessionOf(ctx: PeopleDeps, by: Actor, key: PersonKey, sessionId: string): Promise<void> {
  await present(ctx, key)
  if (!(await deleteSession(ctx.tx, key, sessionId))) throw new Refusal('absent', 'there is no such session')
  await note(ctx, by, key, { act: 'SESSION_ENDED', detail: { session: sessionId } })
}

/** Ends all sessions of a person. Refused as `absent`. */
export async function endAllSessions(ctx: PeopleDeps, by: Actor, key: PersonKey): Promise<void> {
  await present(ctx, key)
  const sessions = await deleteSessions(ctx.tx, key)
  await note(ctx, by, key, { act: 'SESSIONS_ENDED', detail: { sessions } })
}

const note = (
  ctx: PeopleDeps,
  by: Actor,
  { tenantId, personId }: PersonKey,
  what: { act: string; detail?: Record<string, string | number> },
): Promise<void> => noteStaffAct(ctx, by, { ...what, subject: personId, tenantId: tenantIn(tenantId) })

/**
 * The role of a person, locked: a sign-in that is under way ends before the change, or sees it. Refused as `absent`.
 */
async function present({ tx }: PeopleDeps, key: PersonKey): Promise<Role> {
  const role = await lockPerson(tx, key)
  if (!role) throw new Refusal('absent', 'there is no such person')
  return role
}

/** The last admin cannot be removed. Locks the admins, so that two cannot remove each other. */
async function mustNotBeLast({ tx }: PeopleDeps, { tenantId, personId }: PersonKey): Promise<void> {
  const admins = await lockAdmins(tx, tenantId)
  if (admins.length === 1 && admins[0] === personId)
    throw new Refusal('wrong-state', 'the last admin stays: make somebody else an admin first')
}

/** Unlinks a person's accounts at providers, and returns them. */
export async function unlinkAllOpenId(
  { tx, at }: Pick<PeopleDeps, 'tx' | 'at'>,
  who: Actor,
  person: PersonKey,
): Promise<OpenIdLinkRow[]> {
  const links = await listLinks(tx, person)
  await deleteLinks(tx, person)
  for (const { linkId: subject } of links)
    await noteStaffAct({ tx, at }, who, { act: 'OPENID_UNLINKED', subject, tenantId: tenantIn(person.tenantId) })
  return links
}
