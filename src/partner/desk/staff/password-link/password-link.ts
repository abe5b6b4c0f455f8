// How staff get their passwords: by a single-use link to their own address. Without a mail server the requester hands
// it over, and then both accounts count as one person wherever two must decide.

import { randomOctets, uuidv7 } from '#kit/crypto/id.ts'
import { hashRandomPassword } from '#kit/crypto/password.ts'
import { digestOf } from '#kit/crypto/token.ts'
import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { enqueue, noTenantId } from '#kit/messaging/queue.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import { deleteLinks } from '#kit/staff/open-id/store.ts'
import { writePassword } from '#kit/staff/own-account.ts'
import { keyOf, newPasswordHash } from '#kit/staff/person.ts'
import { removeFactors } from '#kit/staff/second-factor.ts'
import type { Context } from '#partner/context.ts'
import { commandLineKey, peopleBehind } from '#partner/desk/staff/one-person.ts'
import { type Actor, addStaff, type NewStaff, staffOf } from '#partner/desk/staff/staff.ts'
import { noteAct } from '#partner/desk/staff/staff-act.ts'
import { writeHash } from '#partner/desk/store.ts'
import { findOpenLink, type LinkKind, putLink, takeLink, writeKnownTo } from './store.ts'

export const linkQueue = 'staff-password-link'

export interface LinkJob {
  linkId: string
}

const daysOpen: Record<LinkKind, number> = { INVITATION: 7, RESET: 1 }

/** How a link reaches its person. */
export type LinkChannel = 'mail' | 'hand'

/** By mail wherever there is a mail server. */
export const wayAtDesk = ({ SMTP_URL }: Pick<Context['config'], 'SMTP_URL'>): LinkChannel =>
  SMTP_URL === 'none' ? 'hand' : 'mail'

/** The address at which a person chooses a password. */
export const linkAddress = (publicUrl: string, token: string): string =>
  `${publicUrl.replace(/\/$/, '')}/desk/password/${token}`

export const newLinkToken = (): string => randomOctets(32).toString('base64url')

interface LinkOrder {
  staffId: string
  kind: LinkKind
  way: LinkChannel
}

/** Creates the link and replaces the previous one; returns its token if it is handed over. */
async function orderLink(tx: Tx, { staffId, kind, way }: LinkOrder, { account, at }: Actor): Promise<string | null> {
  const linkId = uuidv7(at.getTime())
  const token = way === 'hand' ? newLinkToken() : null
  const seenBy = account ? peopleBehind(account) : [commandLineKey]
  await putLink(tx, {
    ...{
      staffId,
      linkId,
      kind,
      requestedBy: account?.staffId ?? null,
      requestedAt: at,
      expiresAt: daysAfter(at, daysOpen[kind]),
    },
    ...(token === null
      ? { seenBy: [], state: 'QUEUED', digest: null }
      : { seenBy, state: 'HANDED_OVER', digest: digestOf(token) }),
  })
  const payload: LinkJob = { linkId }
  if (token === null) await enqueue(tx, { tenantId: noTenantId, kind: linkQueue, key: linkId, payload, dueAt: at })
  return token
}

/** A random password, shown to no person. */
const unknownPassword = (): string => randomOctets(32).toString('base64url')

/** Adds a person, who chooses a password by a link; returns its token if it is handed over. Refused as `addStaff`. */
export async function inviteStaff(
  tx: Tx,
  person: Omit<NewStaff, 'password'>,
  way: LinkChannel,
  actor: Actor,
): Promise<string | null> {
  const staffId = await addStaff(tx, { ...person, password: unknownPassword() }, actor)
  return orderLink(tx, { staffId, kind: 'INVITATION', way }, actor)
}

const replacePassword = (tx: Tx, personId: string, hash: string): Promise<void> =>
  writePassword({ tx, staff: { writeHash } }, keyOf({ tenantId: null, personId }), hash, null)

/**
 * Ends a person's password and sessions; they choose a new password by a link. Returns its token if it is handed over.
 * Refused as `absent`.
 */
export async function resetPassword(tx: Tx, email: string, way: LinkChannel, actor: Actor): Promise<string | null> {
  const { staffId, email: subject } = await staffOf(tx, email)
  const token = await orderLink(tx, { staffId, kind: 'RESET', way }, actor)
  await replacePassword(tx, staffId, await hashRandomPassword(unknownPassword()))
  const { account, at } = actor
  await noteAct(tx, {
    staffId: account?.staffId ?? null,
    act: 'STAFF_PASSWORD',
    about: { subject, detail: { way } },
    at,
  })
  return token
}

/**
 * Removes a person's second factor and ends their sessions. The remover could sign in with the password alone if they
 * know it: both accounts count as one person until a password is chosen by a mailed link. Refused as `absent`.
 */
export async function resetSecondFactor(tx: Tx, email: string, { account, at }: Actor): Promise<void> {
  const { staffId, email: subject, knownTo } = await staffOf(tx, email)
  if (account?.staffId === staffId) throw new Refusal('forbidden', 'another admin must reset your second factor')
  const behind = account ? peopleBehind(account) : [commandLineKey]
  // Locks the person, so that a concurrent sign-in is either seen or sees this.
  await writeKnownTo(tx, staffId, [...new Set([...knownTo, ...behind])])
  const key = keyOf({ tenantId: null, personId: staffId })
  await removeFactors(tx, key)
  // Another person may have linked their OpenID account: the next sign-in there creates a new link.
  await deleteLinks(tx, key)
  await noteAct(tx, { staffId: account?.staffId ?? null, act: 'SECOND_FACTOR_RESET', about: { subject }, at })
}

/** Uses a link. Refused: `absent` when it was used, replaced or has run out · `invalid` at `password`. */
export async function choosePassword({ db }: Context, token: string, password: string, at: Date): Promise<void> {
  const digest = digestOf(token)
  // Hashing is slow, and few passwords are hashed at once: a link that is none must not keep out who signs in.
  const open = await findOpenLink(db, digest, at)
  if (!open) throw closedLink()
  const hash = await newPasswordHash(password, open.email, 'password')
  await db.tx(async (tx) => {
    const link = await takeLink(tx, digest, at)
    if (!link) throw closedLink()
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

const closedLink = (): Refusal => new Refusal('absent', 'this link was used or replaced, or has expired')
