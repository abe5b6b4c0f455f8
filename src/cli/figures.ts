// `lendloom figures …`: what the console's overview shows, and counting all of it anew.
import { type Range, ranges, type Step, stepNames } from '#contract/console/overview-lists.ts'
import { productIds } from '#contract/product/product.ts'
import { isUuid } from '#kit/crypto/id.ts'
import { systemClock } from '#kit/runtime/clock.ts'
import { overviewOf } from '#platform/figures/read/overview.ts'
import { windowOf } from '#platform/figures/read/window.ts'
import { rebuild as countAnew } from '#platform/figures/rebuild.ts'
import { readProgress } from '#platform/figures/store.ts'
import { type Call, command, type Group, table, UsageError } from './command.ts'
import { withDatabase } from './database.ts'
import { csv } from './figures/csv.ts'

const showOptions = {
  tenant: { type: 'string', value: 'tenantId', about: 'of one tenant (default: of all)' },
  application: { type: 'string', value: 'applicationId', about: 'of one application' },
  product: { type: 'string', value: productIds.join('|'), about: 'of one product' },
  range: { type: 'string', value: ranges.join('|'), about: 'which window (default: 7d)' },
  from: { type: 'string', value: 'day', about: 'the first day of a custom window, as 2026-11-01' },
  to: { type: 'string', value: 'day', about: 'its last day (default: today)' },
  step: { type: 'string', value: stepNames.join('|'), about: 'of the series that --json prints (default: day)' },
} as const

function among<Word extends string>(words: readonly Word[], word: string | undefined, name: string): Word | undefined {
  if (word === undefined) return undefined
  const known = words.find((each) => each === word)
  if (!known) throw new UsageError(`--${name} must be one of ${words.join(', ')}, not "${word}"`)
  return known
}

function idOf(text: string | undefined, name: string): string | null {
  if (text !== undefined && !isUuid(text)) throw new UsageError(`--${name} is an id, not "${text}"`)
  return text ?? null
}

const show = command({
  name: 'figures show',
  summary: 'show what happened in a window of time: journeys, offers, deliveries, lenders, partner events',
  usage:
    '[--tenant <tenantId>] [--application <applicationId>] [--product <product>] [--range <range>] [--from <day>] [--to <day>] [--step <step>]',
  options: showOptions,
  async run({ options, env }: Call<typeof showOptions>) {
    const scope = {
      tenantId: idOf(options.tenant, 'tenant'),
      applicationId: idOf(options.application, 'application'),
      product: among(productIds, options.product, 'product') ?? null,
    }
    const range = among<Range>(ranges, options.range, 'range')
    const step = among<Step>(stepNames, options.step, 'step')
    const window = windowOf({ range, step, from: options.from, to: options.to }, systemClock())
    const data = await withDatabase('platform', env, (db) => overviewOf(db, scope, window))
    const rows = (
      [
        ['journeys', data.journeys],
        ['offers', data.offers],
        ['deliveries', data.deliveries],
        ['requests', data.requests],
        ['partner events', data.partnerEvents],
        ['platform events', data.platformEvents],
      ] as const
    ).flatMap(([name, lines]) =>
      lines.map(({ outcome, count, before }) => [name, outcome, String(count), String(before)]),
    )
    const counted = data.countedUntil ?? 'nothing yet'
    return { text: `${table(['FIGURE', 'OUTCOME', 'COUNT', 'BEFORE'], rows)}\n\nCounted until ${counted}.`, data }
  },
})

const rebuildOptions = {
  from: { type: 'string', value: 'day', about: 'only what happened since this day (default: since the first journey)' },
  resume: {
    type: 'boolean',
    about: 'go on with a rebuild that was ended in the middle, or with what workers have not checked',
  },
} as const

const rebuild = command({
  name: 'figures rebuild',
  summary:
    'count all figures anew, day by day, beside the workers; ended in the middle, it is gone on with by --resume',
  usage: '[--from <day>] [--resume]',
  options: rebuildOptions,
  async run({ options, json, env }: Call<typeof rebuildOptions>) {
    if (options.from !== undefined && options.resume)
      throw new UsageError('--resume goes on where it was: leave --from out')
    const from = options.from === undefined ? null : windowOf({ from: options.from }, systemClock()).from
    let days = 0
    const progress = await withDatabase('platform', env, async (db) => {
      await countAnew({ db, clock: systemClock }, { from, isNew: !options.resume }, ({ history, until }) => {
        days++
        if (!json) process.stderr.write(`\r${history.padEnd(10)} until ${until.toISOString()}  `)
      })
      return readProgress(db)
    })
    if (!json && days > 0) process.stderr.write('\n')
    return { text: `Counted ${days} days of histories anew.`, data: { days, progress } }
  },
})

export const figures: Group = {
  name: 'figures',
  summary: 'what the overview of the console counts: show, csv, rebuild',
  commands: [show, csv, rebuild],
}
