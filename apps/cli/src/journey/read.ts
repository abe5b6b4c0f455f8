// `lendloom journey search`, `list` and `show`: journeys by any identifier, and their state.

import { productIds } from '@lendloom/lending/product/products'
import type { JourneyHead, ListedJourney, SearchItem } from '@lendloom/wire/console/journeys'
import { statuses } from '@lendloom/wire/hosted/lifecycle-status'
import { type Column, requireArgument, table } from '#cli/command.ts'
import { consoleCommand } from '#cli/console/ask.ts'
import { fieldLines, idOf, pageOptions, resultTable, tenantOption } from '#cli/console/words.ts'

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
    return resultTable(
      items,
      [
        { head: 'MATCHED BY', of: ({ kind }) => kind },
        { head: 'JOURNEY', of: ({ journeyId }) => journeyId },
        { head: 'PRODUCT', of: ({ product }) => product },
        { head: 'STATUS', of: ({ status }) => status },
        { head: '', of: ({ active }) => (active ? 'active' : 'ended') },
        { head: 'BEGAN', of: ({ createdAt }) => createdAt },
        { head: 'TENANT', of: ({ tenantId }) => tenantId },
      ],
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
    return resultTable(
      items,
      [
        { head: 'JOURNEY', of: ({ journeyId }) => journeyId },
        { head: 'BEGAN', of: ({ createdAt }) => createdAt },
        { head: 'PRODUCT', of: ({ product }) => product },
        { head: 'STATUS', of: ({ status }) => status },
        { head: 'NAME', of: ({ borrower }) => borrower.name },
        { head: 'MOBILE', of: ({ borrower }) => borrower.mobile },
        { head: 'LENDER', of: ({ lender }) => lender?.name },
        { head: 'WAITS FOR', of: ({ waitsFor }) => (waitsFor ? `${waitsFor.what} of the ${waitsFor.whose}` : '') },
        { head: 'TENANT', of: ({ tenantId }) => tenantId },
      ],
      'There are no such journeys.',
      next,
    )
  },
})

/** The lines of a table after an empty line; none without rows. */
const section = <Row>(rows: readonly Row[], columns: Column<Row>[]): string[] =>
  rows.length > 0 ? ['', table(rows, columns)] : []

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
    return [
      fieldLines({ ...rest, lender: lender?.name, waitsFor: waitText, ...borrower }),
      ...section(offers, [
        { head: 'LENDER', of: ({ lender }) => lender },
        { head: 'OFFER', of: ({ chosen, status }) => (chosen ? 'chosen' : status) },
        { head: 'PRINCIPAL', of: ({ principal }) => principal },
        { head: 'APR', of: ({ apr }) => apr },
        { head: 'TERM', of: ({ term }) => term },
      ]),
      ...section(steps, [
        { head: 'STEP', of: ({ name }) => name },
        { head: 'STATUS', of: ({ status }) => status },
        { head: 'TRIES', of: ({ attempts }) => attempts },
        { head: 'PROBLEM', of: ({ problem }) => problem },
      ]),
      ...section(acts, [
        { head: 'ACTION', of: ({ act }) => act },
        { head: 'POSSIBLE', of: ({ possible }) => (possible ? 'yes' : 'no') },
        { head: 'REASON', of: ({ because }) => because },
        { head: 'COUNT', of: ({ count }) => count },
      ]),
    ].join('\n')
  },
})
