// `lendloom people add`, `password` and `unlink`, which need only the database: the first user, and recovery of access.

import { emailOf, newPasswordHash } from '@lendloom/identity/person'
import {
  addPerson,
  emailDigest,
  emailFrom,
  findByEmail,
  noteStaffAct,
  type PersonRow,
  resetSecondFactor,
  roleFor,
  setNewPassword,
  unlinkAllOpenId,
} from '@lendloom/platform/operations/staff'
import type { Tx } from '@lendloom/postgres/sql'
import { randomOctets } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import { roles } from '@lendloom/wire/console/lists'
import { CannotRun, type CommandCall, command, requireArgument, requireOption } from '#cli/command.ts'
import { sealOf, withDatabase } from '#cli/database.ts'
import { clockOf } from '#cli/installation.ts'
import { tenantIdOf } from '#cli/tenant.ts'

/** A generated password, which its owner changes in the console. */
const newPassword = (): string => randomOctets(15).toString('base64url')
const passwordText = (password: string, next: string): string =>
  `${password}\n\nSave it now: it cannot be shown again. ${next}`

/** Runs `work` in a transaction, with the current time and the seal. */
const inTransaction = <T>(
  env: NodeJS.ProcessEnv,
  work: (context: { tx: Tx; at: Date; seal: Seal }) => Promise<T>,
): Promise<T> => {
  const seal = sealOf(env)
  return withDatabase('platform', env, (db) => db.tx((tx) => work({ tx, at: clockOf(env)(), seal })))
}

const addOptions = {
  name: { type: 'string', value: 'name', about: 'display name' },
  role: { type: 'string', value: roles.join('|'), about: 'role' },
  tenant: { type: 'string', value: 'tenantId', about: 'tenant of the user, by its id or name (default: platform)' },
} as const
type AddCall = CommandCall<typeof addOptions>

async function newUserFrom({ args, options, env }: AddCall) {
  const { tenant } = options
  const tenantId = tenant === undefined ? null : await withDatabase('platform', env, (db) => tenantIdOf(db, tenant))
  const email = emailFrom(requireArgument(args, 'the e-mail address'))
  const name = requireOption(options.name, 'name')
  const role = roleFor(tenantId, requireOption(options.role, 'role'))
  return { email, name, role, tenantId }
}

export const add = command({
  name: 'people add',
  summary: 'add a user with a generated password, which is shown once',
  usage: '<email> --name <name> --role <role> [--tenant <tenantId>]',
  options: addOptions,
  async run(call: AddCall) {
    const newUser = await newUserFrom(call)
    const password = newPassword()
    const passwordHash = await newPasswordHash(password, newUser.email, 'password')
    const { personId } = await inTransaction(call.env, async (context) => {
      const key = await addPerson(context, { ...newUser, passwordHash })
      const { role, tenantId } = newUser
      await noteStaffAct(context, null, { act: 'PERSON_ADDED', subject: key.personId, tenantId, detail: { role } })
      return key
    })
    const text = passwordText(password, `${newUser.email} signs in with it and changes it in the console.`)
    return { text, data: { personId, ...newUser, password } }
  },
})

/** Finds a user by address. Throws `CannotRun` if there is no such user. */
async function personBy(tx: Tx, seal: Seal, email: string): Promise<PersonRow> {
  const found = await findByEmail(tx, emailDigest(seal, email))
  if (!found) throw new CannotRun(`no user has the address ${emailOf(email)}: see lendloom people list`)
  return found
}

const passwordOptions = {
  'reset-second-factor': { type: 'boolean', about: 'also remove the second factor' },
} as const

export const password = command({
  name: 'people password',
  summary:
    'set a generated password, which is shown once; ends all sessions of the user and removes passkeys and linked accounts',
  usage: '<email> [--reset-second-factor]',
  options: passwordOptions,
  async run({ args, options, env }: CommandCall<typeof passwordOptions>) {
    const email = emailOf(requireArgument(args, 'the e-mail address'))
    const generated = newPassword()
    const hash = await newPasswordHash(generated, email, 'password')
    await inTransaction(env, async (context) => {
      const person = await personBy(context.tx, context.seal, email)
      await setNewPassword(context, null, person, hash)
      if (options['reset-second-factor']) await resetSecondFactor(context, null, person)
    })
    return {
      text: passwordText(generated, 'The previous password no longer works.'),
      data: { email, password: generated },
    }
  },
})

export const unlink = command({
  name: 'people unlink',
  summary: 'unlink the OpenID accounts of a user; the next sign-in links an account again',
  usage: '<email>',
  options: {},
  async run({ args, env }: CommandCall<Record<string, never>>) {
    const email = emailOf(requireArgument(args, 'the e-mail address'))
    const unlinked = await inTransaction(env, async (context) => {
      const person = await personBy(context.tx, context.seal, email)
      return unlinkAllOpenId(context, null, person)
    })
    const text = unlinked.map(({ issuer }) => `unlinked the account at ${issuer}`).join('\n')
    return { text: text || 'No account is linked.', data: { email, unlinked } }
  },
})
