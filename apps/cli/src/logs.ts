// `lendloom logs`: API requests of integrators, oldest first, and with --follow as they arrive.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Requests } from '@lendloom/wire/console/request-log'
import { command, requireOption } from './command.ts'
import { consoleOf } from './console/ask.ts'
import { withIds } from './console/names.ts'
import { localTime } from './console/show.ts'
import { tenantOption } from './console/words.ts'
import { printLine } from './terminal.ts'

/** How often the console is asked for new requests. */
const pollMs = 1000
/** Requests whose ids are kept to recognize those that were shown. */
const rememberedRequests = 1000

type Request = Requests['items'][number]

export const logs = command({
  name: 'logs',
  summary: 'show the last API requests of a tenant, and with --follow the next ones until interrupted',
  usage: '--tenant <tenantId> [--follow] [--failed]',
  options: {
    tenant: { ...tenantOption, about: 'tenant of the requests, by its id or name' },
    follow: { type: 'boolean', about: 'keep running and show requests as they arrive' },
    failed: { type: 'boolean', about: 'only refused and failed requests' },
  },
  async run(call) {
    const { json } = call
    const ask = consoleOf(call.env)
    const { options } = await withIds(ask, call, '')
    const query = { tenantId: requireOption(options.tenant, 'tenant'), failed: options.failed ? 'true' : undefined }
    const newest = async (limit: number) =>
      (
        await ask<Requests>('GET /developers/requests', { query: { ...query, limit: String(limit) } })
      ).items.toReversed()
    const shownIds = new Set<string>()
    const show = (requests: Request[]) => {
      for (const each of requests) {
        if (shownIds.has(each.requestId)) continue
        shownIds.add(each.requestId)
        printLine(json ? JSON.stringify(each) : requestLine(each))
      }
      for (const id of [...shownIds].slice(0, Math.max(0, shownIds.size - rememberedRequests))) shownIds.delete(id)
    }
    if (!options.follow) {
      const items = await newest(20)
      return { text: items.map(requestLine).join('\n') || 'There are no requests yet.', data: { items, next: null } }
    }
    for (let limit = 20; ; limit = 200) {
      show(await newest(limit))
      await sleep(pollMs)
    }
  },
})

const requestLine = ({ at, method, route, status, ms, error }: Request): string =>
  `${localTime(at)}  ${status}  ${`${ms} ms`.padStart(8)}  ${method} ${route}${error === null ? '' : `  ${error}`}`
