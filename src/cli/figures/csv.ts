// `lendloom figures csv`: the numbers behind one chart of the console's overview, for a spreadsheet.

import { type CommandCall, command, only } from '#cli/command.ts'
import { consoleOf } from '#cli/console/ask.ts'
import { figureFiles, ranges, stepNames } from '#contract/console/lists.ts'
import { productIds } from '#contract/product/products.ts'

export const windowOptions = {
  tenant: { type: 'string', value: 'tenantId', about: 'of one tenant (default: of all)' },
  application: { type: 'string', value: 'applicationId', about: 'of one application' },
  product: { type: 'string', value: productIds.join('|'), about: 'of one product' },
  range: { type: 'string', value: ranges.join('|'), about: 'which window (default: 7d)' },
  from: { type: 'string', value: 'day', about: 'the first day of a custom window, as 2026-11-01' },
  to: { type: 'string', value: 'day', about: 'its last day (default: today)' },
  step: { type: 'string', value: stepNames.join('|'), about: 'how long each step of a series is (default: day)' },
} as const

export const windowUsage =
  '[--tenant <tenantId>] [--application <applicationId>] [--product <product>] [--range <range>] [--from <day>] [--to <day>] [--step <step>]'

export const csv = command({
  name: 'figures csv',
  summary: `print one figure as CSV: ${figureFiles.join(', ')}`,
  usage: `<figure> ${windowUsage}`,
  options: windowOptions,
  async run({ args, options, env }: CommandCall<typeof windowOptions>) {
    const params = { file: `${only(args, 'the figure')}.csv` }
    const file = await consoleOf(env)<Buffer>('GET /overview/{file}', { params, query: windowQuery(options) })
    return { text: String(file).trimEnd(), data: String(file) }
  },
})

export const windowQuery = ({
  tenant,
  application,
  product,
  range,
  from,
  to,
  step,
}: CommandCall<typeof windowOptions>['options']) => ({
  ...{ tenantId: tenant, applicationId: application, product: product?.toUpperCase(), range, from, to, step },
})
