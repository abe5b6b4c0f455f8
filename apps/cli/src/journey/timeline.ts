// `lendloom journey timeline` and `entry`: the events of a journey, and one event in full.

import { timelineKinds } from '@lendloom/wire/console/journey-lists'
import type { TimelineDetail, TimelineReply } from '@lendloom/wire/console/journeys'
import { UsageError } from '#cli/command.ts'
import { consoleCommand } from '#cli/console/ask.ts'
import { idOf, pageOptions, resultTable } from '#cli/console/words.ts'

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
    return resultTable(
      items,
      [
        { head: 'AT', of: ({ at }) => at },
        { head: 'KIND', of: ({ kind }) => kind },
        { head: 'EVENT', of: ({ title }) => `${title.code} ${parameterText(title.params)}`.trim() },
        { head: 'STATE', of: ({ state }) => state },
        { head: 'ENTRY', of: ({ id }) => id },
      ],
      'There are no events yet.',
      next,
    )
  },
})

/** The text of a title's parameters that are neither ids nor objects. */
const parameterText = (params: Record<string, unknown>): string =>
  Object.entries(params)
    .filter(([name, value]) => !name.endsWith('Id') && value !== null && typeof value !== 'object')
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')

const entryOptions = { tenant } as const

export const entry = consoleCommand({
  name: 'journey entry',
  summary: 'show one entry of a timeline in full as JSON, with personal data masked',
  usage: '<journeyId> <entryId> [--tenant <tenantId>]',
  options: entryOptions,
  route: 'GET /journeys/{journeyId}/timeline/{entryId}',
  input({ args: [journeyId = '', entryId = '', ...extraArguments], options }) {
    if (entryId === '') throw new UsageError('the id of the entry is missing: see lendloom journey timeline')
    return {
      params: { journeyId: idOf([journeyId, ...extraArguments], 'the journey'), entryId },
      query: { tenantId: options.tenant },
    }
  },
  text: (found: TimelineDetail) => JSON.stringify(found, null, 2),
})
