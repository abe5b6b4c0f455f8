// `lendloom people invitations`, `withdraw` and `failures`: lists and withdraws invitations, lists failed sign-ins.

import { failureOutcomes } from '@lendloom/identity/sign-in-failures'
import type { Invitations, SignInFailures } from '@lendloom/wire/console/staff'
import { consoleCommand } from '#cli/console/ask.ts'
import { fieldLines, idOf, pageOptions, resultTable } from '#cli/console/words.ts'

const tenant = { type: 'string', value: 'tenantId', about: 'tenant of the users (default: platform users)' } as const
const listOptions = { tenant, ...pageOptions } as const

export const invitations = consoleCommand({
  name: 'people invitations',
  summary: 'list open invitations',
  usage: '[--tenant <tenantId>] [--after <cursor>] [--limit <number>]',
  options: listOptions,
  route: 'GET /people/invitations',
  input: ({ options: { tenant: tenantId, after, limit } }) => ({ query: { tenantId, after, limit } }),
  text({ items, next }: Invitations) {
    return resultTable(
      items,
      [
        { head: 'INVITATION', of: ({ invitationId }) => invitationId },
        { head: 'E-MAIL', of: ({ email }) => email },
        { head: 'NAME', of: ({ name }) => name },
        { head: 'ROLE', of: ({ role }) => role },
        { head: 'EXPIRES', of: ({ expiresAt }) => expiresAt },
      ],
      'No invitation is open.',
      next,
    )
  },
})

const tenantOptions = { tenant } as const

export const withdraw = consoleCommand({
  name: 'people withdraw',
  summary: 'withdraw an invitation: its link no longer works',
  usage: '<invitationId> [--tenant <tenantId>]',
  options: tenantOptions,
  route: 'DELETE /people/invitations/{invitationId}',
  input: ({ args, options }) => ({
    params: { invitationId: idOf(args, 'the invitation') },
    query: { tenantId: options.tenant },
  }),
  text: (_: null, { args }) => fieldLines({ withdrawn: args[0] }),
})

const failureOptions = {
  outcome: { type: 'string', value: failureOutcomes.join('|'), about: 'only sign-ins with this outcome' },
  ...listOptions,
} as const

export const failures = consoleCommand({
  name: 'people failures',
  summary: 'list failed sign-ins, newest first',
  usage: '[--tenant <tenantId>] [--outcome <outcome>] [--after <cursor>] [--limit <number>]',
  options: failureOptions,
  route: 'GET /sign-in-failures',
  input: ({ options: { tenant: tenantId, outcome, after, limit } }) => ({
    query: { tenantId, outcome: outcome?.toUpperCase(), after, limit },
  }),
  text({ items, next }: SignInFailures) {
    return resultTable(
      items,
      [
        { head: 'AT', of: ({ at }) => at },
        { head: 'OUTCOME', of: ({ outcome }) => outcome },
        { head: 'E-MAIL', of: ({ email }) => email },
        { head: 'FROM', of: ({ network }) => network },
      ],
      'No sign-in has failed.',
      next,
    )
  },
})
