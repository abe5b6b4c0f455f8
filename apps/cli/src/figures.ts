// `lendloom figures …`: the console's overview, and recounting all figures.

import { readProgress, rebuildFigures as recount, windowOf } from '@lendloom/platform/operations/figures'
import { type CommandCall, command, type Group, UsageError } from './command.ts'
import { operationsOf } from './console/commands.ts'
import { withDatabase } from './database.ts'
import { clockOf } from './installation.ts'

const rebuildOptions = {
  from: { type: 'string', value: 'day', about: 'recount from this day on (default: from the first journey)' },
  resume: {
    type: 'boolean',
    about: 'continue an interrupted rebuild or the interrupted check of the workers',
  },
} as const

const rebuild = command({
  name: 'figures rebuild',
  summary: 'recount all figures day by day while the workers run; --resume continues an interrupted rebuild',
  usage: '[--from <day>] [--resume]',
  options: rebuildOptions,
  async run({ options, json, env }: CommandCall<typeof rebuildOptions>) {
    if (options.from !== undefined && options.resume)
      throw new UsageError('--resume continues where the rebuild stopped, so it cannot be combined with --from')
    const from = options.from === undefined ? null : windowOf({ from: options.from }, clockOf(env)()).from
    let days = 0
    const progress = await withDatabase('platform', env, async (db) => {
      await recount({ db, clock: clockOf(env) }, { from, isNew: !options.resume }, ({ history, until }) => {
        days++
        if (!json) process.stderr.write(`\r${history.padEnd(10)} until ${until.toISOString()}  `)
      })
      return readProgress(db)
    })
    if (!json && days > 0) process.stderr.write('\n')
    return { text: `Recounted ${days} days of histories.`, data: { days, progress } }
  },
})

export const figures: Group = {
  name: 'figures',
  summary: 'the figures of the console’s overview',
  commands: [...operationsOf('figures'), rebuild],
}
