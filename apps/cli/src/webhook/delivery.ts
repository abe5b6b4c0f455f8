// `lendloom webhook delivery`: shows the payload and tries of a delivery, and what it waits for.

import type { DeliveryDetail } from '@lendloom/wire/console/webhooks'
import { table } from '#cli/command.ts'
import { consoleCommand } from '#cli/console/ask.ts'
import { fieldLines, idOf, tenantOption, tenantQuery } from '#cli/console/words.ts'

export const delivery = consoleCommand({
  name: 'webhook delivery',
  summary: 'show a delivery: its masked payload, each try with its response, and what it waits for',
  usage: '<deliveryId> --tenant <tenantId>',
  options: { tenant: tenantOption },
  route: 'GET /webhooks/deliveries/{deliveryId}',
  input: ({ args, options }) => ({
    params: { deliveryId: idOf(args, 'the delivery') },
    query: tenantQuery(options),
  }),
  text({ request, tries, ...details }: DeliveryDetail) {
    const attempts = table(tries, [
      { head: 'TRY', of: ({ number }) => number },
      { head: 'AT', of: ({ at }) => at },
      { head: 'STATE', of: ({ state }) => state },
      { head: 'ANSWER', of: ({ answer }) => answer },
      { head: 'TOOK', of: ({ tookMs }) => `${tookMs} ms` },
      { head: 'BODY', of: ({ body }) => body?.split('\n', 1)[0] },
    ])
    const headers = request.headers.map(({ name, value }) => `${name}: ${value}`)
    return [
      fieldLines(details),
      ...(tries.length > 0 ? ['', attempts] : []),
      '',
      `${request.method} ${request.url ?? 'the callback of the session'}`,
      ...headers,
      '',
      request.body,
    ].join('\n')
  },
})
