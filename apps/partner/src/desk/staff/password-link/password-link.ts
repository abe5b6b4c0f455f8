// Staff choose their passwords through a single-use link. It is mailed to the user; without a mail server the requester
// hands it over, and both accounts then count as one person in four-eyes decisions.

import { daysAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { writePassword } from '@lendloom/identity/own-account'
import { keyOf, newPasswordHash } from '@lendloom/identity/person'
import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, noTenantId } from '@lendloom/queue/queue'
import { randomOctets, uuidv7 } from '@lendloom/seal/id'
import { hashRandomPassword } from '@lendloom/seal/password'
import { digestOf } from '@lendloom/seal/token'
import type { Context } from '#partner/context.ts'
import { type Actor, addStaff, type NewStaff, staffOf } from '#partner/desk/staff/staff.ts'
import { noteAct } from '#partner/desk/staff/staff-acts.ts'
import { commandLineKey, possibleUsers } from '#partner/people/one-person.ts'
import { findOpenLink, type LinkKind, markLinkUsed, replaceLink } from '#partner/people/password-link-store.ts'
import { writeHash, writeKnownTo } from '#partner/people/store.ts'

/** The queue of links to mail. */
export const linkQueue = 'staff-password-link'

export interface LinkJob {
  linkId: string
}

/** How long a link works: a reset ended the old password, so its user waits for the link. */
const validDays: Record<LinkKind, number> = { INVITATION: 7, RESET: 1 }

/** How a link reaches its user. */
export type LinkChannel = 'mail' | 'hand'

/** Returns `mail` if a mail server is set up. */
export const linkChannel = ({ SMTP_URL }: Pick<Context['config'], 'SMTP_URL'>): LinkChannel =>
  SMTP_URL === 'none' ? 'hand' : 'mail'

/** Returns the address of the page on which the user chooses a password. */
export const linkAddress = (publicUrl: string, token: string): string =>
  `${publicUrl.replace(/\/$/, '')}/desk/password/${token}`

/** Returns a secret that cannot be guessed; only its digest is stored. */
export const newLinkToken = (): string => randomOctets(32).toString('base64url')

interface LinkRequest {
  staffId: string
  kind: LinkKind
  channel: LinkChannel
}

/** Replaces the previous link by a new one. Returns the token of a link that is handed over, null for a mailed one. */
async function createLink(
  tx: Tx,
  { staffId, kind, channel }: LinkRequest,
  { account, at }: Actor,
): Promise<string | null> {
  const linkId = uuidv7(at.getTime())
  const token = channel === 'hand' ? newLinkToken() : null
  const seenBy = account ? possibleUsers(account) : [commandLineKey]
  await replaceLink(tx, {
    staffId,
    linkId,
    kind,
    requestedBy: account?.staffId ?? null,
    requestedAt: at,
    expiresAt: daysAfter(at, validDays[kind]),
    ...(token === null
      ? { seenBy: [], state: 'QUEUED', digest: null }
      : { seenBy, state: 'HANDED_OVER', digest: digestOf(token) }),
  })
  const payload: LinkJob = { linkId }
  if (token === null) await enqueue(tx, { tenantId: noTenantId, kind: linkQueue, key: linkId, payload, dueAt: at })
  return token
}

/** Returns a random password, which is never shown. */
const randomPassword = (): string => randomOctets(32).toString('base64url')

/** Adds a person, who chooses a password through a link. Returns the token of a link that is handed over. */
export async function inviteStaff(
  tx: Tx,
  person: Omit<NewStaff, 'password'>,
  channel: LinkChannel,
  actor: Actor,
): Promise<string | null> {
  const staffId = await addStaff(tx, { ...person, password: randomPassword() }, actor)
  return createLink(tx, { staffId, kind: 'INVITATION', channel }, actor)
}

async function replacePassword(tx: Tx, personId: string, hash: string): Promise<void> {
  await writePassword({ tx, staff: { writeHash } }, keyOf({ tenantId: null, personId }), hash)
}

/**
 * Invalidates a person's password and ends their sessions. The person chooses a new password through a link. Returns
 * the token of a link that is handed over. Refused as `absent` for an unknown person.
 */
export async function resetPassword(tx: Tx, email: string, channel: LinkChannel, actor: Actor): Promise<string | null> {
  const { staffId, email: subject } = await staffOf(tx, email)
  const token = await createLink(tx, { staffId, kind: 'RESET', channel }, actor)
  await replacePassword(tx, staffId, await hashRandomPassword(randomPassword()))
  const { account, at } = actor
  await noteAct(tx, {
    staffId: account?.staffId ?? null,
    act: 'STAFF_PASSWORD',
    about: { subject, detail: { way: channel } },
    at,
  })
  return token
}

/**
 * Sets a password through a link. Refused as `absent` if the link was used or replaced or has expired; as `invalid` for
 * an unsuitable password.
 */
export async function choosePassword({ db }: Context, token: string, password: string, at: Date): Promise<void> {
  const digest = digestOf(token)
  // Finds invalid links before hashing: only a few hashes run at once, and such links must not delay sign-ins.
  const openLink = await findOpenLink(db, digest, at)
  if (!openLink) throw invalidLinkError()
  const hash = await newPasswordHash(password, openLink.email, 'password')
  await db.tx(async (tx) => {
    const link = await markLinkUsed(tx, digest, at)
    if (!link) throw invalidLinkError()
    const { staffId, kind, seenBy } = link
    await replacePassword(tx, staffId, hash)
    await writeKnownTo(tx, staffId, seenBy)
    await noteAct(tx, {
      staffId,
      act: 'PASSWORD_CHOSEN',
      about: { detail: { kind, seenByOthers: seenBy.length > 0 } },
      at,
    })
  })
}

const invalidLinkError = (): Refusal => new Refusal('absent', 'this link was used or replaced, or has expired')
