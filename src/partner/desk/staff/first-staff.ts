// The people of the settings, created at the first start.

import { isPassword } from '#kit/crypto/password.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { lockChain } from '#kit/staff/audit/store.ts'
import { emailOf, noTenant } from '#kit/staff/person.ts'
import type { Context } from '#partner/context.ts'
import { findStaff, holdProven, isKnownStaff } from '#partner/desk/store.ts'
import { commandLineKey } from './one-person.ts'
import { writeKnownTo } from './password-link/store.ts'
import { addStaff, type NewStaff } from './staff.ts'

/**
 * Starts the audit log, and creates the people of the settings once: an admin, and a person who approves the admin's
 * requests and confirms changes. Later changes stay; a person who still has the password of the settings also counts as
 * an operator.
 */
export async function firstStaff({ db, config }: Context, at: Date): Promise<void> {
  await db.tx((tx) => lockChain(tx, noTenant))
  // An operator knows their passwords: outside the sandbox they take no part in decisions of two before a reset by mail.
  const knownTo = config.SANDBOX ? [] : [commandLineKey]
  const make = (person: Omit<NewStaff, 'name'>) => makeKnown(db, person, knownTo, at)
  const { PARTNER_DESK_EMAIL: first, PARTNER_DESK_CHECKER_EMAIL: second } = config
  await make({ email: first, password: config.PARTNER_DESK_PASSWORD, roles: ['admin'] })
  const roles = ['credit', 'operations', 'collections', 'accounts', 'admin'] as const
  await make({ email: second, password: config.PARTNER_DESK_CHECKER_PASSWORD, roles })
}

async function makeKnown(
  db: Context['db'],
  person: Omit<NewStaff, 'name'>,
  knownTo: readonly string[],
  at: Date,
): Promise<void> {
  const { email } = person
  if (email === '') return
  if (await isKnownStaff(db, emailOf(email))) return noteKnown(db, person, knownTo)
  const [name = email] = email.split('@')
  try {
    await db.tx(async (tx) => writeKnownTo(tx, await addStaff(tx, { ...person, name }, at), knownTo))
  } catch (error) {
    // Another process of the same program was first.
    if (!(error instanceof Refusal && error.kind === 'wrong-state')) throw error
  }
}

/** They were created in a sandbox, or have chosen the settings' password themselves. */
async function noteKnown(
  db: Context['db'],
  { email, password }: Omit<NewStaff, 'name'>,
  knownTo: readonly string[],
): Promise<void> {
  const found = await findStaff(db, emailOf(email))
  const isNoted = knownTo.every((each) => found?.knownTo.includes(each))
  if (!found || isNoted || !(await isPassword(password, found.passwordHash))) return
  await db.tx(async (tx) => {
    if (await holdProven(tx, { ...found, personId: found.staffId }))
      await writeKnownTo(tx, found.staffId, [...found.knownTo, ...knownTo])
  })
}
