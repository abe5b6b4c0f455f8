// `lendloom journey search`, `list` and `show`: journeys by any identifier, and their state.

import { requireArgument, table } from '#cli/command.ts'
import { consoleCommand } from '#cli/console/ask.ts'
import { fieldLines, idOf, pageOptions, resultTable, tenantOption } from '#cli/console/words.ts'
import type { JourneyHead, ListedJourney, SearchItem } from '#contract/console/journeys.ts'
import { statuses } from '#contract/hosted/lifecycle-status.ts'
import { productIds } from '#contract/product/products.ts'

const tenantFilter = { tenant: { ...tenantOption, about: 'only journeys of this tenant' } } as const

export const search = consoleCommand({
  name: 'journey search',
  summary:
    'find journeys by a mobile number, PAN, e-mail address or borrowerProviderID, or the id of a journey, correlation, event, delivery, network transaction, case or grievance, a loan number or a UTR',
  usage: '<identifier> [--tenant <tenantId>]',
  options: tenantFilter,
  route: 'GET /search',
  input: ({ args, options }) => ({
    query: { q: requireArgument(args, 'the identifier to search for'), tenantId: options.tenant },
  }),
  text({ items }: { items: SearchItem[] }) {
    const rows = items.map(({ kind, journeyId, product, status, active, createdAt, tenantId }) => [
      kind,
      journeyId,
      product,
      status,
      active ? 'active' : 'ended',
      createdAt,
      tenantId,
    ])
    return resultTable(
      ['MATCHED BY', 'JOURNEY', 'PRODUCT', 'STATUS', '', 'BEGAN', 'TENANT'],
      rows,
      'No journey has this identifier.',
    )
  },
})

const listOptions = {
  ...tenantFilter,
  application: { type: 'string', value: 'applicationId', about: 'only journeys of this application' },
  status: { type: 'string', value: statuses.join('|'), about: 'only journeys with this status' },
  product: { type: 'string', value: productIds.join('|'), about: 'only journeys of this product' },
  from: { type: 'string', value: 'day', about: 'started on or after this day or instant' },
  to: { type: 'string', value: 'day', about: 'started before the end of this day, or before this instant' },
  ...pageOptions,
} as const

export const list = consoleCommand({
  name: 'journey list',
  summary: 'list journeys of one or all tenants, newest first, with personal data masked',
  usage:
    '[--tenant <tenantId>] [--application <id>] [--status <STATUS>] [--product <product>] [--from <day>] [--to <day>] [--after <cursor>] [--limit <number>]',
  options: listOptions,
  route: 'GET /journeys',
  input: ({ options: { tenant, application: applicationId, status, product, from, to, after, limit } }) => ({
    query: {
      tenantId: tenant,
      applicationId,
      from,
      to,
      after,
      limit,
      status: status?.toUpperCase(),
      product: product?.toUpperCase(),
    },
  }),
  text({ items, next }: { items: ListedJourney[]; next: string | null }) {
    const rows = items.map(({ journeyId, product, status, borrower, waitsFor, lender, createdAt, tenantId }) => [
      journeyId,
      createdAt,
      product,
      status,
      borrower.name ?? '',
      borrower.mobile,
      lender?.name ?? '',
      waitsFor ? `${waitsFor.what} of the ${waitsFor.whose}` : '',
      tenantId,
    ])
    const head = ['JOURNEY', 'BEGAN', 'PRODUCT', 'STATUS', 'NAME', 'MOBILE', 'LENDER', 'WAITS FOR', 'TENANT']
    return resultTable(head, rows, 'There are no such journeys.', next)
  },
})

export const show = consoleCommand({
  name: 'journey show',
  summary: 'show a journey: what it waits for and until when, its offers, its steps and the possible actions',
  usage: '<journeyId> [--tenant <tenantId>]',
  options: tenantFilter,
  route: 'GET /journeys/{journeyId}',
  input: ({ args, options }) => ({
    params: { journeyId: idOf(args, 'the journey') },
    query: { tenantId: options.tenant },
  }),
  text({ borrower, lender, waitsFor, offers, steps, acts, ...rest }: JourneyHead) {
    const { what, whose, until } = waitsFor ?? { what: 'nothing', whose: null, until: null }
    const waitText = `${what}${whose === null ? '' : ` of the ${whose}`}${until === null ? '' : ` until ${until}`}`
    const offerRows = offers.map((offer) => [
      offer.lender,
      offer.chosen ? 'chosen' : offer.status,
      offer.principal ?? '',
      offer.apr ?? '',
      offer.term ?? '',
    ])
    const stepRows = steps.map(({ name, status, attempts, problem }) => [name, status, String(attempts), problem ?? ''])
    const actionRows = acts.map(({ act, possible: isPossible, because, count }) => [
      act,
      isPossible ? 'yes' : 'no',
      because ?? '',
      count === null ? '' : String(count),
    ])
    const section = (head: string[], rows: string[][]) => (rows.length > 0 ? ['', table(head, rows)] : [])
    return [
      fieldLines({ ...rest, lender: lender?.name, waitsFor: waitText, ...borrower }),
      ...section(['LENDER', 'OFFER', 'PRINCIPAL', 'APR', 'TERM'], offerRows),
      ...section(['STEP', 'STATUS', 'TRIES', 'PROBLEM'], stepRows),
      ...section(['ACTION', 'POSSIBLE', 'REASON', 'COUNT'], actionRows),
    ].join('\n')
  },
})
