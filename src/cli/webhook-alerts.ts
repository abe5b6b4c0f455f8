// `lendloom webhook alerts`: when and to whom a tenant's failing endpoints are reported, and past outages.

import { AlertSettingsRequest, type Alerts } from '#contract/console/webhooks.ts'
import { firstFault, fits } from '#kit/http/schema.ts'
import { type CommandCall, command, table, UsageError } from './command.ts'
import { consoleOf } from './console/ask.ts'
import { ofTenant } from './console/words.ts'

const options = {
  tenant: { type: 'string', value: 'tenantId', about: 'whose endpoints' },
  on: { type: 'string', value: 'yes|no', about: 'whether alerts are sent' },
  failures: { type: 'string', value: 'number', about: 'told after so many tries that failed since the last success' },
  minutes: { type: 'string', value: 'number', about: 'told when an update that was tried has waited so long' },
  email: {
    type: 'string',
    value: 'address',
    multiple: true,
    about: 'who is told by mail; may be repeated; "people" for the admins and developers of the tenant',
  },
  endpoint: {
    type: 'string',
    value: 'endpointId',
    multiple: true,
    about: 'which endpoint is told by a signed event; may be repeated; "none" for none',
  },
} as const

type Options = CommandCall<typeof options>['options']

export const alerts = command({
  name: 'webhook alerts',
  summary: 'show when a tenant is told that an endpoint fails, whom, and the last outages; change what is given',
  usage:
    '--tenant <tenantId> [--on yes|no] [--failures <number>] [--minutes <number>] [--email <address>…] [--endpoint <endpointId>…]',
  options,
  async run({ options: given, env }: CommandCall<typeof options>) {
    const [ask, query] = [consoleOf(env), ofTenant(given)]
    const now = await ask<Alerts>('GET /webhooks/alerts', { query })
    const body = changed(now.settings, given)
    const data = body === now.settings ? now : await ask<Alerts>('PUT /webhooks/alerts', { query, body })
    return { text: textOf(data), data }
  },
})

/** The same settings when nothing is given. */
function changed(now: AlertSettingsRequest, { on, failures, minutes, email, endpoint }: Options): AlertSettingsRequest {
  if (on !== undefined && on !== 'yes' && on !== 'no') throw new UsageError(`--on must be yes or no, not "${on}"`)
  const change = {
    ...(on !== undefined && { isOn: on === 'yes' }),
    ...(failures !== undefined && { failures: Number(failures) }),
    ...(minutes !== undefined && { waitingMinutes: Number(minutes) }),
    ...(email && { emails: email.includes('people') ? null : email }),
    ...(endpoint && { endpointIds: endpoint.filter((each) => each !== 'none') }),
  }
  if (Object.keys(change).length === 0) return now
  const next = { ...now, ...change }
  if (!fits(AlertSettingsRequest, next)) throw new UsageError(firstFault(AlertSettingsRequest, next))
  return next
}

function textOf({ settings, outages }: Alerts): string {
  const { isOn, failures, waitingMinutes, emails, endpointIds } = settings
  const lines = [
    `told      ${isOn ? `after ${failures} failures, or when an update waits for ${waitingMinutes} minutes` : 'nobody'}`,
    `by mail   ${emails?.join(', ') ?? 'the admins and developers of the tenant'}`,
    `by event  ${endpointIds.join(', ') || 'no endpoint'}`,
  ]
  const cells = outages.map(({ endpointId, why, beganAt, endedAt, lastAnswer }) => [
    ...[endpointId, why, beganAt, endedAt ?? 'now', lastAnswer ?? ''],
  ])
  const all = cells.length > 0 ? table(['ENDPOINT', 'WHY', 'FROM', 'UNTIL', 'LAST ANSWER'], cells) : 'No outage yet.'
  return `${lines.join('\n')}\n\n${all}`
}
