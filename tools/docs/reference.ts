// The reference pages generated from the code: settings, webhooks, events, errors.

import { documented } from '@lendloom/cli/src/settings.ts'
import { keysOf } from '@lendloom/foundation/record'
import { kinds, type RefusalKind } from '@lendloom/foundation/refusal'
import { sentenceOf } from '@lendloom/foundation/text'
import { livePolicy } from '@lendloom/platform/src/integrators/webhook/delivery-policy.ts'
import { oldSecretHours } from '@lendloom/platform/src/integrators/webhook/endpoint/store.ts'
import { codes as exchangeCodes } from '@lendloom/wire/exchange/error'
import { catalogue, eventTypes } from '@lendloom/wire/exchange/event-catalogue'
import { eventRules } from '@lendloom/wire/exchange/openapi-texts'
import { codes as headlessCodes } from '@lendloom/wire/headless/envelope'
import { eventVersion, LifecycleUpdate } from '@lendloom/wire/hosted/lifecycle'
import { statuses } from '@lendloom/wire/hosted/lifecycle-status'
import { loanEventVersion } from '@lendloom/wire/hosted/loan-event'
import { nackCodes } from '@lendloom/wire/network/errors'
import { toleranceSeconds } from '@lendloom/wire/webhook/signature'
import { code, fieldTable, page, table } from './markdown.ts'

export const settingsPage = (): string =>
  page(
    'Settings',
    'Programs read their settings from the environment only; `npm start` also reads the file `.env` (start from [.env.example](../../.env.example)). A secret may be in a file instead: `LENDLOOM_KEYS_FILE` names the file of `LENDLOOM_KEYS`, and so on. A program reports all wrong or missing values at start.',
    ...documented().flatMap(({ title, settings }) => [
      `## ${title}`,
      table(
        ['Setting', 'Purpose', 'Default'],
        settings.map(({ name, about, fallback, secret }) => [
          code(name),
          sentenceOf(about) + (secret ? ' **Secret**.' : ''),
          fallback === null ? 'none, required' : fallback === '' ? 'empty' : code(fallback),
        ]),
      ),
    ]),
  )

export const webhookPage = (): string =>
  page(
    'Lifecycle webhooks',
    'The platform posts each status of a journey to the webhook endpoints of its application and to the callback of its session. [Receive webhooks](../how-to/receive-webhooks.md) shows how to register and verify. The requirements are D1 §2.4 and §6.',
    '## Headers',
    table(
      ['Header', 'Value'],
      [
        ['`webhook-id`', 'the same for every try of an event'],
        [
          '`webhook-timestamp`',
          `Unix seconds of this try; refuse it if it differs from your clock by more than ${toleranceSeconds} s`,
        ],
        [
          '`webhook-signature`',
          `\`v1,\` and the base64 of HMAC-SHA256 over \`id.timestamp.body\`; one for each valid secret, so two for ${oldSecretHours} hours after a rotation`,
        ],
        [
          '`lendloom-event-version`',
          `the version of the body, ${code(eventVersion)}, of an event of a loan ${code(loanEventVersion)}; see [Versioning](versioning.md)`,
        ],
        [
          '`lendloom-missing`',
          'only if earlier updates of this journey were given up: their ids (`webhook-id`), oldest first, separated by spaces, at most six, and of a loan those among the last fifty events; a replayed one is no longer named once it is delivered',
        ],
        [
          '`lendloom-last-delivered`',
          'only directly after updates that were given up: the number of the last one delivered here, counted from 1 (`STARTED`), or 0; of a loan the `sequence` of the last event delivered here',
        ],
      ],
    ),
    'The signature covers only id, timestamp and body: confirm a missing update by `GET /api/lab/webhook-deliveries?missing=true`.',
    '## Statuses',
    statuses.map(code).join(', '),
    '## Tries',
    `A try times out after ${livePolicy.timeoutMs / 1000} seconds. A failed delivery is retried by [the schedule](retries.md), each try up to a tenth later, so that deliveries that failed together are not retried together. After the last try it is \`EXHAUSTED\` and stored.`,
    '## Body',
    fieldTable(LifecycleUpdate),
  )

export const eventPage = (): string =>
  page(
    'Events of the partner exchange',
    'The events that platform and lending partner exchange about an application (D3 §6). [partner.json](openapi/partner.json) has the envelope, the signatures and an example of each event.',
    table(
      ['Event', 'Sender', 'About', 'Says'],
      eventTypes.map((type) => {
        const { sender, entity, summary: says } = catalogue[type]
        return [`[${type}](#${type.toLowerCase()})`, sender, entity, sentenceOf(says)]
      }),
    ),
    ...eventTypes.flatMap((type) => [`## ${type}`, eventRules[type], fieldTable(catalogue[type].data)]),
  )

export const errorPage = (): string =>
  page(
    'Errors',
    'All errors of an API have the same format, and a reason has the same code in every operation. If `retryable` is true, the same request may succeed later: repeat it with the same `Idempotency-Key`.',
    '## Hosted sessions and Headless API',
    'The body is the envelope of D2 §2.1 with `data` null and `error: {code, message, retryable, details}`; the hybrid calls use snake_case. `details.fields` names every invalid field.',
    refusals(headlessCodes),
    'An internal error is 500 `UPSTREAM_TEMPORARY_FAILURE`, retryable.',
    '## Partner exchange',
    'The body is `{request_id, error: {code, message, retryable, fields}}` (D3 §7).',
    refusals(exchangeCodes),
    'An internal error is 500 `INTERNAL_ERROR`, retryable.',
    '## Open credit network',
    'A message that cannot be accepted is answered with a NACK. `BAP` is the platform, `BPP` a lender, `BG` the gateway (FIS12 §3.4).',
    table(
      ['Reason', ...Object.keys(nackCodes)],
      keysOf(nackCodes.BAP).map((reason) => [reason, ...Object.values(nackCodes).map((byReason) => byReason[reason])]),
    ),
  )

const refusals = (codes: Record<RefusalKind, [status: number, code: string, retryable: boolean]>): string =>
  table(
    ['Status', 'Code', 'Retryable', 'When'],
    keysOf(codes)
      .map((kind) => [kind, codes[kind]] as const)
      .sort(([, [a]], [, [b]]) => a - b)
      .map(([kind, [status, name, retryable]]) => [
        String(status),
        code(name),
        retryable ? 'yes' : 'no',
        sentenceOf(kinds[kind]),
      ]),
  )
