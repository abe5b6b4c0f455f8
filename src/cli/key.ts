// `lendloom key …`: the API keys of a tenant; a key is shown once, when it is made.

import { calendarDate } from '#contract/identifier.ts'
import { systemClock } from '#kit/runtime/clock.ts'
import { isOneOf } from '#kit/runtime/narrow.ts'
import { isNetwork } from '#kit/runtime/network-list.ts'
import { issueKey, type Scope, scopes } from '#platform/access/api-key.ts'
import { listKeys, revokeKey } from '#platform/access/store.ts'
import { findApplication } from '#platform/access/tenant/store.ts'
import { noteStaffAct } from '#platform/staff/audit.ts'
import { type Call, CannotRun, command, type Group, only, required, UsageError } from './command.ts'
import { withDatabase } from './database.ts'
import { roll } from './key/roll.ts'
import { mustExist } from './tenant.ts'

const createOptions = {
  application: { type: 'string', value: 'applicationId', about: 'the application it belongs to' },
  label: { type: 'string', value: 'text', about: 'what it is for, shown in lists' },
  scope: {
    type: 'string',
    value: scopes.join('|'),
    about: 'what it may do; may be repeated (default: sessions and webhooks)',
    multiple: true,
  },
  live: { type: 'boolean', about: 'a live key (sk_live_) instead of a test key (sk_test_)' },
  expires: { type: 'string', value: 'YYYY-MM-DD', about: 'the day from which it no longer works' },
  address: {
    type: 'string',
    value: 'network',
    about: 'an address or network that it may be used from; may be repeated (default: from everywhere)',
    multiple: true,
  },
} as const

const create = command({
  name: 'key create',
  summary: 'make an API key; its text is shown once',
  usage:
    '<tenantId> --application <applicationId> [--label <text>] [--scope <scope>…] [--live] [--expires <day>] [--address <network>…]',
  options: createOptions,
  async run({ args, options, env }: Call<typeof createOptions>) {
    const tenantId = only(args, 'the tenant')
    const applicationId = required(options.application, 'application')
    const wanted = (options.scope ?? ['sessions', 'webhooks']).map(scopeFrom)
    const data = await withDatabase('platform', env, async (db) => {
      if (!(await findApplication(db, tenantId, applicationId)))
        throw new CannotRun('there is no such application of this tenant: see lendloom tenant list')
      const key = {
        tenantId,
        applicationId,
        label: options.label ?? 'made on the command line',
        scopes: wanted,
        live: options.live ?? false,
        expiresAt: dayFrom(options.expires),
        addresses: (options.address ?? []).map(networkFrom),
      }
      const at = systemClock()
      return db.tx(async (tx) => {
        const made = await issueKey(tx, key, at)
        const detail = { label: key.label, scopes: wanted.join(' ') }
        await noteStaffAct({ tx, at }, null, { act: 'KEY_CREATED', subject: made.keyId, tenantId, detail })
        return made
      })
    })
    return { text: `${data.apiKey}\n\nKeep it now: it cannot be shown again. Its id is ${data.keyId}.`, data }
  },
})

const list = command({
  name: 'key list',
  summary: 'show the keys of a tenant, without their text',
  usage: '<tenantId>',
  options: {},
  async run({ args, env }: Call<Record<string, never>>) {
    const tenantId = only(args, 'the tenant')
    const keys = await withDatabase('platform', env, async (db) => {
      const found = await listKeys(db, tenantId)
      if (found.length === 0) await mustExist(db, tenantId)
      return found
    })
    const text = keys
      .map(
        (key) =>
          `${key.keyId}  ${stateOf(key)}  ${key.scopes.join(',')}  last used ${key.lastUsedOn ?? 'never'}  ${key.label}`,
      )
      .join('\n')
    return { text: text || 'This tenant has no keys.', data: { keys } }
  },
})

const revokeOptions = { tenant: { type: 'string', value: 'tenantId', about: 'whose key it is' } } as const

const revoke = command({
  name: 'key revoke',
  summary: 'end a key; requests with it are refused within seconds',
  usage: '<keyId> --tenant <tenantId>',
  options: revokeOptions,
  async run({ args, options, env }: Call<typeof revokeOptions>) {
    const keyId = only(args, 'the id of the key')
    const tenantId = required(options.tenant, 'tenant')
    const at = systemClock()
    const known = await withDatabase('platform', env, (db) =>
      db.tx(async (tx) => {
        const isRevoked = await revokeKey(tx, tenantId, keyId, at)
        if (isRevoked) await noteStaffAct({ tx, at }, null, { act: 'KEY_REVOKED', subject: keyId, tenantId })
        return isRevoked
      }),
    )
    if (!known) throw new CannotRun('there is no such key of this tenant: see lendloom key list')
    return { text: `revoked ${keyId}`, data: { tenantId, keyId } }
  },
})

function networkFrom(text: string): string {
  if (!isNetwork(text))
    throw new UsageError(`--address must be an address or a network such as 10.0.0.0/8, not "${text}"`)
  return text
}

/** The beginning of a day in India, which is still to come: a key that never works helps nobody. */
function dayFrom(text: string | undefined): Date | null {
  if (text === undefined) return null
  if (calendarDate(text) !== text) throw new UsageError(`--expires must be a day as YYYY-MM-DD, not "${text}"`)
  const day = new Date(`${text}T00:00:00+05:30`)
  if (day <= systemClock()) throw new UsageError(`--expires must be a day to come, not "${text}"`)
  return day
}

const stateOf = ({ revokedAt, expiresAt }: { revokedAt: Date | null; expiresAt: Date | null }): string => {
  if (revokedAt) return 'revoked'
  return expiresAt && expiresAt <= systemClock() ? 'expired' : 'valid  '
}

export const key: Group = {
  name: 'key',
  summary: 'API keys: create, list, roll, revoke',
  commands: [create, list, roll, revoke],
}

function scopeFrom(text: string): Scope {
  if (!isOneOf(scopes, text)) throw new UsageError(`--scope must be one of ${scopes.join(', ')}, not "${text}"`)
  return text
}
