// `lendloom audit …`: the audit log of the console, and whether its chain of digests holds.

import { isUuid } from '#kit/crypto/id.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { keptUnder, tenantIn } from '#kit/staff/person.ts'
import { auditFilter, commandLineWord } from '#platform/staff/audit/filter.ts'
import { listFiltered } from '#platform/staff/audit/store.ts'
import { type VerifiedChain, verifyAll, verifyChain } from '#platform/staff/audit.ts'
import { platformTenant } from '#platform/staff/person.ts'
import { type Call, command, type Group, table, UsageError } from './command.ts'
import { sealOf, withDatabase } from './database.ts'
import { headsFrom, headsNote, headsOption } from './heads.ts'

const tenant = { type: 'string', value: 'tenantId', about: 'whose log; the platform’s own without it' } as const
const listOptions = {
  tenant,
  person: { type: 'string', value: 'personId|command-line', about: 'only what this person did' },
  act: { type: 'string', value: 'ACT', about: 'only this act, as COMPLAINT_ANSWERED' },
  subject: { type: 'string', value: 'id', about: 'only what was done to this' },
  from: { type: 'string', value: 'day', about: 'from this day on, as 2026-11-21 in India' },
  until: { type: 'string', value: 'day', about: 'until the end of this day' },
  before: { type: 'string', value: 'sequence', about: 'only entries before this one' },
  limit: { type: 'string', value: 'number', about: 'how many, 1 to 1000 (default: 50)' },
} as const

const list = command({
  name: 'audit list',
  summary: 'show what people did, the newest first',
  usage:
    '[--tenant <tenantId>] [--person <personId>] [--act <ACT>] [--subject <id>] [--from <day>] [--until <day>] [--before <sequence>] [--limit <number>]',
  options: listOptions,
  async run({ options, env }: Call<typeof listOptions>) {
    const limit = numberFrom('limit', options.limit ?? '50', 1000)
    const before = options.before === undefined ? null : numberFrom('before', options.before, 2 ** 31 - 1)
    const { person = commandLineWord } = options
    if (person !== commandLineWord && !isUuid(person))
      throw new UsageError(`--person is an id or ${commandLineWord}, not "${person}"`)
    const rows = await withDatabase('platform', env, (db) =>
      listFiltered(db, keptUnder(tenantFrom(options.tenant)), auditFilter(options), { before, limit }),
    )
    const entries = rows.map(({ tenantId, digest, detail, ...row }) => {
      return { ...row, tenantId: tenantIn(tenantId), detail: JSON.parse(detail), digest: digest.toString('hex') }
    })
    const cells = rows.map(({ sequence, at, personId, act, subject, detail }) => {
      return [String(sequence), at, personId ?? 'command line', act, subject ?? '', detail === '{}' ? '' : detail]
    })
    const text = table(['NUMBER', 'AT', 'PERSON', 'ACT', 'SUBJECT', 'DETAIL'], cells)
    return { text: cells.length > 0 ? text : 'No entries yet.', data: { entries } }
  },
})

function tenantFrom(text: string | undefined): string | null {
  if (text !== undefined && !isUuid(text)) throw new UsageError(`--tenant is an id, not "${text}"`)
  return text ?? null
}

function numberFrom(name: string, text: string, most: number): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : 0
  if (number < 1 || number > most) throw new UsageError(`--${name} must be a number from 1 to ${most}, not "${text}"`)
  return number
}

const verifyOptions = { tenant: { ...tenant, about: 'only the log of this tenant' }, heads: headsOption } as const

const verify = command({
  name: 'audit verify',
  summary: 'read every entry and check that none was changed, taken out or put in; exit code 1 when one was',
  usage: '[--tenant <tenantId>] [--heads <file>]',
  options: verifyOptions,
  async run({ options, env }: Call<typeof verifyOptions>) {
    const chosen = tenantFrom(options.tenant)
    const only = chosen === null ? undefined : keptUnder(chosen)
    const heads = await headsFrom(
      options.heads,
      () => sealOf(env),
      (log) => (only === undefined ? log === platformTenant || isUuid(log) : log === only),
    )
    const chains = await withDatabase('platform', env, (db) =>
      only === undefined ? verifyAll(db, heads) : db.snapshot(async (run) => [await verifyChain(run, only, heads)]),
    )
    const found = chains.map((chain) => ({ ...chain, tenantId: tenantIn(chain.tenantId) }))
    for (const { tenantId, entries, fault } of found)
      if (fault)
        throw new Refusal(
          'damaged',
          `entry ${fault.sequence} of ${nameOf(tenantId)} does not fit: ${fault.why}; the ${entries} before it do`,
          { tenantId, sequence: fault.sequence, why: fault.why, chains: found },
        )
    const note = headsNote(options.heads, env)
    const text = [...found.map(lineOf), ...(note && found.length > 0 ? [note] : [])].join('\n')
    return { text: text || 'No entries yet.', data: { chains: found, note } }
  },
})

const nameOf = (tenantId: string | null): string => (tenantId === null ? 'the platform' : `tenant ${tenantId}`)

const lineOf = ({ tenantId, entries, digest }: Omit<VerifiedChain, 'tenantId'> & { tenantId: string | null }): string =>
  `${nameOf(tenantId)}: all ${entries} entries fit; the last digest is ${digest}`

export const audit: Group = {
  name: 'audit',
  summary: 'what people did in the console: list, verify',
  commands: [list, verify],
}
