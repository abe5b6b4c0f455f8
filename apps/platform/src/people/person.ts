// People of the console: platform or tenant staff, their roles and validation.

import { isOneOf } from '@lendloom/foundation/record'
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { emailOf, noTenant } from '@lendloom/identity/person'
import type { Seal } from '@lendloom/seal/seal'
import { platformRoles, tenantRoles } from '@lendloom/wire/console/lists'
import type { Role } from '@lendloom/wire/console/staff'
import type { ConsolePerson } from '#platform/context.ts'
import { isMailAddress } from '#platform/mail/outgoing-mail.ts'

/** The tenant id under which platform staff and their acts are stored. */
export const platformTenant = noTenant

export interface Identity {
  email: string
  name: string
}

type IdentityRow = { tenantId: string; personId: string; identitySealed: Buffer }

export const identitySealContext = (tenantId: string, personId: string): string => `person:${tenantId}:${personId}`
/** Opens the sealed name and email address of a person. */
export const identityOf = (seal: Seal, { tenantId, personId, identitySealed }: IdentityRow): Identity =>
  seal.openJson<Identity>(identitySealed, identitySealContext(tenantId, personId))

/** The actor of the command line, which needs no sign-in and has the rights of a platform admin. */
export const commandLine: ConsolePerson = {
  personId: platformTenant,
  email: '',
  name: 'Command line',
  role: 'admin',
  tenantId: null,
  sessionId: platformTenant,
}

/** The stored id of an actor; null for the command line. */
export const personIdOf = (person: Pick<ConsolePerson, 'personId'> | null): string | null =>
  person === null || person.personId === commandLine.personId ? null : person.personId

/** Digest by which an email address is searched. */
export const emailDigest = (seal: Seal, email: string): Buffer => seal.digest(emailOf(email), 'person.email')

/** Throws `invalid` at `email` for an invalid address. */
export function emailFrom(text: string): string {
  const email = emailOf(text)
  if (email.length > 254 || !isMailAddress(email))
    throw invalid({ path: 'email', message: 'must be an e-mail address' })
  return email
}

/** Matches control characters and texts that mail programs turn into links. Indian scripts need the allowed joiners. */
const forbiddenInName = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|[<>@/\\]|www\.|\p{L}{2}\.\p{L}{2}/iu

/** Throws `invalid` at `name` if it is empty or has line breaks or a link, because mails contain it. */
export function nameFrom(text: string): string {
  const name = text.trim()
  if (name === '' || forbiddenInName.test(name))
    throw invalid({ path: 'name', message: 'must be a name, without line breaks and links' })
  return name
}

/** Throws `invalid` at `role` if tenant staff, or platform staff for a null `tenantId`, cannot have the role. */
export function roleFor(tenantId: string | null, role: string): Role {
  const validRoles: readonly Role[] = tenantId === null ? platformRoles : tenantRoles
  if (!isOneOf(validRoles, role)) throw invalid({ path: 'role', message: `must be one of ${validRoles.join(', ')}` })
  return role
}

/**
 * Returns the tenant of a call. Throws `absent` if tenant staff name another tenant, `invalid` at `tenantId` if platform
 * staff name none.
 */
export function tenantOf(person: Pick<ConsolePerson, 'tenantId'>, tenantId?: string): string {
  if (person.tenantId !== null) {
    if (tenantId !== undefined && tenantId.toLowerCase() !== person.tenantId) throw absentTenant()
    return person.tenantId
  }
  if (tenantId === undefined) throw invalid({ path: 'tenantId', message: 'is required' })
  if (tenantId === platformTenant) throw absentTenant()
  return tenantId.toLowerCase()
}

/** Like `tenantOf`, but returns null for platform staff who name no tenant. */
export const tenantOrPlatform = (person: Pick<ConsolePerson, 'tenantId'>, tenantId?: string): string | null =>
  person.tenantId === null && tenantId === undefined ? null : tenantOf(person, tenantId)

const absentTenant = (): Refusal => new Refusal('absent', 'there is no such tenant')
