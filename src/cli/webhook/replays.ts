// `lendloom webhook replays …`: resends many deliveries: counted first, throttled, in order per journey.

import { setTimeout as sleep } from 'node:timers/promises'
import { type CommandCall, command, type Group } from '#cli/command.ts'
import { type ConsoleCaller, consoleCommand, consoleOf } from '#cli/console/ask.ts'
import {
  fieldLines,
  idOf,
  inCapitals,
  numberFrom,
  pageOptions,
  resultTable,
  tenantOption,
  tenantQuery,
} from '#cli/console/words.ts'
import { progressOn } from '#cli/progress.ts'
import { type Replay, type ReplayCount, type Replays, webhookStates } from '#contract/console/webhooks.ts'

const path = '/webhooks/replays'
const one = `${path}/{replayId}`
const whose = { tenant: tenantOption } as const
const detach = { type: 'boolean', about: 'return at once' } as const
const usage = '<replayId> --tenant <tenantId>'

const beginOptions = {
  ...whose,
  endpoint: { type: 'string', value: 'endpointId', about: 'only deliveries to this endpoint' },
  journey: { type: 'string', value: 'journeyId', about: 'only of this journey' },
  state: {
    type: 'string',
    value: webhookStates.join('|'),
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
    'send once more what a filter finds and what came after it in the same journeys; count it first by --dry-run',
  usage:
    '--tenant <tenantId> [--endpoint <id>] [--journey <id>] [--state <state>…] [--status <STATUS>…] [--from <instant>] [--until <instant>] [--per-second <number>] [--dry-run] [--detach]',
  options: beginOptions,
  async run({ options, json, env }: CommandCall<typeof beginOptions>) {
    const { endpoint: endpointId, journey: journeyId, from, until } = options
    const wanted = { endpointId, journeyId, from, until, states: inCapitals(options.state) }
    const filter = Object.fromEntries(
      Object.entries({ ...wanted, statuses: inCapitals(options.status) }).filter(([, value]) => value !== undefined),
    )
    const query = tenantQuery(options)
    const dryRun = options['dry-run'] ?? false
    const body = { filter, dryRun, perSecond: numberFrom(options['per-second'], 'per-second') }
    const ask = consoleOf(env)
    if (dryRun) {
      const data = await ask<ReplayCount>(`POST ${path}`, { query, body })
      const { chosen, updates, journeys, seconds } = data
      const text = `${chosen} deliveries are chosen; with what came after them ${updates} would be sent, of ${journeys} journeys, in about ${seconds} s`
      return { text, data }
    }
    const begun = await ask<Replay>(`POST ${path}`, { query, body })
    return watched(ask, begun, { query, json, isWaiting: !options.detach })
  },
})

interface WatchOptions {
  query: { tenantId: string }
  json: boolean
  isWaiting: boolean
}

const lookEveryMs = 500

/** Shows a replay's progress until it ends; interrupting the command does not stop the replay. */
async function watched(ask: ConsoleCaller, begun: Replay, { query, json, isWaiting }: WatchOptions) {
  const { replayId, updates } = begun
  const params = { replayId }
  const isShown = isWaiting && !json
  if (isShown)
    process.stderr.write(
      `replay ${replayId}: Ctrl-C ends the watching alone; lendloom webhook replays stop ${replayId} --tenant ${query.tenantId} stops it\n`,
    )
  const progress = isShown ? progressOn(process.stderr, 0, updates, (done) => `${done} of ${updates}`) : null
  let now = begun
  for (; isWaiting && now.state === 'RUNNING'; await sleep(lookEveryMs)) {
    now = await ask<Replay>(`GET ${one}`, { params, query })
    progress?.isAt(now.updatesDone)
  }
  progress?.end()
  return { text: described(now), data: now }
}

const described = ({ replayId, state, updatesDone, updates, journeysDone, journeys, journeysSkipped }: Replay) =>
  `${replayId} ${words[state]}: ${updatesDone} of ${updates} updates, ${journeysDone} of ${journeys} journeys${journeysSkipped > 0 ? `, ${journeysSkipped} skipped: their endpoint was gone` : ''}`

const words = { RUNNING: 'runs', STOPPED: 'is stopped', DONE: 'is done' }

const ofOne = ({ args, options }: Pick<CommandCall<{ tenant: typeof tenantOption }>, 'args' | 'options'>) => ({
  params: { replayId: idOf(args, 'the replay') },
  query: tenantQuery(options),
})

const listOptions = { ...whose, ...pageOptions } as const

const list = consoleCommand({
  name: 'webhook replays list',
  summary: 'list the replays of a tenant, newest first',
  usage: '--tenant <tenantId> [--after <cursor>] [--limit <number>]',
  options: listOptions,
  route: `GET ${path}`,
  input: ({ options: { tenant, after, limit } }) => ({ query: { ...tenantQuery({ tenant }), after, limit } }),
  text({ items, next }: Replays) {
    const rows = items.map(({ replayId, state, updatesDone, updates, startedAt, filter }) => [
      ...[replayId, state, `${updatesDone} of ${updates}`, startedAt, JSON.stringify(filter)],
    ])
    return resultTable(['REPLAY', 'STATE', 'UPDATES', 'BEGUN', 'FILTER'], rows, 'Nothing was replayed yet.', next)
  },
})

const show = consoleCommand({
  name: 'webhook replays show',
  summary: 'show the progress of a replay',
  usage,
  options: whose,
  route: `GET ${one}`,
  input: ofOne,
  text: (replay: Replay) => fieldLines(replay),
})

/** Acts on a replay and shows its progress, unless `--detach` is given. */
const watching = (verb: 'watch' | 'resume', summary: string, route: string) =>
  command({
    name: `webhook replays ${verb}`,
    summary,
    usage: `${usage}${verb === 'resume' ? ' [--detach]' : ''}`,
    options: verb === 'resume' ? { ...whose, detach } : whose,
    async run({ args, options, json, env }: CommandCall<typeof whose & { detach?: typeof detach }>) {
      const [ask, input] = [consoleOf(env), ofOne({ args, options })]
      const begun = await ask<Replay>(route, input)
      return watched(ask, begun, { query: input.query, json, isWaiting: !options.detach })
    },
  })

const stop = consoleCommand({
  name: 'webhook replays stop',
  summary: 'stop a replay; deliveries that are already due are still sent',
  usage,
  options: whose,
  route: `POST ${one}/stop`,
  input: ofOne,
  text: (replay: Replay) => described(replay),
})

export const replays: Group = {
  name: 'webhook replays',
  summary: 'replays of many deliveries: begin, watch, list, show, stop, resume',
  commands: [
    begin,
    watching('watch', 'show the progress of a replay, until it has ended', `GET ${one}`),
    list,
    show,
    stop,
    watching('resume', 'go on with a replay that was stopped, and show how far it is', `POST ${one}/resume`),
  ],
}
