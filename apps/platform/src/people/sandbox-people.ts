// Sandbox people: one per role, created once, with passwords that are stable per installation.

import { ownValue } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { tenantKeyOf } from '@lendloom/identity/person'
import { hashRandomPassword } from '@lendloom/seal/password'
import { platformRoles, tenantRoles } from '@lendloom/wire/console/lists'
import type { Role } from '@lendloom/wire/console/staff'
import type { Context } from '#platform/context.ts'
import { noteStaffAct } from './audit.ts'
import { addPerson } from './manage-people.ts'
import { findExistingPeople } from './store.ts'
import { sandboxNames } from './text-en.ts'

/** An entry of `sandbox.json`. */
export interface SandboxPerson {
  email: string
  password: string
  role: Role
  tenantId: string | null
}

/** Creates the missing people. Removed people are not restored, and changed passwords are not reset. */
export async function sandboxPeople(ctx: Context, tenantId: string, at: Date): Promise<SandboxPerson[]> {
  const sandboxAccounts = [
    ...platformRoles.map((role, i) => ({
      role,
      tenantId: null,
      personId: idOf(1 + i),
      email: `${role}@lendloom.example`,
    })),
    ...tenantRoles.map((role, i) => ({ role, tenantId, personId: idOf(11 + i), email: `${role}@sandbox-pay.example` })),
  ]
  const existing = await findExistingPeople(
    ctx.db,
    sandboxAccounts.map((person) => ({ tenantId: tenantKeyOf(person.tenantId), personId: person.personId })),
  )
  return Promise.all(
    sandboxAccounts.map(async ({ personId, ...person }) => {
      const password = passwordOf(ctx, person.email)
      if (!existing.some((each) => each.personId === personId))
        await createPerson(ctx, { ...person, password, personId }, at)
      return { email: person.email, password, role: person.role, tenantId: person.tenantId }
    }),
  )
}

async function createPerson(ctx: Context, person: SandboxPerson & { personId: string }, at: Date): Promise<void> {
  const { password, personId, role, tenantId } = person
  const passwordHash = await hashRandomPassword(password)
  const name = ownValue(sandboxNames, `${tenantId === null ? 'platform' : 'tenant'}:${role}`) ?? role
  try {
    await ctx.db.tx(async (tx) => {
      const write = { ...ctx, tx, at }
      await addPerson(write, { ...person, name, passwordHash })
      await noteStaffAct(write, null, { act: 'PERSON_ADDED', subject: personId, tenantId, detail: { role } })
    })
  } catch (error) {
    // Another process has created the person.
    if (!(error instanceof Refusal && error.kind === 'wrong-state')) throw error
  }
}

/** Fixed ids: platform staff from 1, tenant staff from 11. */
const idOf = (number: number): string => `01930000-0000-7000-8000-0000000001${String(number).padStart(2, '0')}`

/** Derives the password from the installation's key, so that it is stable across starts and cannot be guessed. */
const passwordOf = ({ seal }: Context, email: string): string =>
  seal.digest(email, 'sandbox console password').toString('base64url').slice(0, 20)
