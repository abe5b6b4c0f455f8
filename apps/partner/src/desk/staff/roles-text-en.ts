// English texts about the roles of the desk: what each lets a person do, beside reading.

import type { Role } from '#partner/people/person.ts'

export const roleTexts: Record<Role, string> = {
  viewer: 'reads, and changes nothing',
  credit: 'decides on applications and offers',
  operations: 'pays out and checks accounts',
  collections: 'follows up arrears',
  accounts: 'posts receipts and closes the books',
  admin: 'does everything, also people and policy',
}

/** What these roles let a person do. An admin needs no other role. */
export function rolesText(roles: readonly Role[]): string {
  if (roles.includes('admin')) return roleTexts.admin
  const texts = roles.filter((role) => role !== 'viewer' || roles.length === 1).map((role) => roleTexts[role])
  return texts.join(', ')
}
