// `lendloom figures csv`: the values of one chart of the console's overview, for a spreadsheet.

import { productIds } from '@lendloom/lending/product/products'
import { figureFiles, ranges, stepNames } from '@lendloom/wire/console/lists'
import { type CommandCall, command, requireArgument } from '#cli/command.ts'
import { consoleOf } from '#cli/console/ask.ts'

export const windowOptions = {
  tenant: { type: 'string', value: 'tenantId', about: 'tenant (default: all)' },
  application: { type: 'string', value: 'applicationId', about: 'application (default: all)' },
  product: { type: 'string', value: productIds.join('|'), about: 'product (default: all)' },
  range: { type: 'string', value: ranges.join('|'), about: 'period (default: 7d)' },
  from: { type: 'string', value: 'day', about: 'first day of a custom period, such as 2026-11-01' },
  to: { type: 'string', value: 'day', about: 'last day of a custom period (default: today)' },
  step: { type: 'string', value: stepNames.join('|'), about: 'interval of a series (default: day)' },
} as const

export const windowUsage =
  '[--tenant <tenantId>] [--application <applicationId>] [--product <product>] [--range <range>] [--from <day>] [--to <day>] [--step <step>]'

export const csv = command({
  name: 'figures csv',
  summary: `print one figure as CSV: ${figureFiles.join(', ')}`,
  usage: `<figure> ${windowUsage}`,
  options: windowOptions,
  async run({ args, options, env }: CommandCall<typeof windowOptions>) {
    const params = { file: `${requireArgument(args, 'the figure')}.csv` }
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
  tenantId: tenant,
  applicationId: application,
  product: product?.toUpperCase(),
  range,
  from,
  to,
  step,
})
