// `lendloom webhook replays …`: counts and resends many deliveries, throttled, in order per journey.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Replay, ReplayCount } from '@lendloom/wire/console/webhooks'
import { deliveryStates } from '@lendloom/wire/webhook/delivery-state'
import { type CommandCall, command, type Group } from '#cli/command.ts'
import { type ConsoleCaller, consoleOf } from '#cli/console/ask.ts'
import { operationsOf } from '#cli/console/commands.ts'
import { idOfResource } from '#cli/console/named-resources.ts'
import { idOf, inCapitals, numberFrom, tenantOption, tenantQuery } from '#cli/console/words.ts'
import { progressOn } from '#cli/progress.ts'

const path = '/webhooks/replays'
const replayPath = `${path}/{replayId}`
const tenantOnly = { tenant: tenantOption } as const
const detach = { type: 'boolean', about: 'return at once' } as const
const usage = '<replayId> --tenant <tenantId>'

const beginOptions = {
  ...tenantOnly,
  endpoint: { type: 'string', value: 'endpointId', about: 'only deliveries to this endpoint, by its address or id' },
  journey: { type: 'string', value: 'journeyId', about: 'only of this journey' },
  state: {
    type: 'string',
    value: deliveryStates.join('|'),
    about: 'only in this state; may be repeated (default: EXHAUSTED and STOPPED)',
    multiple: true,
  },
  status: { type: 'string', value: 'STATUS', about: 'only of this lifecycle status; may be repeated', multiple: true },
  from: { type: 'string', value: 'instant', about: 'created at or after this instant, such as 2026-11-21T10:00:00Z' },
  until: { type: 'string', value: 'instant', about: 'created before this instant' },
  'per-second': { type: 'string', value: 'number', about: 'maximum per second, 1 to 500' },
  'dry-run': { type: 'boolean', about: 'only count the deliveries' },
  detach,
} as const

const begin = command({
  name: 'webhook replays begin',
  summary:
    'resend the deliveries that match a filter, and all later ones of their journeys; count them first with --dry-run',
  usage:
    '--tenant <tenantId> [--endpoint <id>] [--journey <id>] [--state <state>…] [--status <STATUS>…] [--from <instant>] [--until <instant>] [--per-second <number>] [--dry-run] [--detach]',
  options: beginOptions,
  async run({ options, json, env }: CommandCall<typeof beginOptions>) {
    const ask = consoleOf(env)
    const query = tenantQuery(options)
    const { endpoint, journey: journeyId, from, until } = options
    const endpointId = endpoint && (await idOfResource(ask, 'endpointId', endpoint, query))
    const criteria = { endpointId, journeyId, from, until, states: inCapitals(options.state) }
    const filter = Object.fromEntries(
      Object.entries({ ...criteria, statuses: inCapitals(options.status) }).filter(([, value]) => value !== undefined),
    )
    const dryRun = options['dry-run'] ?? false
    const body = { filter, dryRun, perSecond: numberFrom(options['per-second'], 'per-second') }
    if (dryRun) {
      const data = await ask<ReplayCount>(`POST ${path}`, { query, body })
      const { chosen, updates, journeys, seconds } = data
      const text = `${chosen} deliveries match; with all later ones of their ${journeys} journeys, ${updates} would be sent in about ${seconds} s`
      return { text, data }
    }
    const started = await ask<Replay>(`POST ${path}`, { query, body })
    return watchReplay(ask, started, { query, json, isWaiting: !options.detach })
  },
})

interface WatchOptions {
  query: { tenantId: string }
  json: boolean
  isWaiting: boolean
}

const pollMs = 500

/** Shows a replay's progress until it ends; interrupting the command does not stop the replay. */
async function watchReplay(ask: ConsoleCaller, started: Replay, { query, json, isWaiting }: WatchOptions) {
  const { replayId, updates } = started
  const params = { replayId }
  const hasDisplay = isWaiting && !json
  if (hasDisplay)
    process.stderr.write(
      `replay ${replayId}: Ctrl-C ends only this display; lendloom webhook replays stop ${replayId} --tenant ${query.tenantId} stops the replay\n`,
    )
  const progress = hasDisplay ? progressOn(process.stderr, 0, updates, (done) => `${done} of ${updates}`) : null
  let current = started
  for (; isWaiting && current.state === 'RUNNING'; await sleep(pollMs)) {
    current = await ask<Replay>(`GET ${replayPath}`, { params, query })
    progress?.moveTo(current.updatesDone)
  }
  progress?.end()
  return { text: replayText(current), data: current }
}

const replayText = ({ replayId, state, updatesDone, updates, journeysDone, journeys, journeysSkipped }: Replay) =>
  `${replayId} ${stateTexts[state]}: ${updatesDone} of ${updates} updates, ${journeysDone} of ${journeys} journeys${journeysSkipped > 0 ? `, ${journeysSkipped} skipped because their endpoint was removed or disabled` : ''}`

const stateTexts = { RUNNING: 'runs', STOPPED: 'is stopped', DONE: 'is done' }

const ofReplay = ({ args, options }: Pick<CommandCall<{ tenant: typeof tenantOption }>, 'args' | 'options'>) => ({
  params: { replayId: idOf(args, 'the replay') },
  query: tenantQuery(options),
})

/** Acts on a replay and shows its progress, unless `--detach` is given. */
const watchCommand = (verb: 'watch' | 'resume', summary: string, route: string) =>
  command({
    name: `webhook replays ${verb}`,
    summary,
    usage: `${usage}${verb === 'resume' ? ' [--detach]' : ''}`,
    options: verb === 'resume' ? { ...tenantOnly, detach } : tenantOnly,
    async run({ args, options, json, env }: CommandCall<typeof tenantOnly & { detach?: typeof detach }>) {
      const ask = consoleOf(env)
      const input = ofReplay({ args, options })
      const started = await ask<Replay>(route, input)
      return watchReplay(ask, started, { query: input.query, json, isWaiting: !options.detach })
    },
  })

export const replays: Group = {
  name: 'webhook replays',
  summary: 'replays of many deliveries: begin, watch, list, show, stop, resume',
  commands: [
    ...operationsOf('webhook replays'),
    begin,
    watchCommand('watch', 'show the progress of a replay until it ends', `GET ${replayPath}`),
    watchCommand('resume', 'resume a stopped replay and show its progress', `POST ${replayPath}/resume`),
  ],
}
