// Invitations to the console: a single-use link for its recipient, valid for seven days.

import { daysAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import { mintToken, readToken } from '@lendloom/identity/cookie-token'
import { newPasswordHash, tenantIn, tenantKeyOf } from '@lendloom/identity/person'
import { type BrowserClient, beginSession } from '@lendloom/identity/session'
import type { SignInResult } from '@lendloom/identity/sign-in'
import type { Run } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import { sameDigest } from '@lendloom/seal/token'
import type { Role } from '@lendloom/wire/console/staff'
import type { ConsolePerson, Context, TxContext } from '#platform/context.ts'
import { queueMail } from '#platform/mail/queue-mail.ts'
import { type Actor, noteStaffAct } from './audit.ts'
import {
  endInvitation,
  findInvitation,
  findInvitations,
  type InvitationRow,
  insertInvitation,
} from './invitation/store.ts'
import { addPerson } from './manage-people.ts'
import { emailDigest, emailFrom, type Identity, nameFrom } from './person.ts'
import { findByEmail } from './store.ts'
import { type InvitationMailContent, invitationMail } from './text-en.ts'

const invitationDays = 7

export interface InvitationInput extends Identity {
  role: Role
  tenantId: string | null
}

export interface OpenInvitation extends InvitationInput {
  invitationId: string
  createdAt: Date
  expiresAt: Date
}

/** The token is in the fragment, which browsers do not send to servers. */
const linkFor = (publicUrl: string, token: string): string =>
  `${publicUrl.replace(/\/$/, '')}/console/invitation#${token}`

const sealContext = (tenantId: string, invitationId: string): string => `person_invitation:${tenantId}:${invitationId}`

/** Creates an invitation and replaces an open one to the same address. Throws `wrong-state` when the person exists. */
export async function invitePerson(
  ctx: Pick<TxContext, 'tx' | 'at' | 'seal'>,
  inviter: Actor,
  request: InvitationInput,
  publicUrl: string,
): Promise<{ invitation: OpenInvitation; link: string }> {
  const { tx, at, seal } = ctx
  const tenantId = tenantKeyOf(request.tenantId)
  const identity: Identity = { email: emailFrom(request.email), name: nameFrom(request.name) }
  const digestOfEmail = emailDigest(seal, identity.email)
  // A person of another tenant is not revealed here; accepting the invitation fails instead.
  if ((await findByEmail(tx, digestOfEmail))?.tenantId === tenantId)
    throw new Refusal('wrong-state', 'the email address is already in use')
  const { token, id: invitationId, digest } = mintToken(tenantId, uuidv7(at.getTime()))
  const { role } = request
  const expiresAt = daysAfter(at, invitationDays)
  const identitySealed = seal.json(identity, sealContext(tenantId, invitationId))
  await insertInvitation(tx, {
    tenantId,
    invitationId,
    digest,
    emailDigest: digestOfEmail,
    identitySealed,
    role,
    invitedBy: inviter?.personId ?? null,
    createdAt: at,
    expiresAt,
  })
  await noteStaffAct(ctx, inviter, {
    act: 'PERSON_INVITED',
    subject: invitationId,
    tenantId: request.tenantId,
    detail: { role },
  })
  const invitation = { ...identity, role, tenantId: request.tenantId, invitationId, createdAt: at, expiresAt }
  return { invitation, link: linkFor(publicUrl, token) }
}

/**
 * Queues a mail with the link in the caller's transaction. Returns false if no mail server is configured; the inviter
 * must then send the link.
 */
export async function mailInvitation(
  ctx: Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>,
  { email, name, role, tenantId, invitationId }: OpenInvitation,
  content: Pick<InvitationMailContent, 'inviterName' | 'tenantName' | 'link'>,
): Promise<boolean> {
  if (ctx.config.SMTP_URL === 'none') return false
  await queueMail(ctx, {
    tenantId: tenantKeyOf(tenantId),
    kind: 'invitation',
    subjectId: invitationId,
    to: email,
    ...invitationMail({ ...content, name, role, days: invitationDays }),
    replyTag: null,
    inReplyTo: null,
    attachments: [],
  })
  return true
}

export function unsealInvitation(seal: Seal, row: InvitationRow): OpenInvitation {
  const { tenantId, invitationId, role, createdAt, expiresAt } = row
  const identity = seal.openJson<Identity>(row.identitySealed, sealContext(tenantId, invitationId))
  return { ...identity, invitationId, role, tenantId: tenantIn(tenantId), createdAt, expiresAt }
}

/** The names of invited people, keyed by the id of the invitation. */
export async function invitedNames(
  { db, seal }: Pick<Context, 'db' | 'seal'>,
  tenantId: string,
  invitationIds: string[],
): Promise<Map<string, string>> {
  const rows = await findInvitations(db, tenantId, invitationIds)
  return new Map(
    rows.map(({ invitationId, identitySealed }) => [
      invitationId,
      seal.openJson<Identity>(identitySealed, sealContext(tenantId, invitationId)).name,
    ]),
  )
}

/** Withdraws an invitation. Throws `absent` when it is not open. */
export async function withdrawInvitation(
  ctx: Pick<TxContext, 'tx' | 'at'>,
  actor: Actor,
  key: { tenantId: string; invitationId: string },
): Promise<void> {
  if (!(await endInvitation(ctx.tx, key, 'withdrawn', ctx.at)))
    throw new Refusal('absent', 'there is no such invitation')
  await noteStaffAct(ctx, actor, {
    act: 'INVITATION_WITHDRAWN',
    subject: key.invitationId,
    tenantId: tenantIn(key.tenantId),
  })
}

export interface Acceptance extends BrowserClient {
  token: string
  name: string
  password: string
}

/**
 * Creates the invited person and signs them in. Throws `absent` when the invitation was used, withdrawn or has expired,
 * or when its address is in use. Throws `invalid` at `name` or `password`.
 */
export async function acceptInvitation(
  ctx: Context,
  acceptance: Acceptance,
  at: Date,
): Promise<SignInResult<ConsolePerson>> {
  const { db, seal } = ctx
  const row = await invitationOf(db, acceptance.token, at)
  const { email, role, tenantId, invitationId } = unsealInvitation(seal, row)
  const name = nameFrom(acceptance.name)
  const passwordHash = await newPasswordHash(acceptance.password, email, 'password')
  return db.tx(async (tx) => {
    const write = { ...ctx, tx, at }
    if (!(await endInvitation(tx, row, 'accepted', at))) throw invalidInvitation()
    // An address in use gives the same error as an invalid link, so that a link does not reveal which addresses exist.
    const key = await addPerson(write, { email, name, role, tenantId, passwordHash }).catch((error) => {
      throw error instanceof Refusal && error.kind === 'wrong-state' ? invalidInvitation() : error
    })
    const { cookies, sessionId } = await beginSession(write, key, acceptance, { proof: 'PASSWORD' })
    const person: ConsolePerson = { email, name, role, tenantId, personId: key.personId, sessionId }
    await noteStaffAct(write, person, { act: 'INVITATION_ACCEPTED', subject: invitationId })
    return { person, cookies }
  })
}

export async function invitationOf(db: Run, token: string, at: Date): Promise<InvitationRow> {
  const parsed = readToken(token)
  const row = parsed && (await findInvitation(db, parsed.tenantId, parsed.id, at))
  if (!row || !sameDigest(row.digest, parsed.digest)) throw invalidInvitation()
  return row
}

const invalidInvitation = (): Refusal =>
  new Refusal('absent', 'the invitation was used, withdrawn or has expired, or its address is already in use')
