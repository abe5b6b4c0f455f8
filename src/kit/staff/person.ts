// Rules for the people of every program: under which key they are kept, their addresses and passwords.

import { hashPassword } from '#kit/crypto/password.ts'
import { invalid } from '#kit/http/refusal.ts'
import { leastPasswordLength } from './lists.ts'
import type { PersonKey, StaffPerson } from './program.ts'

/** The tenant of the program's own people, and of what belongs to no tenant. */
export const noTenant = '00000000-0000-0000-0000-000000000000'

/** The tenant that rows are kept under. */
export const keptUnder = (tenantId: string | null): string => tenantId?.toLowerCase() ?? noTenant

/** The inverse of `keptUnder`; null for the program's own people. */
export const tenantIn = (kept: string): string | null => (kept === noTenant ? null : kept)

/** The key of a person's rows. */
export const keyOf = ({ tenantId, personId }: Pick<StaffPerson, 'tenantId' | 'personId'>): PersonKey => ({
  tenantId: keptUnder(tenantId),
  personId,
})

/** E-mail addresses are compared in lower case. */
export const emailOf = (text: string): string => text.trim().toLowerCase()

/** The hash to keep. Refused as `invalid` at `field` when the password is too short, or the person's own address. */
export async function newPasswordHash(password: string, email: string, field: string): Promise<string> {
  if ([...password].length < leastPasswordLength)
    throw invalid({ path: field, message: `must have at least ${leastPasswordLength} characters` })
  if (emailOf(password) === emailOf(email)) throw invalid({ path: field, message: 'must not be the e-mail address' })
  return hashPassword(password)
}
