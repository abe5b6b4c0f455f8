// `lendloom requests …`: API requests of integrators, as in the console.

import type { RequestDetail, Requests } from '@lendloom/wire/console/developers'
import type { Group } from './command.ts'
import { consoleCommand } from './console/ask.ts'
import { idOf, pageOptions, resultTable, tenantQuery } from './console/words.ts'

const tenant = { type: 'string', value: 'tenantId', about: 'tenant of the requests' } as const

const list = consoleCommand({
  name: 'requests list',
  summary: 'list API requests of a tenant, newest first',
  usage:
    '--tenant <tenantId> [--correlation <id>] [--journey <journeyId>] [--key <keyId>] [--failed] [--after <cursor>] [--limit <number>]',
  options: {
    tenant,
    correlation: { type: 'string', value: 'id', about: 'only requests with this correlation id' },
    journey: { type: 'string', value: 'journeyId', about: 'only requests about this journey' },
    key: { type: 'string', value: 'keyId', about: 'only requests with this key' },
    failed: { type: 'boolean', about: 'only refused and failed requests' },
    ...pageOptions,
  },
  route: 'GET /developers/requests',
  input: ({ options: { tenant, correlation, journey, key, failed, after, limit } }) => ({
    query: {
      ...tenantQuery({ tenant }),
      correlationId: correlation,
      journeyId: journey,
      keyId: key,
      failed: failed ? 'true' : undefined,
      after,
      limit,
    },
  }),
  text({ items, next }: Requests) {
    return resultTable(
      items,
      [
        { head: 'AT', of: ({ at }) => at },
        { head: 'REQUEST', of: ({ method, route }) => `${method} ${route}` },
        { head: 'STATUS', of: ({ status }) => status },
        { head: 'DURATION', of: ({ ms }) => `${ms} ms` },
        { head: 'ERROR', of: ({ error }) => error },
        { head: 'ID', of: ({ requestId }) => requestId },
      ],
      'There are no such requests.',
      next,
    )
  },
})

const show = consoleCommand({
  name: 'requests show',
  summary: 'show one request and its response, with personal data masked',
  usage: '<requestId> --tenant <tenantId>',
  options: { tenant },
  route: 'GET /developers/requests/{requestId}',
  input: ({ args, options }) => ({ params: { requestId: idOf(args, 'the request') }, query: tenantQuery(options) }),
  text: (request: RequestDetail) => JSON.stringify(request, null, 2),
})

export const requests: Group = {
  name: 'requests',
  summary: 'API requests of integrators and the responses',
  commands: [list, show],
}
