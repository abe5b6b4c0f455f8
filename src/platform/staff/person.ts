// People of the console, of the platform or of one tenant, their roles, and the rules for both.

import { platformRoles, tenantRoles } from '#contract/console/lists.ts'
import type { Role } from '#contract/console/staff.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { isOneOf } from '#kit/runtime/record.ts'
import { emailOf, noTenant } from '#kit/staff/person.ts'
import type { ConsolePerson } from '#platform/context.ts'
import { isMailAddress } from '#platform/mail/mail.ts'

/** The platform's own people, and what they do for the platform itself, are kept under this tenant. */
export const platformTenant = noTenant

export interface Identity {
  email: string
  name: string
}

type IdentityRow = { tenantId: string; personId: string; identitySealed: Buffer }

export const identitySealContext = (tenantId: string, personId: string): string => `person:${tenantId}:${personId}`
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

/** Under which an e-mail address is looked up. */
export const emailDigest = (seal: Seal, email: string): Buffer => seal.digest(emailOf(email), 'person.email')

/** Refused as `invalid` at `email` when it is not an address. */
export function emailFrom(text: string): string {
  const email = emailOf(text)
  if (email.length > 254 || !isMailAddress(email))
    throw invalid({ path: 'email', message: 'must be an e-mail address' })
  return email
}

/**
 * A name may have joiners of Indian scripts, but nothing that begins a line or that a mail program turns into a link.
 */
const noName = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|[<>@/\\]|www\.|\p{L}{2}\.\p{L}{2}/iu

/**
 * Refused as `invalid` at `name` where it is empty, or has line breaks or a link: it is written into mail to others.
 */
export function nameFrom(text: string): string {
  const name = text.trim()
  if (name === '' || noName.test(name))
    throw invalid({ path: 'name', message: 'must be a name, without line breaks and links' })
  return name
}

/** Refused as `invalid` at `role` where people of the platform, or of a tenant, have no such role. */
export function roleFor(tenantId: string | null, role: string): Role {
  const possible: readonly Role[] = tenantId === null ? platformRoles : tenantRoles
  if (!isOneOf(possible, role)) throw invalid({ path: 'role', message: `must be one of ${possible.join(', ')}` })
  return role
}

/**
 * The tenant that a call is about. People of a tenant have their own, and any other is refused as `absent`; people of
 * the
 * platform must name one, and are refused as `invalid` at `tenantId` otherwise.
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

/** As `tenantOf`, but for people of the platform without a tenant: null. */
export const tenantOrPlatform = (person: Pick<ConsolePerson, 'tenantId'>, tenantId?: string): string | null =>
  person.tenantId === null && tenantId === undefined ? null : tenantOf(person, tenantId)

const absentTenant = (): Refusal => new Refusal('absent', 'there is no such tenant')
