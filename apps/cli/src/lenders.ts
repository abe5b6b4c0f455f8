// `lendloom lenders …`: health of lenders, and switching a lender off or on, as in the console.
import type { Lender, LenderDetail, LenderEffect } from '@lendloom/wire/console/lenders'
import {
  CannotRun,
  type CommandCall,
  command,
  type Group,
  requireArgument,
  requireOption,
  table,
  UsageError,
} from './command.ts'
import { type ConsoleCaller, consoleOf, everyItem } from './console/ask.ts'
import { numberFrom, resultTable } from './console/words.ts'

const tenant = { type: 'string', value: 'tenantId', about: 'only for this tenant (default: for all)' } as const
const provider = {
  type: 'string',
  value: 'providerId',
  about: 'provider, if the subscriber has several',
} as const
const lenderOptions = { tenant, provider } as const
const lenderRoute = '/lenders/{lenderId}'

const lendersOf = (ask: ConsoleCaller, tenantId: string | undefined) =>
  everyItem<Lender>(ask, 'GET /lenders', { query: { tenantId } })

/** The input of a route about the lender with a subscriber id; `--provider` selects one of its providers. */
async function lenderInput(
  ask: ConsoleCaller,
  args: string[],
  { tenant: tenantId, provider: named }: CommandCall<typeof lenderOptions>['options'],
) {
  const bppId = requireArgument(args, 'the subscriber id of the lender')
  const found = (await lendersOf(ask, tenantId)).filter(
    (each) => each.bppId === bppId && (named === undefined || each.providerId === named),
  )
  const [lender, ...others] = found
  if (!lender) throw new CannotRun(`lender ${bppId} does not exist: see lendloom lenders list`)
  if (others.length > 0)
    throw new UsageError(`--provider is required: one of ${found.map(({ providerId }) => providerId).join(', ')}`)
  return { params: { lenderId: lender.lenderId }, query: { tenantId } }
}

const list = command({
  name: 'lenders list',
  summary: 'list lenders with their responses in the last hour and seven days, and whether they are on',
  usage: '[--tenant <tenantId>]',
  options: { tenant },
  async run({ options, env }: CommandCall<{ tenant: typeof tenant }>) {
    const items = await lendersOf(consoleOf(env), options.tenant)
    return {
      text: resultTable(
        items,
        [
          { head: 'LENDER', of: ({ name }) => name },
          { head: 'SUBSCRIBER', of: ({ bppId }) => bppId },
          { head: 'PROVIDER', of: ({ providerId }) => providerId },
          {
            head: 'HOUR: IN TIME/LATE/REFUSED/SILENT',
            of: ({ hour }) => `${hour.answered}/${hour.late}/${hour.refused}/${hour.silent + hour.unreached}`,
          },
          {
            head: 'SEVEN DAYS',
            of: ({ week }) => `${week.answered}/${week.late}/${week.refused}/${week.silent + week.unreached}`,
          },
          {
            head: 'SWITCH',
            of: ({ off }) =>
              off.length === 0
                ? 'on'
                : off.some(({ forAll }) => forAll)
                  ? 'off for all'
                  : `off for ${off.length} tenants`,
          },
        ],
        'No lender has answered yet.',
      ),
      data: { items },
    }
  },
})

const show = command({
  name: 'lenders show',
  summary:
    'show a lender: its responses by action, its newest conversations, and the journeys that a switch-off would affect',
  usage: '<subscriberId> [--provider <providerId>] [--tenant <tenantId>]',
  options: lenderOptions,
  async run({ args, options, env }: CommandCall<typeof lenderOptions>) {
    const ask = consoleOf(env)
    const input = await lenderInput(ask, args, options)
    const [detail, effect] = await Promise.all([
      ask<LenderDetail>(`GET ${lenderRoute}`, input),
      ask<LenderEffect>(`GET ${lenderRoute}/effect`, input),
    ])
    const actions = table(detail.actions, [
      { head: 'ACTION', of: ({ action }) => action },
      { head: 'HOUR: IN TIME', of: ({ hour }) => hour.answered },
      { head: 'LATE', of: ({ hour }) => hour.late },
      { head: 'REFUSED', of: ({ hour }) => hour.refused },
      { head: 'SILENT', of: ({ hour }) => hour.silent },
      { head: 'WEEK: IN TIME', of: ({ week }) => week.answered },
      { head: 'LATE', of: ({ week }) => week.late },
      { head: 'REFUSED', of: ({ week }) => week.refused },
      { head: 'SILENT', of: ({ week }) => week.silent },
    ])
    const lines = [
      `${detail.name}, ${detail.bppId} (${detail.providerId})`,
      `grievance officer: ${detail.grievanceOfficer ?? 'not named'}; support: ${detail.supportEmail ?? 'not named'}`,
      ...detail.off.map(
        ({ forAll, tenantId, reason }) => `off for ${forAll ? 'all' : `tenant ${tenantId}`}: ${reason}`,
      ),
      `journeys: ${effect.searching} wait for its response, ${effect.offered} may choose its offer, ${effect.chosen} have chosen it, ${effect.loans} loans`,
      ...(detail.actions.length > 0 ? [actions] : []),
    ]
    return { text: lines.join('\n'), data: { ...detail, effect } }
  },
})

const switchOffOptions = {
  ...lenderOptions,
  reason: { type: 'string', value: 'text', about: 'reason, at least ten characters; it is stored and shown' },
  searching: {
    type: 'string',
    value: 'number',
    about: 'number of journeys that wait for its response, from lenders show',
  },
  offered: { type: 'string', value: 'number', about: 'number of journeys with an open offer, from lenders show' },
} as const

const switchOff = command({
  name: 'lenders switch-off',
  summary: 'switch a lender off: no new requests, and its open offers cannot be chosen; chosen offers continue',
  usage:
    '<subscriberId> --reason <text> --searching <number> --offered <number> [--provider <providerId>] [--tenant <tenantId>]',
  options: switchOffOptions,
  async run({ args, options, env }: CommandCall<typeof switchOffOptions>) {
    const body = {
      reason: requireOption(options.reason, 'reason'),
      searching: numberFrom(requireOption(options.searching, 'searching'), 'searching'),
      offered: numberFrom(requireOption(options.offered, 'offered'), 'offered'),
    }
    return switchLender('off', { args, options, env }, body)
  },
})

const switchOn = command({
  name: 'lenders switch-on',
  summary: 'switch a lender on again',
  usage: '<subscriberId> [--provider <providerId>] [--tenant <tenantId>]',
  options: lenderOptions,
  run: (call: CommandCall<typeof lenderOptions>) => switchLender('on', call),
})

type SwitchCall = Pick<CommandCall<typeof lenderOptions>, 'args' | 'options' | 'env'>

async function switchLender(to: 'off' | 'on', { args, options, env }: SwitchCall, body?: Record<string, unknown>) {
  const ask = consoleOf(env)
  const input = { ...(await lenderInput(ask, args, options)), ...(body && { body }) }
  const data = await ask<LenderDetail>(`POST ${lenderRoute}/switch-${to}`, input)
  const tenants = options.tenant === undefined ? 'all tenants' : `tenant ${options.tenant}`
  return { text: `${data.bppId} is switched ${to} for ${tenants}.`, data }
}

export const lenders: Group = {
  name: 'lenders',
  summary: 'health of lenders, and switching a lender off: list, show, switch-off, switch-on',
  commands: [list, show, switchOff, switchOn],
}
