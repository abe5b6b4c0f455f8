// `lendloom people …`: console users of the platform and of tenants.

import { roles } from '@lendloom/wire/console/lists'
import type { Colleague, NewInvitation, Sessions } from '@lendloom/wire/console/staff'
import {
  CannotRun,
  type CommandCall,
  command,
  type Group,
  type Option,
  requireArgument,
  requireOption,
} from './command.ts'
import { type ConsoleCaller, consoleCommand, consoleOf, everyItem } from './console/ask.ts'
import { idOf, resultTable } from './console/words.ts'
import { failures, invitations, withdraw } from './people/invitations.ts'
import { add, password, unlink } from './people/recovery.ts'

const tenant = { type: 'string', value: 'tenantId', about: 'tenant of the users (default: platform users)' } as const
const roleOption = { type: 'string', value: roles.join('|'), about: 'role' } as const

const list = command({
  name: 'people list',
  summary: 'list the console users of the platform or of a tenant, with their roles and ways to sign in',
  usage: '[--tenant <tenantId>]',
  options: { tenant },
  async run({ options, env }: CommandCall<{ tenant: typeof tenant }>) {
    const people = await everyItem<Colleague>(consoleOf(env), 'GET /people', { query: { tenantId: options.tenant } })
    const noUsers = 'There are no users yet: lendloom people add <email> --name <name> --role admin'
    const text = resultTable(
      people,
      [
        { head: 'E-MAIL', of: ({ email }) => email },
        { head: 'NAME', of: ({ name }) => name },
        { head: 'ROLE', of: ({ role }) => role },
        { head: 'SECOND FACTOR', of: ({ twoFactor }) => (twoFactor ? 'on' : 'off') },
        { head: 'PASSKEYS', of: ({ passkeys }) => passkeys },
        { head: 'OPENID', of: ({ hasLinkedAccount }) => (hasLinkedAccount ? 'linked' : 'no') },
        { head: 'LAST SIGN-IN', of: ({ lastUsedAt }) => lastUsedAt ?? 'never' },
      ],
      noUsers,
    )
    return { text, data: { people } }
  },
})

const invite = consoleCommand({
  name: 'people invite',
  summary:
    'invite a user by a mailed link, which works once within seven days; it is printed if no mail server is configured',
  usage: '<email> --name <name> --role <role> [--tenant <tenantId>]',
  options: { name: { type: 'string', value: 'name', about: 'display name' }, role: roleOption, tenant },
  route: 'POST /people/invitations',
  input: ({ args, options: { name, role, tenant: tenantId } }) => ({
    body: {
      email: requireArgument(args, 'the e-mail address'),
      name: requireOption(name, 'name'),
      role: requireOption(role, 'role'),
      tenantId,
    },
  }),
  text: ({ email, link, expiresAt }: NewInvitation) =>
    link === null
      ? `mailed to ${email}; the link works until ${expiresAt}`
      : `${link}\n\nSend this link to ${email}: it cannot be shown again and works until ${expiresAt}.`,
})

/** The input of a route about the user with this address. Throws `CannotRun` if there is no such user. */
async function personInput(ask: ConsoleCaller, args: string[], tenantId: string | undefined) {
  const email = requireArgument(args, 'the e-mail address').trim().toLowerCase()
  const query = { tenantId }
  const found = (await everyItem<Colleague>(ask, 'GET /people', { query })).find((each) => each.email === email)
  if (!found) throw new CannotRun(`no user has the address ${email}: see lendloom people list`)
  return { email, params: { personId: found.personId }, query }
}

const personRoute = '/people/{personId}'
type PersonCall<More extends Record<string, Option>> = CommandCall<{ tenant: typeof tenant } & More>

const role = command({
  name: 'people role',
  summary: 'change the role of a user, from their next request on',
  usage: '<email> --role <role> [--tenant <tenantId>]',
  options: { role: roleOption, tenant },
  async run({ args, options, env }: PersonCall<{ role: typeof roleOption }>) {
    const ask = consoleOf(env)
    const body = { role: requireOption(options.role, 'role') }
    const { email, ...input } = await personInput(ask, args, options.tenant)
    await ask(`PATCH ${personRoute}`, { ...input, body })
    return { text: `${email} is ${body.role} now`, data: { email, ...body } }
  },
})

const sessions = command({
  name: 'people sessions',
  summary: 'list the sessions of a user',
  usage: '<email> [--tenant <tenantId>]',
  options: { tenant },
  async run({ args, options, env }: PersonCall<Record<never, never>>) {
    const ask = consoleOf(env)
    const { email, ...input } = await personInput(ask, args, options.tenant)
    const { items } = await ask<Sessions>(`GET ${personRoute}/sessions`, input)
    const text = resultTable(
      items,
      [
        { head: 'SESSION', of: ({ sessionId }) => sessionId },
        { head: 'BROWSER', of: ({ browser }) => browser },
        { head: 'NETWORK', of: ({ network }) => network },
        { head: 'LAST USED', of: ({ usedAt }) => usedAt },
        { head: 'SINCE', of: ({ createdAt }) => createdAt },
      ],
      'The user has no session.',
    )
    return { text, data: { email, sessions: items } }
  },
})

const sessionOption = { type: 'string', value: 'sessionId', about: 'session to end (default: all)' } as const

const endSessions = command({
  name: 'people end-sessions',
  summary: 'end sessions of a user, who may sign in again',
  usage: '<email> [--session <sessionId>] [--tenant <tenantId>]',
  options: { session: sessionOption, tenant },
  async run({ args, options, env }: PersonCall<{ session: typeof sessionOption }>) {
    const ask = consoleOf(env)
    const sessionId = options.session === undefined ? null : idOf([options.session], '--session')
    const { email, params, query } = await personInput(ask, args, options.tenant)
    if (sessionId === null) await ask(`DELETE ${personRoute}/sessions`, { params, query })
    else await ask(`DELETE ${personRoute}/sessions/{sessionId}`, { params: { ...params, sessionId }, query })
    return { text: `ended ${sessionId ?? 'every session'} of ${email}`, data: { email, session: sessionId } }
  },
})

const remove = command({
  name: 'people remove',
  summary: 'remove a user at once; the audit log keeps their acts',
  usage: '<email> [--tenant <tenantId>]',
  options: { tenant },
  async run({ args, options, env }: PersonCall<Record<never, never>>) {
    const ask = consoleOf(env)
    const { email, ...input } = await personInput(ask, args, options.tenant)
    await ask(`DELETE ${personRoute}`, input)
    return { text: `removed ${email}`, data: { email } }
  },
})

export const people: Group = {
  name: 'people',
  summary: 'users of the console: list, add, invite, role, sessions, password, unlink, remove, failures',
  commands: [list, add, invite, invitations, withdraw, role, sessions, endSessions, password, unlink, remove, failures],
}
