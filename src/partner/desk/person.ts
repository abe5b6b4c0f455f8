// The people of the desk, as sessions and decisions know them.

import type { StaffPerson } from '#kit/staff/program.ts'
import type { Account } from './one-person.ts'
import type { Role } from './roles.ts'

export interface Staff extends Account {
  email: string
  name: string
  roles: Role[]
}

/** A person of the staff within a session. */
export interface DeskPerson extends Staff, StaffPerson {
  /** Their own address, and those of the staff who may know the password. */
  emailsBehind: string[]
}
