// `lendloom audit …`: the audit log of the console, and the verification of its digest chain.

import { Refusal } from '@lendloom/foundation/refusal'
import { isUuid } from '@lendloom/foundation/uuid'
import { tenantIn, tenantKeyOf } from '@lendloom/identity/person'
import { platformTenant, type VerifiedChain, verifyAll, verifyChain } from '@lendloom/platform/operations/staff'
import type { AuditEntries } from '@lendloom/wire/console/staff'
import { type CommandCall, command, type Group, UsageError } from './command.ts'
import { consoleCommand } from './console/ask.ts'
import { pageOptions, resultTable } from './console/words.ts'
import { sealOf, withDatabase } from './database.ts'
import { headsFrom, headsNote, headsOption } from './heads.ts'

const tenant = {
  type: 'string',
  value: 'tenantId',
  about: 'tenant of the log (default: the platform’s own log)',
} as const
const listOptions = {
  tenant,
  person: { type: 'string', value: 'personId|command-line', about: 'only acts of this person' },
  act: { type: 'string', value: 'ACT', about: 'only this act, such as COMPLAINT_ANSWERED' },
  subject: { type: 'string', value: 'id', about: 'only acts on this id' },
  from: { type: 'string', value: 'day', about: 'from this day (India), such as 2026-11-21' },
  until: { type: 'string', value: 'day', about: 'until the end of this day (India)' },
  ...pageOptions,
} as const

const list = consoleCommand({
  name: 'audit list',
  summary: 'list the acts of console users, newest first',
  usage:
    '[--tenant <tenantId>] [--person <personId>] [--act <ACT>] [--subject <id>] [--from <day>] [--until <day>] [--after <cursor>] [--limit <number>]',
  options: listOptions,
  route: 'GET /audit',
  input: ({ options: { tenant, act, ...rest } }) => ({
    query: { ...rest, tenantId: tenant, act: act?.toUpperCase().replaceAll('-', '_') },
  }),
  text({ items, next }: AuditEntries) {
    return resultTable(
      items,
      [
        { head: 'NUMBER', of: ({ sequence }) => sequence },
        { head: 'AT', of: ({ at }) => at },
        { head: 'PERSON', of: ({ personId, personName }) => personName ?? personId ?? 'command line' },
        { head: 'ACT', of: ({ act }) => act },
        { head: 'SUBJECT', of: ({ subject }) => subject },
        { head: 'DETAIL', of: ({ detail }) => (Object.keys(detail).length === 0 ? '' : JSON.stringify(detail)) },
      ],
      'No entries yet.',
      next,
    )
  },
})

function tenantFrom(text: string | undefined): string | null {
  if (text !== undefined && !isUuid(text)) throw new UsageError(`--tenant must be an id, not "${text}"`)
  return text ?? null
}

const verifyOptions = { tenant: { ...tenant, about: 'only the log of this tenant' }, heads: headsOption } as const

const verify = command({
  name: 'audit verify',
  summary: 'verify that no entry was changed, removed or inserted; exits with 1 if one was',
  usage: '[--tenant <tenantId>] [--heads <file>]',
  options: verifyOptions,
  async run({ options, env }: CommandCall<typeof verifyOptions>) {
    const tenantId = tenantFrom(options.tenant)
    const tenantKey = tenantId === null ? undefined : tenantKeyOf(tenantId)
    const heads = await headsFrom(
      options.heads,
      () => sealOf(env),
      (log) => (tenantKey === undefined ? log === platformTenant || isUuid(log) : log === tenantKey),
    )
    const chains = await withDatabase('platform', env, (db) =>
      tenantKey === undefined
        ? verifyAll(db, heads)
        : db.snapshot(async (run) => [await verifyChain(run, tenantKey, heads)]),
    )
    const results = chains.map((chain) => ({ ...chain, tenantId: tenantIn(chain.tenantId) }))
    for (const { tenantId, entries, fault } of results)
      if (fault)
        throw new Refusal(
          'damaged',
          `entry ${fault.sequence} of ${nameOf(tenantId)} is invalid: ${fault.why}; the ${entries} entries before it are valid`,
          { tenantId, sequence: fault.sequence, why: fault.why, chains: results },
        )
    const note = headsNote(options.heads, env)
    const text = [...results.map(lineOf), ...(note && results.length > 0 ? [note] : [])].join('\n')
    return { text: text || 'No entries yet.', data: { chains: results, note } }
  },
})

const nameOf = (tenantId: string | null): string => (tenantId === null ? 'the platform' : `tenant ${tenantId}`)

const lineOf = ({ tenantId, entries, digest }: Omit<VerifiedChain, 'tenantId'> & { tenantId: string | null }): string =>
  `${nameOf(tenantId)}: all ${entries} entries are valid; the last digest is ${digest}`

export const audit: Group = {
  name: 'audit',
  summary: 'the audit log of the console: list, verify',
  commands: [list, verify],
}
