// `lendloom figures csv`: the numbers behind one chart of the console's overview, for a spreadsheet.

import { type Call, only } from '#cli/command.ts'
import { asking } from '#cli/console/ask.ts'
import { figureFiles, ranges, stepNames } from '#contract/console/overview-lists.ts'

const options = {
  tenant: { type: 'string', value: 'tenantId', about: 'of one tenant (default: of all)' },
  application: { type: 'string', value: 'applicationId', about: 'of one application' },
  product: { type: 'string', value: 'product', about: 'of one product' },
  range: { type: 'string', value: ranges.join('|'), about: 'which window (default: 7d)' },
  from: { type: 'string', value: 'day', about: 'the first day of a custom window, as 2026-11-01' },
  to: { type: 'string', value: 'day', about: 'its last day (default: today)' },
  step: { type: 'string', value: stepNames.join('|'), about: 'how long each row is (default: day)' },
} as const

export const csv = asking({
  name: 'figures csv',
  summary: `print one figure as CSV: ${figureFiles.join(', ')}`,
  usage:
    '<figure> [--tenant <tenantId>] [--application <applicationId>] [--product <product>] [--range <range>] [--from <day>] [--to <day>] [--step <step>]',
  options,
  route: 'GET /overview/{file}',
  input: ({ args, options }) => ({
    params: { file: `${only(args, 'the figure')}.csv` },
    query: queryOf(options),
  }),
  text: (lines: string) => lines.trimEnd(),
})

const queryOf = ({ tenant, application, product, range, from, to, step }: Call<typeof options>['options']) => ({
  ...{ tenantId: tenant, applicationId: application, product: product?.toUpperCase(), range, from, to, step },
})
