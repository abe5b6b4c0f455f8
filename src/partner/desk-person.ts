// Desk users in sessions and decisions.

import type { StaffPerson } from '#kit/staff/program.ts'

/** Roles; a person may have several. */
export const roles = ['viewer', 'credit', 'operations', 'collections', 'accounts', 'admin'] as const
export type Role = (typeof roles)[number]

export interface DeskIdentity {
  staffId: string
  /** Staff ids of others who may know the password; empty when the owner chose it by a mailed link. */
  knownTo: readonly string[]
}

export interface Staff extends DeskIdentity {
  email: string
  name: string
  roles: Role[]
}

/** A staff member within a session. */
export interface DeskPerson extends Staff, StaffPerson {
  /** Their own mail address, and those of staff who may know the password. */
  emailsBehind: string[]
  /** When the second factor becomes able to decide; null without one. */
  decidesAt: Date | null
}
