// `lendloom webhook alerts`: settings for alerts about a tenant's failing endpoints, and past outages.

import { firstFault, fits } from '@lendloom/foundation/schema'
import { AlertSettingsRequest, type Alerts } from '@lendloom/wire/console/webhooks'
import { type CommandCall, command, UsageError } from './command.ts'
import { consoleOf } from './console/ask.ts'
import { idOfResource } from './console/named-resources.ts'
import { resultTable, tenantQuery } from './console/words.ts'

const options = {
  tenant: { type: 'string', value: 'tenantId', about: 'tenant of the endpoints' },
  on: { type: 'string', value: 'yes|no', about: 'whether alerts are sent' },
  failures: { type: 'string', value: 'number', about: 'number of consecutive failed attempts before an alert' },
  minutes: { type: 'string', value: 'number', about: 'minutes an update may wait before an alert' },
  email: {
    type: 'string',
    value: 'address',
    multiple: true,
    about: 'address to mail; may be repeated; "people" for the tenant’s admins and developers',
  },
  endpoint: {
    type: 'string',
    value: 'endpointId',
    multiple: true,
    about: 'endpoint that receives a signed event, by its address or id; may be repeated; "none" for none',
  },
} as const

type Options = CommandCall<typeof options>['options']

export const alerts = command({
  name: 'webhook alerts',
  summary: 'show the alert settings of a tenant and the last outages, or change the given settings',
  usage:
    '--tenant <tenantId> [--on yes|no] [--failures <number>] [--minutes <number>] [--email <address>…] [--endpoint <endpointId>…]',
  options,
  async run({ options: given, env }: CommandCall<typeof options>) {
    const ask = consoleOf(env)
    const query = tenantQuery(given)
    const current = await ask<Alerts>('GET /webhooks/alerts', { query })
    const endpoint: string[] = []
    for (const each of given.endpoint ?? [])
      endpoint.push(each === 'none' ? each : await idOfResource(ask, 'endpointId', each, query))
    const body = changedSettings(current.settings, { ...given, ...(given.endpoint && { endpoint }) })
    const data = body === current.settings ? current : await ask<Alerts>('PUT /webhooks/alerts', { query, body })
    return { text: textOf(data), data }
  },
})

/** Returns the settings with the given options applied, or `current` itself if no option was given. */
function changedSettings(
  current: AlertSettingsRequest,
  { on, failures, minutes, email, endpoint }: Options,
): AlertSettingsRequest {
  if (on !== undefined && on !== 'yes' && on !== 'no') throw new UsageError(`--on must be yes or no, not "${on}"`)
  const change = {
    ...(on !== undefined && { isOn: on === 'yes' }),
    ...(failures !== undefined && { failures: Number(failures) }),
    ...(minutes !== undefined && { waitingMinutes: Number(minutes) }),
    ...(email && { emails: email.includes('people') ? null : email }),
    ...(endpoint && { endpointIds: endpoint.filter((each) => each !== 'none') }),
  }
  if (Object.keys(change).length === 0) return current
  const changed = { ...current, ...change }
  if (!fits(AlertSettingsRequest, changed)) throw new UsageError(firstFault(AlertSettingsRequest, changed))
  return changed
}

function textOf({ settings, outages }: Alerts): string {
  const { isOn, failures, waitingMinutes, emails, endpointIds } = settings
  const lines = [
    `alerts    ${isOn ? `after ${failures} failures, or when an update waits for ${waitingMinutes} minutes` : 'off'}`,
    `by mail   ${emails?.join(', ') ?? 'the admins and developers of the tenant'}`,
    `by event  ${endpointIds.join(', ') || 'no endpoint'}`,
  ]
  const outageText = resultTable(
    outages,
    [
      { head: 'ENDPOINT', of: ({ endpointId }) => endpointId },
      { head: 'REASON', of: ({ why }) => why },
      { head: 'FROM', of: ({ beganAt }) => beganAt },
      { head: 'UNTIL', of: ({ endedAt }) => endedAt ?? 'now' },
      { head: 'LAST RESPONSE', of: ({ lastAnswer }) => lastAnswer },
    ],
    'No outage yet.',
  )
  return `${lines.join('\n')}\n\n${outageText}`
}
