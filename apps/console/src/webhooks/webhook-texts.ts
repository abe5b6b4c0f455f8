// Texts and colours of webhooks.

import type { Health, ReplayCount, SignatureResult } from '@lendloom/wire/console/webhooks'
import type { DeliveryState } from '@lendloom/wire/webhook/delivery-state'
import type { Tone } from '../ui/components.tsx'
import { countText, number } from '../ui/format-figures.ts'

export const healthWords: Record<Health, readonly [Tone, string]> = {
  delivering: ['good', 'Delivering'],
  failing: ['bad', 'Failing'],
  untried: ['warn', 'Not tried'],
  paused: ['warn', 'Paused'],
  disabled: ['bad', 'Disabled'],
  idle: ['plain', 'Nothing sent lately'],
}

export const stateWords: Record<DeliveryState, readonly [Tone, string]> = {
  PENDING: ['warn', 'Waiting'],
  DELIVERED: ['good', 'Delivered'],
  EXHAUSTED: ['bad', 'Given up'],
  STOPPED: ['bad', 'Stopped'],
}

/** What a replay sends, by the same figures as those of an endpoint: missed and waiting, and delivered ones again. */
export function replayedText({
  updates,
  missed,
  waiting,
}: Pick<ReplayCount, 'updates' | 'missed' | 'waiting'>): string {
  const again = updates - missed - waiting
  const parts = [
    missed > 0 && `${number(missed)} missed`,
    waiting > 0 && `${number(waiting)} waiting${missed > 0 ? ' behind them' : ''}`,
    again > 0 && (missed + waiting > 0 ? `${number(again)} delivered before` : countText(again, 'delivered update')),
  ].filter((part) => part !== false)
  return new Intl.ListFormat('en-IN').format(parts)
}

type SignatureFinding = SignatureResult['finding']

const receiverFaults =
  'If your server rejected it, its check is wrong. Usually it parses the body before it verifies, uses the secret of another endpoint, or does not decode the secret: base64 after whsec_.'

const findings: Record<SignatureFinding, readonly [Tone, string, string]> = {
  right: [
    'good',
    'The signature is valid',
    `It was made with the secret of this endpoint over exactly this body. ${receiverFaults}`,
  ],
  'right-by-old-secret': [
    'good',
    'The signature is valid, with the previous secret',
    'The secret was rotated recently, and both sign for a day. Switch your receiver to the new secret.',
  ],
  'too-old': [
    'warn',
    'The signature is valid, but its time is too far from now',
    `Receivers reject a difference of more than 300 seconds. If the message had just arrived, your server’s clock is wrong. If it is an old message, its time is as expected. ${receiverFaults}`,
  ],
  'header-missing': [
    'bad',
    'A header is missing',
    'All three headers are needed: check what your framework or proxy removes.',
  ],
  'timestamp-unreadable': [
    'bad',
    'webhook-timestamp is not a timestamp',
    'It must be a whole number of seconds, as received.',
  ],
  'no-signature': [
    'bad',
    'webhook-signature has no signature of version 1',
    'It must be one or more v1,… values, separated by spaces.',
  ],
  'other-endpoint': [
    'bad',
    'The message was signed with the secret of another endpoint',
    'Your receiver uses the secret of one endpoint for messages of another.',
  ],
  'line-break-added': [
    'warn',
    'The signature is valid without the white space at the end',
    'White space was added after the body, perhaps by pasting. Verify exactly the bytes received.',
  ],
  'body-reformatted': [
    'bad',
    'The body was parsed and serialised again',
    'Its content is the same, its bytes are not. Verify over the raw body, before any JSON parser.',
  ],
  'body-changed': [
    'bad',
    'The body was changed',
    'The signature is valid for the body we sent, but this body is different. Find what changes it before your check: a proxy, a decoder, or a copy with masked data.',
  ],
  'wrong-secret': [
    'bad',
    'The message was signed with another secret',
    'The body is what we sent, but the signature matches no valid secret of this endpoint.',
  ],
  unknown: [
    'bad',
    'The signature is invalid',
    'Either the secret is different or the body was changed. We did not send a message with this ID, so we cannot tell which.',
  ],
}

/** The tone, title and explanation of a signature check's result. */
export function findingWords({ finding, header, secondsAway }: SignatureResult): readonly [Tone, string, string] {
  const [tone, title, text] = findings[finding]
  if (header !== null) return [tone, `The header ${header} is missing`, text]
  if (finding !== 'too-old' || secondsAway === null) return [tone, title, text]
  return [tone, title, `The timestamp is ${number(Math.abs(secondsAway))} seconds from now. ${text}`]
}
