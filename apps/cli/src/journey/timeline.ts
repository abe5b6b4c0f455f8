// `lendloom journey timeline`: the events of a journey.

import { timelineKinds } from '@lendloom/wire/console/journey-lists'
import type { TimelineReply } from '@lendloom/wire/console/journeys'
import { consoleCommand } from '#cli/console/ask.ts'
import { fittedTable, localTime, withNextPage } from '#cli/console/show.ts'
import { idOf, pageOptions } from '#cli/console/words.ts'

const tenant = { type: 'string', value: 'tenantId', about: 'fail unless the journey belongs to this tenant' } as const
const options = {
  tenant,
  kind: {
    type: 'string',
    value: timelineKinds.join('|'),
    about: 'only events of this kind; may be repeated',
    multiple: true,
  },
  newest: { type: 'boolean', about: 'newest first' },
  ...pageOptions,
} as const

export const timeline = consoleCommand({
  name: 'journey timeline',
  summary: 'show all events of a journey in chronological order',
  usage: '<journeyId> [--kind <kind>…] [--newest] [--after <cursor>] [--limit <number>] [--tenant <tenantId>]',
  options,
  route: 'GET /journeys/{journeyId}/timeline',
  input: ({ args, options: { tenant: tenantId, kind, newest, after, limit } }) => ({
    params: { journeyId: idOf(args, 'the journey') },
    query: { tenantId, kinds: kind?.join(','), order: newest ? 'newest' : 'oldest', after, limit },
  }),
  text({ items, next }: TimelineReply) {
    if (items.length === 0) return 'There are no events yet.'
    const events = fittedTable(
      items,
      [
        { head: 'AT', of: ({ at }) => localTime(at) },
        { head: 'KIND', of: ({ kind }) => kind },
        { head: 'EVENT', of: ({ title }) => `${title.code} ${parameterText(title.params)}`.trim() },
        { head: 'STATE', of: ({ state }) => state },
        // `lendloom journey entry` takes it.
        { head: 'ENTRY', of: ({ id }) => id },
      ],
      { isWhole: true },
    )
    return withNextPage(events, next)
  },
})

/** What a reader looks for first. */
const firstParameters = ['status', 'action', 'lender', 'party', 'method', 'route', 'answer', 'url']

/** The text of a title's parameters that are neither ids nor objects. */
function parameterText(params: Record<string, unknown>): string {
  const rankOf = (name: string) => firstParameters.indexOf(name) + 1 || firstParameters.length + 1
  return Object.entries(params)
    .filter(([name, value]) => !name.endsWith('Id') && value !== null && value !== false && typeof value !== 'object')
    .sort(([one], [other]) => rankOf(one) - rankOf(other))
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
}
