// `lendloom key roll`: replaces a key; the old key stays valid for some hours.

import type { NewKeyReply } from '@lendloom/wire/console/developers'
import { maxOverlapHours } from '@lendloom/wire/console/lists'
import { requireArgument, requireOption } from '#cli/command.ts'
import { consoleCommand } from '#cli/console/ask.ts'
import { numberFrom, tenantQuery } from '#cli/console/words.ts'

const options = {
  tenant: { type: 'string', value: 'tenantId', about: 'tenant of the key' },
  'overlap-hours': {
    type: 'string',
    value: 'number',
    about: `hours for which the old key still works, 0 to ${maxOverlapHours}`,
  },
} as const

export const roll = consoleCommand({
  name: 'key roll',
  summary: 'replace a key, with the same label, scopes and addresses; the new key is shown once',
  usage: '<keyId> --tenant <tenantId> --overlap-hours <number>',
  options,
  route: 'POST /developers/keys/{keyId}/roll',
  input: ({ args, options }) => ({
    params: { keyId: requireArgument(args, 'the id of the key') },
    query: tenantQuery(options),
    body: { overlapHours: numberFrom(requireOption(options['overlap-hours'], 'overlap-hours'), 'overlap-hours') },
  }),
  text: ({ apiKey, keyId }: NewKeyReply) => `${apiKey}\n\nSave it now: it cannot be shown again. Its id is ${keyId}.`,
})
