// `lendloom webhook health`, `show`, `pause`, `resume`, `change` and `test`.

import type { Endpoint, Endpoints, TestResult } from '@lendloom/wire/console/webhooks'
import { type CommandCall, table, UsageError } from '#cli/command.ts'
import { consoleCommand } from '#cli/console/ask.ts'
import {
  fieldLines,
  idOf,
  inCapitals,
  pageOptions,
  resultTable,
  tenantOption,
  tenantQuery,
} from '#cli/console/words.ts'

const path = '/webhooks/endpoints/{endpointId}'
const options = { tenant: tenantOption } as const
export const usage = '<endpointId> --tenant <tenantId>'
const healthOptions = { ...options, ...pageOptions } as const

export const ofEndpoint = ({
  args,
  options,
}: Pick<CommandCall<{ tenant: typeof tenantOption }>, 'args' | 'options'>) => ({
  params: { endpointId: idOf(args, 'the endpoint') },
  query: tenantQuery(options),
})

export const health = consoleCommand({
  name: 'webhook health',
  summary: 'list the endpoints and listeners of a tenant with health, latency, pending and missed deliveries',
  usage: '--tenant <tenantId> [--after <cursor>] [--limit <number>]',
  options: healthOptions,
  route: 'GET /webhooks/endpoints',
  input: ({ options: { tenant, after, limit } }) => ({ query: { ...tenantQuery({ tenant }), after, limit } }),
  text({ items, next }: Endpoints) {
    return resultTable(
      items,
      [
        { head: 'ENDPOINT', of: ({ endpointId }) => endpointId },
        { head: 'HEALTH', of: ({ health }) => health },
        { head: 'LAST DAY', of: ({ lastDay }) => lastDay.delivered },
        { head: 'MEDIAN', of: ({ lastDay }) => milliseconds(lastDay.p50Ms) },
        { head: '95 %', of: ({ lastDay }) => milliseconds(lastDay.p95Ms) },
        { head: 'WAITING', of: ({ waiting }) => waiting },
        { head: 'MISSED', of: ({ missed }) => missed },
        { head: 'LISTENER', of: ({ listenerName }) => listenerName },
        { head: 'APPLICATION', of: ({ applicationName }) => applicationName },
        { head: 'URL', of: ({ url }) => url },
      ],
      'No endpoints yet: lendloom webhook add <url>',
      next,
    )
  },
})

const milliseconds = (count: number | null): string => (count === null ? '' : `${count} ms`)

function endpointText({ lastAnswers, lastDay, statuses, ...endpoint }: Endpoint): string {
  const answers = table(lastAnswers, [
    { head: 'AT', of: ({ at }) => at },
    { head: 'STATE', of: ({ state }) => state },
    { head: 'ANSWER', of: ({ answer }) => answer },
    { head: 'TOOK', of: ({ tookMs }) => milliseconds(tookMs) },
  ])
  const fields = fieldLines({ ...endpoint, statuses: statuses?.join(',') ?? 'all', ...lastDay })
  return lastAnswers.length > 0 ? `${fields}\n\n${answers}` : fields
}

export const show = consoleCommand({
  name: 'webhook show',
  summary: 'show an endpoint with its health and last responses',
  usage,
  options,
  route: `GET ${path}`,
  input: ofEndpoint,
  text: (endpoint: Endpoint) => endpointText(endpoint),
})

export const pause = consoleCommand({
  name: 'webhook pause',
  summary: 'pause deliveries to an endpoint; they wait in order, and a running try completes',
  usage,
  options,
  route: `POST ${path}/pause`,
  input: ofEndpoint,
  text: ({ endpointId, waiting }: Endpoint) => `${endpointId} is paused; ${waiting} deliveries wait`,
})

export const resume = consoleCommand({
  name: 'webhook resume',
  summary: 'resume deliveries to an endpoint; enables a disabled one',
  usage,
  options,
  route: `POST ${path}/resume`,
  input: ofEndpoint,
  text: ({ endpointId, waiting }: Endpoint) => `${endpointId} is resumed; ${waiting} deliveries were waiting`,
})

const changeOptions = {
  ...options,
  url: { type: 'string', value: 'https://…', about: 'new URL' },
  status: { type: 'string', value: 'STATUS', about: 'lifecycle status to send; may be repeated', multiple: true },
  'all-statuses': { type: 'boolean', about: 'send all statuses' },
} as const

export const change = consoleCommand({
  name: 'webhook change',
  summary: 'change the URL or statuses of an endpoint; its secret and pending deliveries stay',
  usage: `${usage} [--url <url>] [--status <STATUS>… | --all-statuses]`,
  options: changeOptions,
  route: `PATCH ${path}`,
  input({ args, options: { tenant, url, status, 'all-statuses': all } }) {
    if (all && status) throw new UsageError('--status and --all-statuses cannot be combined')
    if (!(url || status || all)) throw new UsageError('at least one of --url, --status or --all-statuses is required')
    return { ...ofEndpoint({ args, options: { tenant } }), body: { url, statuses: all ? null : inCapitals(status) } }
  },
  text: (endpoint: Endpoint) => endpointText(endpoint),
})

export const test = consoleCommand({
  name: 'webhook test',
  summary: 'send a test update to an endpoint, and show the response',
  usage,
  options,
  route: `POST ${path}/test`,
  input: ofEndpoint,
  text: ({ isSuccess, answer, tookMs, body }: TestResult) =>
    `${isSuccess ? 'accepted' : 'not accepted'}: ${answer}, ${tookMs} ms${body ? `\n\n${body}` : ''}`,
})
