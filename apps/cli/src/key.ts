// `lendloom key …`: the API keys of a tenant; a key is shown only when it is created.

import type { Keys, KeyView, NewKeyReply } from '@lendloom/wire/console/developers'
import { keyScopes } from '@lendloom/wire/console/lists'
import { calendarDate } from '@lendloom/wire/identifier'
import { type Group, requireArgument, requireOption, UsageError } from './command.ts'
import { consoleCommand } from './console/ask.ts'
import { tenantQuery, wordIn } from './console/words.ts'
import { roll } from './key/roll.ts'

const createOptions = {
  application: { type: 'string', value: 'applicationId', about: 'the application of the key' },
  label: { type: 'string', value: 'text', about: 'label in lists' },
  scope: {
    type: 'string',
    value: keyScopes.join('|'),
    about: 'scope; may be repeated (default: sessions and webhooks)',
    multiple: true,
  },
  live: { type: 'boolean', about: 'create a live key (sk_live_) in a sandbox (default there: sk_test_)' },
  expires: { type: 'string', value: 'YYYY-MM-DD', about: 'the day on which the key expires' },
  address: {
    type: 'string',
    value: 'network',
    about: 'allowed IP address or network; may be repeated (default: any)',
    multiple: true,
  },
} as const

const create = consoleCommand({
  name: 'key create',
  summary: 'create an API key, which is shown once',
  usage:
    '<tenantId> --application <applicationId> [--label <text>] [--scope <scope>…] [--live] [--expires <day>] [--address <network>…]',
  options: createOptions,
  route: 'POST /developers/keys',
  input: ({ args, options: { application, label, scope, live, expires, address } }) => ({
    query: { tenantId: requireArgument(args, 'the tenant') },
    body: {
      applicationId: requireOption(application, 'application'),
      label: label ?? 'created at the command line',
      scopes: (scope ?? ['sessions', 'webhooks']).map((word) => wordIn(keyScopes, word, 'scope')),
      isLive: live,
      expiresOn: expiryDay(expires),
      addresses: address,
    },
  }),
  text: ({ apiKey, keyId }: NewKeyReply) => `${apiKey}\n\nSave it now: it cannot be shown again. Its id is ${keyId}.`,
})

const list = consoleCommand({
  name: 'key list',
  summary: 'list the keys of a tenant without their text, newest first',
  usage: '<tenantId>',
  options: {},
  route: 'GET /developers/keys',
  input: ({ args }) => ({ query: { tenantId: requireArgument(args, 'the tenant') } }),
  text({ items }: Keys) {
    const lines = items.map((key) =>
      [key.keyId, stateOf(key), key.scopes.join(','), `last used ${key.lastUsedOn ?? 'never'}`, key.label].join('  '),
    )
    return lines.join('\n') || 'This tenant has no keys.'
  },
})

const revoke = consoleCommand({
  name: 'key revoke',
  summary: 'revoke a key; requests with it, and headless sessions that it opened, are refused within seconds',
  usage: '<keyId> --tenant <tenantId>',
  options: { tenant: { type: 'string', value: 'tenantId', about: 'tenant of the key' } },
  route: 'DELETE /developers/keys/{keyId}',
  input: ({ args, options }) => ({
    params: { keyId: requireArgument(args, 'the id of the key') },
    query: tenantQuery(options),
  }),
  text: (_: null, { args }) => `revoked ${args[0]}`,
})

function expiryDay(text: string | undefined): string | undefined {
  if (text !== undefined && calendarDate(text) !== text)
    throw new UsageError(`--expires must be a day in the form YYYY-MM-DD, not "${text}"`)
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
