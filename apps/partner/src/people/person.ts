// Users of the desk, their roles and accounts.

import type { StaffPerson } from '@lendloom/identity/sign-in-program'

export const roles = ['viewer', 'credit', 'operations', 'collections', 'accounts', 'admin'] as const
export type Role = (typeof roles)[number]

/** The colours that a user chose in a browser, instead of those of the system. */
export type DeskTheme = 'light' | 'dark'

export interface DeskIdentity {
  staffId: string
  /** Staff ids of others who may know this person's password. Empty if the person set it through a mailed link. */
  knownTo: readonly string[]
}

export interface Staff extends DeskIdentity {
  email: string
  name: string
  roles: Role[]
}

/** A signed-in staff member. */
export interface DeskPerson extends Staff, StaffPerson {
  /** The email addresses of this person, and of other staff who may know the password. */
  possibleUserEmails: string[]
  /** The time from which the second factor may confirm decisions; null without one. */
  decidesAt: Date | null
}
