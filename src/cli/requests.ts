// `lendloom requests …`: what integrators asked of the API, as the console shows it.

import { instantOfId, isUuid } from '#kit/crypto/id.ts'
import { type Bodies, bodiesContext } from '#platform/request-log/request-log.ts'
import { findRequest, listRequests } from '#platform/request-log/store.ts'
import { type Call, CannotRun, command, type Group, only, required, table, UsageError } from './command.ts'
import { sealOf, withDatabase } from './database.ts'

const tenant = { type: 'string', value: 'tenantId', about: 'whose requests' } as const
const listOptions = {
  tenant,
  correlation: { type: 'string', value: 'id', about: 'only those of a correlation id' },
  journey: { type: 'string', value: 'journeyId', about: 'only those that name a journey' },
  key: { type: 'string', value: 'keyId', about: 'only those made with a key' },
  failed: { type: 'boolean', about: 'only those that were refused or failed' },
  after: { type: 'string', value: 'requestId', about: 'only those before this one: the `next` of an earlier list' },
  limit: { type: 'string', value: 'number', about: 'how many, 1 to 200 (default: 50)' },
} as const

const list = command({
  name: 'requests list',
  summary: 'show API requests of a tenant, the newest first',
  usage:
    '--tenant <tenantId> [--correlation <id>] [--journey <journeyId>] [--key <keyId>] [--failed] [--limit <number>]',
  options: listOptions,
  async run({ options, env }: Call<typeof listOptions>) {
    const limit = Number(options.limit ?? 50)
    if (!Number.isInteger(limit) || limit < 1 || limit > 200) throw new UsageError('--limit must be 1 to 200')
    const filter = {
      ...{ applicationId: null, method: null, route: null, from: null, until: null },
      keyId: options.key ?? null,
      journeyId: idFrom('journey', options.journey),
      correlationId: options.correlation ?? null,
      isFailed: options.failed ?? false,
    }
    const page = { after: idFrom('after', options.after), limit }
    const rows = await withDatabase('platform', env, (db) =>
      listRequests(db, idOf('tenant', required(options.tenant, 'tenant')), filter, page),
    )
    const requests = rows.map((row) => ({ at: instantOfId(row.requestId).toISOString(), ...row }))
    const cells = requests.map(({ at, method, route, status, tookMs, error, requestId }) => {
      return [at, `${method} ${route}`, String(status), `${tookMs} ms`, error ?? '', requestId]
    })
    const text = table(['AT', 'REQUEST', 'STATUS', 'TOOK', 'ERROR', 'ID'], cells)
    const next = requests.length === limit ? (requests.at(-1)?.requestId ?? null) : null
    return { text: cells.length > 0 ? text : 'No request is like that.', data: { requests, next } }
  },
})

const showOptions = { tenant } as const

const show = command({
  name: 'requests show',
  summary: 'show what one request sent and was answered, without what is personal',
  usage: '<requestId> --tenant <tenantId>',
  options: showOptions,
  async run({ args, options, env }: Call<typeof showOptions>) {
    const tenantId = idOf('tenant', required(options.tenant, 'tenant'))
    const requestId = idOf('request', only(args, 'the id of the request'))
    const found = await withDatabase('platform', env, (db) => findRequest(db, { tenantId, requestId }))
    if (!found) throw new CannotRun('there is no such request of this tenant: see lendloom requests list')
    const { bodiesSealed, ...row } = found
    const bodies = bodiesSealed && sealOf(env).openJson<Bodies>(bodiesSealed, bodiesContext({ tenantId, requestId }))
    const data = { ...row, at: instantOfId(requestId).toISOString(), ...(bodies ?? { request: null, reply: null }) }
    return { text: JSON.stringify(data, null, 2), data }
  },
})

const idFrom = (name: string, text: string | undefined): string | null => (text === undefined ? null : idOf(name, text))

function idOf(name: string, text: string): string {
  if (!isUuid(text)) throw new UsageError(`"${text}" is not the id of a ${name}`)
  return text.toLowerCase()
}

export const requests: Group = {
  name: 'requests',
  summary: 'what integrators asked of the API, and how it was answered',
  commands: [list, show],
}
