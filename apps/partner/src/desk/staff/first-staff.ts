// Creates the users of the settings at the first start.

import { Refusal } from '@lendloom/foundation/refusal'
import { lockChain } from '@lendloom/identity/audit/store'
import { emailOf, noTenant } from '@lendloom/identity/person'
import { isPassword } from '@lendloom/seal/password'
import type { Context } from '#partner/context.ts'
import { commandLineKey } from '#partner/people/one-person.ts'
import { findStaff, isKnownStaff, lockIfPasswordUnchanged, writeKnownTo } from '#partner/people/store.ts'
import { addStaff, type NewStaff } from './staff.ts'

/**
 * Starts the audit log, and creates two users from the settings: an admin, and a second user who can approve. Existing
 * users are not changed. Outside the sandbox, an existing user with the password of the settings counts as an operator.
 */
export async function createFirstStaff({ db, config }: Context, at: Date): Promise<void> {
  await db.tx((tx) => lockChain(tx, noTenant))
  // An operator knows these passwords, so outside the sandbox these users cannot take part in four-eyes decisions until
  // their passwords are reset by mail.
  const knownTo = config.SANDBOX ? [] : [commandLineKey]
  const ensureStaff = (person: NewStaff) => createOrMark(db, person, knownTo, at)
  const { PARTNER_DESK_EMAIL: adminEmail, PARTNER_DESK_CHECKER_EMAIL: checkerEmail } = config
  await ensureStaff({
    email: adminEmail,
    name: config.PARTNER_DESK_NAME || nameIn(adminEmail),
    password: config.PARTNER_DESK_PASSWORD,
    roles: ['admin'],
  })
  const roles = ['credit', 'operations', 'collections', 'accounts', 'admin'] as const
  await ensureStaff({
    email: checkerEmail,
    name: config.PARTNER_DESK_CHECKER_NAME || nameIn(checkerEmail),
    password: config.PARTNER_DESK_CHECKER_PASSWORD,
    roles,
  })
}

const nameIn = (email: string): string => email.split('@')[0] || email

async function createOrMark(db: Context['db'], person: NewStaff, knownTo: readonly string[], at: Date): Promise<void> {
  const { email } = person
  if (email === '') return
  if (await isKnownStaff(db, emailOf(email))) return markPasswordKnown(db, person, knownTo)
  try {
    await db.tx(async (tx) => writeKnownTo(tx, await addStaff(tx, person, at), knownTo))
  } catch (error) {
    // Another process of the same program created the user first.
    if (!(error instanceof Refusal && error.kind === 'wrong-state')) throw error
  }
}

/** Records that an operator knows the password of an existing user, if it is the password of the settings. */
async function markPasswordKnown(
  db: Context['db'],
  { email, password }: Omit<NewStaff, 'name'>,
  knownTo: readonly string[],
): Promise<void> {
  const staff = await findStaff(db, emailOf(email))
  const isMarked = knownTo.every((each) => staff?.knownTo.includes(each))
  if (!staff || isMarked || !(await isPassword(password, staff.passwordHash))) return
  await db.tx(async (tx) => {
    if (await lockIfPasswordUnchanged(tx, { ...staff, personId: staff.staffId }))
      await writeKnownTo(tx, staff.staffId, [...staff.knownTo, ...knownTo])
  })
}
