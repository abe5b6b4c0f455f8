// `lendloom requests …`: what integrators asked of the API, as the console shows it.

import type { RequestDetail, Requests } from '#contract/console/developers.ts'
import type { Group } from './command.ts'
import { asking } from './console/ask.ts'
import { idOf, listed, ofTenant, pageOptions } from './console/words.ts'

const tenant = { type: 'string', value: 'tenantId', about: 'whose requests' } as const

const list = asking({
  name: 'requests list',
  summary: 'show API requests of a tenant, the newest first',
  usage:
    '--tenant <tenantId> [--correlation <id>] [--journey <journeyId>] [--key <keyId>] [--failed] [--after <cursor>] [--limit <number>]',
  options: {
    tenant,
    correlation: { type: 'string', value: 'id', about: 'only those of a correlation id' },
    journey: { type: 'string', value: 'journeyId', about: 'only those that name a journey' },
    key: { type: 'string', value: 'keyId', about: 'only those made with a key' },
    failed: { type: 'boolean', about: 'only those that were refused or failed' },
    ...pageOptions,
  },
  route: 'GET /developers/requests',
  input: ({ options: { tenant, correlation, journey, key, failed, after, limit } }) => ({
    query: {
      ...{ ...ofTenant({ tenant }), correlationId: correlation, journeyId: journey, keyId: key },
      ...{ failed: failed ? 'true' : undefined, after, limit },
    },
  }),
  text({ items, next }: Requests) {
    const cells = items.map(({ at, method, route, status, ms, error, requestId }) => [
      ...[at, `${method} ${route}`, String(status), `${ms} ms`, error ?? '', requestId],
    ])
    return listed(['AT', 'REQUEST', 'STATUS', 'TOOK', 'ERROR', 'ID'], cells, 'No request is like that.', next)
  },
})

const show = asking({
  name: 'requests show',
  summary: 'show what one request sent and was answered, without what is personal',
  usage: '<requestId> --tenant <tenantId>',
  options: { tenant },
  route: 'GET /developers/requests/{requestId}',
  input: ({ args, options }) => ({ params: { requestId: idOf(args, 'the request') }, query: ofTenant(options) }),
  text: (request: RequestDetail) => JSON.stringify(request, null, 2),
})

export const requests: Group = {
  name: 'requests',
  summary: 'what integrators asked of the API, and how it was answered',
  commands: [list, show],
}
