// `lendloom audit …`: the audit log of the console, and the verification of its digest chain.

import { Refusal } from '@lendloom/foundation/refusal'
import { isUuid } from '@lendloom/foundation/uuid'
import { tenantIn, tenantKeyOf } from '@lendloom/identity/person'
import { platformTenant, type VerifiedChain, verifyAll, verifyChain } from '@lendloom/platform/operations/staff'
import { type CommandCall, command, type Group } from './command.ts'
import { operationsOf } from './console/commands.ts'
import { sealOf, withDatabase } from './database.ts'
import { headsFrom, headsNote, headsOption } from './heads.ts'
import { tenantIdOf } from './tenant.ts'

const verifyOptions = {
  tenant: { type: 'string', value: 'tenantId', about: 'only the log of this tenant, by its id or name' },
  heads: headsOption,
} as const

const verify = command({
  name: 'audit verify',
  summary: 'verify that no entry was changed, removed or inserted; exits with 1 if one was',
  usage: '[--tenant <tenantId>] [--heads <file>]',
  options: verifyOptions,
  async run({ options, env }: CommandCall<typeof verifyOptions>) {
    const { tenant } = options
    const tenantId = tenant === undefined ? null : await withDatabase('platform', env, (db) => tenantIdOf(db, tenant))
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
  summary: 'the audit log of the console, and its verification',
  commands: [...operationsOf('audit'), verify],
}
