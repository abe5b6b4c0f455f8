// `lendloom key roll`: another key of the same kind, while the former works on for some hours.

import { only, required } from '#cli/command.ts'
import { asking } from '#cli/console/ask.ts'
import { numberFrom, ofTenant } from '#cli/console/words.ts'
import type { NewKeyReply } from '#contract/console/developers.ts'
import { longestOverlapHours } from '#contract/console/lists.ts'

const options = {
  tenant: { type: 'string', value: 'tenantId', about: 'whose key it is' },
  'overlap-hours': {
    type: 'string',
    value: 'number',
    about: `how long the former works beside it, 0 to ${longestOverlapHours}`,
  },
} as const

export const roll = asking({
  name: 'key roll',
  summary:
    'make a key with the label, scopes and addresses of another one, which works on for some hours; its text is shown once',
  usage: '<keyId> --tenant <tenantId> --overlap-hours <number>',
  options,
  route: 'POST /developers/keys/{keyId}/roll',
  input: ({ args, options }) => ({
    params: { keyId: only(args, 'the id of the key') },
    query: ofTenant(options),
    body: { overlapHours: numberFrom(required(options['overlap-hours'], 'overlap-hours'), 'overlap-hours') },
  }),
  text: ({ apiKey, keyId }: NewKeyReply) => `${apiKey}\n\nKeep it now: it cannot be shown again. Its id is ${keyId}.`,
})
