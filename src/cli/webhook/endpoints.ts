// `lendloom webhook health`, `show`, `pause`, `resume`, `change` and `test`: how endpoints are, and what is done to one.

import { type CommandCall, table, UsageError } from '#cli/command.ts'
import { asking } from '#cli/console/ask.ts'
import { fields, idOf, inCapitals, listed, ofTenant, pageOptions, tenantOption } from '#cli/console/words.ts'
import type { Endpoint, Endpoints, TestResult } from '#contract/console/webhooks.ts'

const path = '/webhooks/endpoints/{endpointId}'
const options = { tenant: tenantOption } as const
export const usage = '<endpointId> --tenant <tenantId>'
const healthOptions = { ...options, ...pageOptions } as const

export const ofEndpoint = ({
  args,
  options,
}: Pick<CommandCall<{ tenant: typeof tenantOption }>, 'args' | 'options'>) => ({
  params: { endpointId: idOf(args, 'the endpoint') },
  query: ofTenant(options),
})

export const health = asking({
  name: 'webhook health',
  summary: 'show the endpoints of a tenant: whether they take what is sent, how fast, what waits and what they missed',
  usage: '--tenant <tenantId> [--after <cursor>] [--limit <number>]',
  options: healthOptions,
  route: 'GET /webhooks/endpoints',
  input: ({ options: { tenant, after, limit } }) => ({ query: { ...ofTenant({ tenant }), after, limit } }),
  text({ items, next }: Endpoints) {
    const rows = items.map(({ endpointId, health, lastDay, waiting, missed, applicationName, url }) => [
      ...[endpointId, health, String(lastDay.delivered), milliseconds(lastDay.p50Ms), milliseconds(lastDay.p95Ms)],
      ...[String(waiting), String(missed), applicationName, url],
    ])
    const head = ['ENDPOINT', 'HEALTH', 'DAY', 'HALF IN', '95 % IN', 'WAITING', 'MISSED', 'APPLICATION', 'URL']
    return listed(head, rows, 'No endpoints yet: lendloom webhook add <url>', next)
  },
})

const milliseconds = (count: number | null): string => (count === null ? '' : `${count} ms`)

/** An endpoint for people, with its last answers. */
function described({ lastAnswers, lastDay, statuses, ...endpoint }: Endpoint): string {
  const rows = lastAnswers.map(({ at, state, answer, tookMs }) => [at, state, answer, milliseconds(tookMs)])
  const answers = rows.length > 0 ? `\n\n${table(['AT', 'STATE', 'ANSWER', 'TOOK'], rows)}` : ''
  return fields({ ...endpoint, statuses: statuses?.join(',') ?? 'all', ...lastDay }) + answers
}

export const show = asking({
  name: 'webhook show',
  summary: 'show one endpoint with its health and its last answers',
  usage,
  options,
  route: `GET ${path}`,
  input: ofEndpoint,
  text: (endpoint: Endpoint) => described(endpoint),
})

export const pause = asking({
  name: 'webhook pause',
  summary: 'let deliveries to an endpoint wait, in order; a try that is under way ends as it ends',
  usage,
  options,
  route: `POST ${path}/pause`,
  input: ofEndpoint,
  text: ({ endpointId, waiting }: Endpoint) => `${endpointId} is paused; ${waiting} wait`,
})

export const resume = asking({
  name: 'webhook resume',
  summary: 'let deliveries to an endpoint go on; one that is disabled is enabled again',
  usage,
  options,
  route: `POST ${path}/resume`,
  input: ofEndpoint,
  text: ({ endpointId, waiting }: Endpoint) => `${endpointId} goes on; ${waiting} were waiting`,
})

const changeOptions = {
  ...options,
  url: { type: 'string', value: 'https://…', about: 'another address' },
  status: { type: 'string', value: 'STATUS', about: 'a status it wants; may be repeated', multiple: true },
  'all-statuses': { type: 'boolean', about: 'it wants every status' },
} as const

export const change = asking({
  name: 'webhook change',
  summary: 'change the address of an endpoint, or what it is told; its secret and what waits for it stay',
  usage: `${usage} [--url <url>] [--status <STATUS>… | --all-statuses]`,
  options: changeOptions,
  route: `PATCH ${path}`,
  input({ args, options: { tenant, url, status, 'all-statuses': all } }) {
    if (all && status) throw new UsageError('--status and --all-statuses say different things')
    if (!(url || status || all))
      throw new UsageError('nothing is to be changed: give --url, --status or --all-statuses')
    return { ...ofEndpoint({ args, options: { tenant } }), body: { url, statuses: all ? null : inCapitals(status) } }
  },
  text: (endpoint: Endpoint) => described(endpoint),
})

export const test = asking({
  name: 'webhook test',
  summary: 'send an example of an update to this endpoint alone, which says that it is a test, and show the answer',
  usage,
  options,
  route: `POST ${path}/test`,
  input: ofEndpoint,
  text: ({ isSuccess, answer, tookMs, body }: TestResult) =>
    `${isSuccess ? 'taken' : 'not taken'}: ${answer}, ${tookMs} ms${body ? `\n\n${body}` : ''}`,
})
