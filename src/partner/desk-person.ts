// The people of the desk, as sessions and decisions know them.

import type { StaffPerson } from '#kit/staff/program.ts'

/** A person's roles; several are possible. */
export const roles = ['viewer', 'credit', 'operations', 'collections', 'accounts', 'admin'] as const
export type Role = (typeof roles)[number]

export interface DeskIdentity {
  staffId: string
  /** Others who may know its password; empty when the owner chose it by a mailed link. */
  knownTo: readonly string[]
}

export interface Staff extends DeskIdentity {
  email: string
  name: string
  roles: Role[]
}

/** A person of the staff within a session. */
export interface DeskPerson extends Staff, StaffPerson {
  /** Their own address, and those of the staff who may know the password. */
  emailsBehind: string[]
  /** From when the second factor decides; null without one. */
  decidesAt: Date | null
}
