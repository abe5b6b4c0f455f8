// `lendloom people …`: who may sign in to the console, of the platform and of tenants.

import { roles } from '#contract/console/staff-lists.ts'
import { isUuid } from '#kit/crypto/id.ts'
import { randomOctets } from '#kit/crypto/random.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import type { Tx } from '#kit/db/sql.ts'
import { systemClock } from '#kit/runtime/clock.ts'
import { emailOf, newPasswordHash, tenantIn } from '#kit/staff/person.ts'
import { listSessions } from '#kit/staff/session/store.ts'
import { clientPlace, type KnownClient, unusedSince } from '#kit/staff/session.ts'
import { noteStaffAct } from '#platform/staff/audit.ts'
import { invite as inviteTo } from '#platform/staff/invitation.ts'
import {
  addPerson,
  changeRole,
  endAllSessions,
  endSessionOf,
  givePassword,
  removePerson,
  resetSecondFactor,
  unlinkAllOpenId,
} from '#platform/staff/people.ts'
import { emailDigest, emailFrom, identityOf, roleFor } from '#platform/staff/person.ts'
import { findByEmail, listEverybody, type PersonRow } from '#platform/staff/store.ts'
import { type Call, CannotRun, command, type Group, only, required, table, UsageError } from './command.ts'
import { sealOf, withDatabase } from './database.ts'
import { dataDirectory, runOf } from './installation.ts'
import { failures, invitations, withdraw } from './people/invitations.ts'
import { mustExist } from './tenant.ts'

/** Long enough that nobody guesses it: its owner changes it in the console. */
const newPassword = (): string => randomOctets(15).toString('base64url')
const once = (password: string, next: string): string => `${password}\n\nKeep it now: it cannot be shown again. ${next}`

const tenantOption = {
  type: 'string',
  value: 'tenantId',
  about: 'whose people; the platform’s own without it',
} as const
const roleOption = { type: 'string', value: roles.join('|'), about: 'what they may do' } as const

/** One write at the command line: a transaction at this instant, and what seals. */
const write = <T>(
  env: NodeJS.ProcessEnv,
  work: (means: { tx: Tx; at: Date; seal: Seal }) => Promise<T>,
): Promise<T> => {
  const seal = sealOf(env)
  return withDatabase('platform', env, (db) => db.tx((tx) => work({ tx, at: systemClock(), seal })))
}

const listOptions = { tenant: { ...tenantOption, about: 'only people of this tenant' } } as const

const list = command({
  name: 'people list',
  summary: 'show who may sign in to the console, and in which role',
  usage: '[--tenant <tenantId>]',
  options: listOptions,
  async run({ options, env }: Call<typeof listOptions>) {
    const seal = sealOf(env)
    const rows = await withDatabase('platform', env, (db) => listEverybody(db, options.tenant ?? null))
    const people = rows.map((row) => {
      const { personId, role, hasTotp: twoFactor, createdAt, lastUsedAt } = row
      return {
        personId,
        ...identityOf(seal, row),
        role,
        tenantId: tenantIn(row.tenantId),
        twoFactor,
        createdAt,
        lastUsedAt,
      }
    })
    const cells = people.map(({ email, name, role, tenantId, twoFactor, lastUsedAt }) => {
      return [email, name, role, tenantId ?? 'platform', twoFactor ? 'on' : 'off', lastUsedAt?.toISOString() ?? 'never']
    })
    const head = ['E-MAIL', 'NAME', 'ROLE', 'OF', 'SECOND FACTOR', 'LAST SIGN-IN']
    const none = 'Nobody yet: lendloom people add <email> --name <name> --role admin'
    return { text: cells.length > 0 ? table(head, cells) : none, data: { people } }
  },
})

const addOptions = {
  name: { type: 'string', value: 'name', about: 'what the console calls them' },
  role: roleOption,
  tenant: tenantOption,
} as const
type AddCall = Call<typeof addOptions>

async function orderFrom({ args, options, env }: AddCall) {
  const tenantId = options.tenant?.toLowerCase() ?? null
  if (tenantId !== null && !isUuid(tenantId)) throw new UsageError(`"${tenantId}" is not an id`)
  const email = emailFrom(only(args, 'the e-mail address'))
  const name = required(options.name, 'name')
  const role = roleFor(tenantId, required(options.role, 'role'))
  if (tenantId !== null) await withDatabase('platform', env, (db) => mustExist(db, tenantId))
  return { email, name, role, tenantId }
}

const add = command({
  name: 'people add',
  summary: 'let somebody sign in; their password is made here and shown once',
  usage: '<email> --name <name> --role <role> [--tenant <tenantId>]',
  options: addOptions,
  async run(call: AddCall) {
    const order = await orderFrom(call)
    const password = newPassword()
    const passwordHash = await newPasswordHash(password, order.email, 'password')
    const { personId } = await write(call.env, async (means) => {
      const key = await addPerson(means, { ...order, passwordHash })
      const { role, tenantId } = order
      await noteStaffAct(means, null, { act: 'PERSON_ADDED', subject: key.personId, tenantId, detail: { role } })
      return key
    })
    const text = once(password, `${order.email} signs in with it and changes it in the console.`)
    return { text, data: { personId, ...order, password } }
  },
})

const invite = command({
  name: 'people invite',
  summary: 'make a link with which somebody chooses a password and is in; it works once, for seven days',
  usage: '<email> --name <name> --role <role> [--tenant <tenantId>]',
  options: addOptions,
  async run(call: AddCall) {
    const { env } = call
    const order = await orderFrom(call)
    const publicUrl = env.PUBLIC_URL || runOf(dataDirectory(env))?.platform.url
    if (!publicUrl) throw new CannotRun('where the console is reached is not known: set PUBLIC_URL')
    const { invitation, link } = await write(env, (means) => inviteTo(means, null, order, publicUrl))
    const { invitationId, expiresAt } = invitation
    const text = `${link}\n\nPass it on to ${order.email}: it cannot be shown again, and works until ${expiresAt.toISOString()}.`
    return { text, data: { invitationId, ...order, expiresAt, link } }
  },
})

/** Whoever signs in with that address. Throws `CannotRun` when nobody does. */
async function personBy(tx: Tx, seal: Seal, email: string): Promise<PersonRow> {
  const found = await findByEmail(tx, emailDigest(seal, email))
  if (!found) throw new CannotRun(`nobody signs in as ${emailOf(email)}: see lendloom people list`)
  return found
}

const roleOptions = { role: roleOption } as const

const role = command({
  name: 'people role',
  summary: 'give somebody another role, from their next request on',
  usage: '<email> --role <role>',
  options: roleOptions,
  async run({ args, options, env }: Call<typeof roleOptions>) {
    const email = only(args, 'the e-mail address')
    const wanted = required(options.role, 'role')
    const given = await write(env, async (means) => {
      const person = await personBy(means.tx, means.seal, email)
      const next = roleFor(tenantIn(person.tenantId), wanted)
      await changeRole(means, null, person, next)
      return next
    })
    return { text: `${emailOf(email)} is ${given} now`, data: { email: emailOf(email), role: given } }
  },
})

const sessions = command({
  name: 'people sessions',
  summary: 'show where somebody is signed in',
  usage: '<email>',
  options: {},
  async run({ args, env }: Call<Record<string, never>>) {
    const email = emailOf(only(args, 'the e-mail address'))
    const open = await write(env, async ({ tx, at, seal }) => {
      const rows = await listSessions(tx, await personBy(tx, seal, email), at, unusedSince(at))
      return rows.map(({ tenantId, sessionId, clientSealed, createdAt, usedAt }) => {
        const { network, browser } = seal.openJson<KnownClient>(clientSealed, clientPlace(tenantId, sessionId))
        return { sessionId, browser, network, createdAt, usedAt }
      })
    })
    const cells = open.map(({ sessionId, browser, network, createdAt, usedAt }) => {
      return [sessionId, browser, network, usedAt.toISOString(), createdAt.toISOString()]
    })
    const text =
      cells.length > 0 ? table(['SESSION', 'BROWSER', 'NETWORK', 'LAST USED', 'SINCE'], cells) : 'Signed in nowhere.'
    return { text, data: { email, sessions: open } }
  },
})

const endOptions = {
  session: { type: 'string', value: 'sessionId', about: 'only this one; all of them without it' },
} as const

const endSessions = command({
  name: 'people end-sessions',
  summary: 'end where somebody is signed in, from their next request on; they may sign in again',
  usage: '<email> [--session <sessionId>]',
  options: endOptions,
  async run({ args, options: { session }, env }: Call<typeof endOptions>) {
    const email = emailOf(only(args, 'the e-mail address'))
    if (session !== undefined && !isUuid(session)) throw new UsageError(`"${session}" is not an id`)
    await write(env, async (means) => {
      const person = await personBy(means.tx, means.seal, email)
      if (session === undefined) await endAllSessions(means, null, person)
      else await endSessionOf(means, null, person, session)
    })
    return { text: `ended ${session ?? 'every session'} of ${email}`, data: { email, session: session ?? null } }
  },
})

const passwordOptions = {
  'reset-second-factor': { type: 'boolean', about: 'take second factor and passkeys from them, too' },
} as const

const password = command({
  name: 'people password',
  summary: 'give somebody another password, shown once; wherever they are signed in, they are no longer',
  usage: '<email> [--reset-second-factor]',
  options: passwordOptions,
  async run({ args, options, env }: Call<typeof passwordOptions>) {
    const email = emailOf(only(args, 'the e-mail address'))
    const given = newPassword()
    const hash = await newPasswordHash(given, email, 'password')
    await write(env, async (means) => {
      const person = await personBy(means.tx, means.seal, email)
      await givePassword(means, null, person, hash)
      if (options['reset-second-factor']) await resetSecondFactor(means, null, person)
    })
    return { text: once(given, 'The one before no longer works.'), data: { email, password: given } }
  },
})

const unlink = command({
  name: 'people unlink',
  summary:
    'unlink the accounts at OpenID providers that somebody signs in with; the next sign-in there links one again',
  usage: '<email>',
  options: {},
  async run({ args, env }: Call<Record<string, never>>) {
    const email = emailOf(only(args, 'the e-mail address'))
    const unlinked = await write(env, async (means) => {
      const person = await personBy(means.tx, means.seal, email)
      return unlinkAllOpenId(means, null, person)
    })
    const text = unlinked.map(({ issuer }) => `unlinked the account at ${issuer}`).join('\n')
    return { text: text || 'No account is linked.', data: { email, unlinked } }
  },
})

const remove = command({
  name: 'people remove',
  summary: 'let somebody sign in no longer, from this moment; what they did stays recorded',
  usage: '<email>',
  options: {},
  async run({ args, env }: Call<Record<string, never>>) {
    const email = emailOf(only(args, 'the e-mail address'))
    await write(env, async (means) => removePerson(means, null, await personBy(means.tx, means.seal, email)))
    return { text: `removed ${email}`, data: { email } }
  },
})

export const people: Group = {
  name: 'people',
  summary: 'who may sign in to the console: list, add, invite, role, sessions, password, unlink, remove, failures',
  commands: [list, add, invite, invitations, withdraw, role, sessions, endSessions, password, unlink, remove, failures],
}
