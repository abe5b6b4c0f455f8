// Rules for staff of every program: keys, e-mail addresses and passwords.

import { invalid } from '@lendloom/foundation/refusal'
import { hashPassword } from '@lendloom/seal/password'
import { minPasswordLength } from './sign-in-failures.ts'
import type { PersonKey, StaffPerson } from './sign-in-program.ts'

/** The tenant key of the program's own people, and of rows without a tenant. */
export const noTenant = '00000000-0000-0000-0000-000000000000'

/** The tenant key of a person's rows. */
export const tenantKeyOf = (tenantId: string | null): string => tenantId?.toLowerCase() ?? noTenant

/** The inverse of `tenantKeyOf`; null for the program's own people. */
export const tenantIn = (tenantKey: string): string | null => (tenantKey === noTenant ? null : tenantKey)

export const keyOf = ({ tenantId, personId }: Pick<StaffPerson, 'tenantId' | 'personId'>): PersonKey => ({
  tenantId: tenantKeyOf(tenantId),
  personId,
})

/** E-mail addresses are compared in lower case. */
export const emailOf = (text: string): string => text.trim().toLowerCase()

/** Returns the hash to store. Throws `invalid` at `field` when the password is too short or is the e-mail address. */
export async function newPasswordHash(password: string, email: string, field: string): Promise<string> {
  if ([...password].length < minPasswordLength)
    throw invalid({ path: field, message: `must have at least ${minPasswordLength} characters` })
  if (emailOf(password) === emailOf(email)) throw invalid({ path: field, message: 'must not be the e-mail address' })
  return hashPassword(password)
}
