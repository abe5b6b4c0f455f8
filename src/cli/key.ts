// `lendloom key …`: the API keys of a tenant; a key is shown once, when it is made.

import type { Keys, KeyView, NewKeyReply } from '#contract/console/developers.ts'
import { keyScopes } from '#contract/console/lists.ts'
import { calendarDate } from '#contract/identifier.ts'
import { type Group, only, required, UsageError } from './command.ts'
import { asking } from './console/ask.ts'
import { ofTenant, wordIn } from './console/words.ts'
import { roll } from './key/roll.ts'

const createOptions = {
  application: { type: 'string', value: 'applicationId', about: 'the application it belongs to' },
  label: { type: 'string', value: 'text', about: 'what it is for, shown in lists' },
  scope: {
    type: 'string',
    value: keyScopes.join('|'),
    about: 'what it may do; may be repeated (default: sessions and webhooks)',
    multiple: true,
  },
  live: { type: 'boolean', about: 'a live key (sk_live_) also in a sandbox, where a test key (sk_test_) is usual' },
  expires: { type: 'string', value: 'YYYY-MM-DD', about: 'the day from which it no longer works' },
  address: {
    type: 'string',
    value: 'network',
    about: 'an address or network that it may be used from; may be repeated (default: from everywhere)',
    multiple: true,
  },
} as const

const create = asking({
  name: 'key create',
  summary: 'make an API key; its text is shown once',
  usage:
    '<tenantId> --application <applicationId> [--label <text>] [--scope <scope>…] [--live] [--expires <day>] [--address <network>…]',
  options: createOptions,
  route: 'POST /developers/keys',
  input: ({ args, options: { application, label, scope, live, expires, address } }) => ({
    query: { tenantId: only(args, 'the tenant') },
    body: {
      applicationId: required(application, 'application'),
      label: label ?? 'made on the command line',
      scopes: (scope ?? ['sessions', 'webhooks']).map((word) => wordIn(keyScopes, word, 'scope')),
      ...{ isLive: live, expiresOn: dayIn(expires), addresses: address },
    },
  }),
  text: ({ apiKey, keyId }: NewKeyReply) => `${apiKey}\n\nKeep it now: it cannot be shown again. Its id is ${keyId}.`,
})

const list = asking({
  name: 'key list',
  summary: 'show the keys of a tenant, without their text, the newest first',
  usage: '<tenantId>',
  options: {},
  route: 'GET /developers/keys',
  input: ({ args }) => ({ query: { tenantId: only(args, 'the tenant') } }),
  text({ items }: Keys) {
    const lines = items.map((key) =>
      [key.keyId, stateOf(key), key.scopes.join(','), `last used ${key.lastUsedOn ?? 'never'}`, key.label].join('  '),
    )
    return lines.join('\n') || 'This tenant has no keys.'
  },
})

const revoke = asking({
  name: 'key revoke',
  summary: 'end a key; requests with it are refused within seconds',
  usage: '<keyId> --tenant <tenantId>',
  options: { tenant: { type: 'string', value: 'tenantId', about: 'whose key it is' } },
  route: 'DELETE /developers/keys/{keyId}',
  input: ({ args, options }) => ({ params: { keyId: only(args, 'the id of the key') }, query: ofTenant(options) }),
  text: (_: null, { args }) => `revoked ${args[0]}`,
})

function dayIn(text: string | undefined): string | undefined {
  if (text !== undefined && calendarDate(text) !== text)
    throw new UsageError(`--expires must be a day as YYYY-MM-DD, not "${text}"`)
  return text
}

const stateOf = ({ revokedAt, expiresAt }: KeyView): string => {
  if (revokedAt) return 'revoked'
  return expiresAt && new Date(expiresAt) <= new Date() ? 'expired' : 'valid  '
}

export const key: Group = {
  name: 'key',
  summary: 'API keys: create, list, roll, revoke',
  commands: [create, list, roll, revoke],
}
