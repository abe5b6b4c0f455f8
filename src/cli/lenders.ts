// `lendloom lenders …`: how lenders answer, which are switched off, and switching one off or on, as the console does.
import { isUuid } from '#kit/crypto/id.ts'
import type { Db } from '#kit/db/sql.ts'
import { systemClock } from '#kit/runtime/clock.ts'
import { listLenders } from '#platform/console/lenders-store.ts'
import { listedLender, seenLenders } from '#platform/console/lenders-view.ts'
import { countEffect, isLender, type LenderName } from '#platform/lender/switch/store.ts'
import { switchOff, switchOn } from '#platform/lender/switch.ts'
import { type Call, CannotRun, command, type Group, only, required, table, UsageError } from './command.ts'
import { sealOf, withDatabase } from './database.ts'

const tenant = { type: 'string', value: 'tenantId', about: 'for this tenant; for all without it' } as const
const provider = {
  type: 'string',
  value: 'providerId',
  about: 'which provider of the subscriber, where it has several',
} as const
const whose = { tenant } as const
const which = { tenant, provider } as const

function tenantFrom(given: string | undefined): string | null {
  if (given === undefined) return null
  if (!isUuid(given)) throw new UsageError('--tenant is an id: see lendloom tenant list')
  return given.toLowerCase()
}

/** The lender of a subscriber id; it must be said which one where there are several. */
async function lenderOf(db: Db, args: string[], { tenant: given, provider: wanted }: Call<typeof which>['options']) {
  const bppId = only(args, 'the subscriber id of the lender')
  const tenantId = tenantFrom(given)
  const found = (await listLenders(db, tenantId, { after: null, limit: 1000 })).filter(
    (each) => each.bppId === bppId && (wanted === undefined || each.providerId === wanted),
  )
  const [lender, ...others] = found
  if (!lender) throw new CannotRun(`no lender ${bppId} is known: see lendloom lenders list`)
  if (others.length > 0)
    throw new UsageError(`say --provider, one of ${found.map(({ providerId }) => providerId).join(', ')}`)
  return { lender, tenantId }
}

const seen = (db: Db, env: NodeJS.ProcessEnv, tenantId: string | null, found: Parameters<typeof seenLenders>[2]) =>
  seenLenders({ db, seal: sealOf(env) }, tenantId, found, systemClock())

const list = command({
  name: 'lenders list',
  summary: 'lenders, what they answered in the last hour and in seven days, and which are switched off',
  usage: '[--tenant <tenantId>]',
  options: whose,
  async run({ options, env }: Call<typeof whose>) {
    const tenantId = tenantFrom(options.tenant)
    const all = await withDatabase('platform', env, async (db) =>
      seen(db, env, tenantId, await listLenders(db, tenantId, { after: null, limit: 1000 })),
    )
    const cells = all.map(({ name, bppId, providerId, hour, week, off }) => [
      name,
      bppId,
      providerId,
      `${hour.answered}/${hour.late}/${hour.refused}/${hour.silent + hour.unreached}`,
      `${week.answered}/${week.late}/${week.refused}/${week.silent + week.unreached}`,
      off.length === 0 ? 'on' : off.some(({ forAll }) => forAll) ? 'off for all' : `off for ${off.length} tenants`,
    ])
    const head = ['LENDER', 'SUBSCRIBER', 'PROVIDER', 'HOUR: IN TIME/LATE/REFUSED/SILENT', 'SEVEN DAYS', 'SWITCH']
    const text = cells.length > 0 ? table(head, cells) : 'No lender has answered yet.'
    return { text, data: { items: all.map(listedLender) } }
  },
})

const show = command({
  name: 'lenders show',
  summary:
    'a lender: its answers by action, its newest conversations, and whom it would concern if it were switched off',
  usage: '<subscriberId> [--provider <providerId>] [--tenant <tenantId>]',
  options: which,
  async run({ args, options, env }: Call<typeof which>) {
    const { detail, effect } = await withDatabase('platform', env, async (db) => {
      const { lender, tenantId } = await lenderOf(db, args, options)
      const [found] = await seen(db, env, tenantId, [lender])
      return { detail: found, effect: await countEffect(db, lender, tenantId, systemClock()) }
    })
    if (!detail) throw new CannotRun('there is no such lender')
    const cells = detail.actions.map(({ action, hour, week }) => [
      action,
      ...[hour.answered, hour.late, hour.refused, hour.silent].map(String),
      ...[week.answered, week.late, week.refused, week.silent].map(String),
    ])
    const head = ['ACTION', 'HOUR: IN TIME', 'LATE', 'REFUSED', 'SILENT', 'WEEK: IN TIME', 'LATE', 'REFUSED', 'SILENT']
    const lines = [
      `${detail.name}, ${detail.bppId} (${detail.providerId})`,
      ...detail.off.map(
        ({ forAll, tenantId, reason }) => `off for ${forAll ? 'all' : `tenant ${tenantId}`}: ${reason}`,
      ),
      `journeys: ${effect.searching} wait for its answer, ${effect.offered} may choose its offer, ${effect.chosen} have chosen it, ${effect.loans} loans`,
      ...(cells.length > 0 ? [table(head, cells)] : []),
    ]
    return { text: lines.join('\n'), data: { ...detail, effect } }
  },
})

const offOptions = {
  ...which,
  reason: { type: 'string', value: 'text', about: 'why, in ten characters or more; it is kept and shown' },
  searching: { type: 'string', value: 'number', about: 'how many journeys wait for its answer, as lenders show says' },
  offered: { type: 'string', value: 'number', about: 'how many may choose its offer, as lenders show says' },
} as const

const off = command({
  name: 'lenders switch-off',
  summary:
    'ask a lender for nothing new: its offers cannot be chosen until it is on again, and what was chosen goes on',
  usage:
    '<subscriberId> --reason <text> --searching <number> --offered <number> [--provider <providerId>] [--tenant <tenantId>]',
  options: offOptions,
  async run({ args, options, env }: Call<typeof offOptions>) {
    const reason = required(options.reason, 'reason')
    if (reason.trim().length < 10) throw new UsageError('--reason must say why in ten characters or more')
    const expected = {
      searching: countFrom('searching', options.searching),
      offered: countFrom('offered', options.offered),
    }
    const named = await withDatabase('platform', env, async (db) => {
      const { lender, tenantId } = await lenderOf(db, args, options)
      const of = { ...nameOf(lender), tenantId }
      await db.tx((tx) => switchOff({ tx, at: systemClock() }, null, of, { reason, expected }))
      return of
    })
    return { text: `${named.bppId} is switched off for ${whom(named.tenantId)}.`, data: named }
  },
})

const on = command({
  name: 'lenders switch-on',
  summary: 'ask a lender again that was switched off',
  usage: '<subscriberId> [--provider <providerId>] [--tenant <tenantId>]',
  options: which,
  async run({ args, options, env }: Call<typeof which>) {
    const named = await withDatabase('platform', env, async (db) => {
      const { lender, tenantId } = await lenderOf(db, args, options)
      const of = { ...nameOf(lender), tenantId }
      if (!(await isLender(db, of, tenantId))) throw new CannotRun('this tenant does not know such a lender')
      await db.tx((tx) => switchOn({ tx, at: systemClock() }, null, of))
      return of
    })
    return { text: `${named.bppId} is switched on for ${whom(named.tenantId)}.`, data: named }
  },
})

const nameOf = ({ bppId, providerId }: LenderName): LenderName => ({ bppId, providerId })
const whom = (tenantId: string | null): string => (tenantId === null ? 'all tenants' : `tenant ${tenantId}`)

function countFrom(name: string, given: string | undefined): number {
  const text = required(given, name)
  if (!/^\d{1,8}$/.test(text)) throw new UsageError(`--${name} must be a number, not "${text}"`)
  return Number(text)
}

export const lenders: Group = {
  name: 'lenders',
  summary: 'how lenders answer, and switching one off: list, show, switch-off, switch-on',
  commands: [list, show, off, on],
}
