// `lendloom webhook check-signature`: explains whether a received message has a valid signature for its endpoint.

import { readFile } from 'node:fs/promises'
import { text as textOf } from 'node:stream/consumers'
import { messageOf } from '@lendloom/foundation/thrown'
import type { SignatureFinding, SignatureResult } from '@lendloom/wire/console/webhooks'
import { CannotRun, requireArgument, requireOption, UsageError } from '#cli/command.ts'
import { consoleCommand } from '#cli/console/ask.ts'
import { idOfResource } from '#cli/console/named-resources.ts'
import { tenantOption, tenantQuery } from '#cli/console/words.ts'

const options = {
  tenant: tenantOption,
  headers: { type: 'string', value: 'file', about: 'file of headers as `name: value` lines; - for standard input' },
  body: { type: 'string', value: 'file', about: 'file of the body, byte for byte; - for standard input' },
} as const

/** The meaning of each finding for the server's developer. */
const findingTexts: Record<SignatureFinding, string> = {
  right: 'the signature is right',
  'right-by-old-secret':
    'the signature is right, but made with the secret before the last rotation: use the new secret within a day',
  'too-old': 'the signature is right, but its time is too far away from now: refuse it as a replay, or set your clock',
  'header-missing': 'a header is missing',
  'timestamp-unreadable': 'webhook-timestamp is not a time in Unix seconds',
  'no-signature': 'webhook-signature has no signature that begins with v1,',
  'other-endpoint': 'the message was signed for another endpoint, with its secret',
  'line-break-added': 'the body has a line break at its end that was not sent',
  'body-reformatted': 'the body was reformatted, as by a JSON parser: verify the bytes as received',
  'body-changed': 'the body is not what was sent under this webhook-id',
  'wrong-secret': 'the body is what was sent, but the signature was made with a secret that is not, or no longer, ours',
  unknown: 'neither the signature nor the webhook-id is known for this endpoint',
}

export const checkSignature = consoleCommand({
  name: 'webhook check-signature',
  summary:
    'learn whether a message was signed for this endpoint, and why not; exit code 1 when a server should refuse it',
  usage: '<endpointId> --tenant <tenantId> --headers <file> --body <file>',
  options,
  route: 'POST /webhooks/endpoints/{endpointId}/check-signature',
  async input({ args, options }, ask) {
    const headers = requireOption(options.headers, 'headers')
    const body = requireOption(options.body, 'body')
    if (headers === '-' && body === '-') throw new UsageError('only one of --headers and --body can be -')
    const { tenantId } = tenantQuery(options)
    const endpointId = await idOfResource(ask, 'endpointId', requireArgument(args, 'the endpoint'), { tenantId })
    const params = { endpointId }
    return {
      params,
      query: tenantQuery(options),
      body: { headers: await contentOf(headers), body: await contentOf(body) },
    }
  },
  isFine: ({ finding }: SignatureResult) => finding === 'right' || finding === 'right-by-old-secret',
  text: ({ finding, header, endpointId, secondsAway, deliveryId }: SignatureResult) =>
    [
      `${findingTexts[finding]}${header === null ? '' : `: ${header}`}${endpointId === null ? '' : `: ${endpointId}`}`,
      ...(secondsAway === null
        ? []
        : [`its timestamp is ${Math.abs(secondsAway)} s ${secondsAway < 0 ? 'ahead' : 'ago'}`]),
      ...(deliveryId === null ? [] : [`the message is the delivery ${deliveryId}`]),
    ].join('\n'),
})

async function contentOf(file: string): Promise<string> {
  try {
    return await (file === '-' ? textOf(process.stdin) : readFile(file, 'utf8'))
  } catch (error) {
    throw new CannotRun(`${file} cannot be read: ${messageOf(error)}`)
  }
}
