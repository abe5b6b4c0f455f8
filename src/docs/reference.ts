// The reference pages that are lists of what the code has: settings, commands, webhooks, events, errors, HTTP operations.

import type { Command, CommandTree, Option } from '#cli/command.ts'
import { commands, common } from '#cli/main.ts'
import { documented } from '#cli/settings.ts'
import { catalogue, eventTypes } from '#contract/exchange/catalogue.ts'
import { codes as exchangeCodes } from '#contract/exchange/error.ts'
import { eventRules } from '#contract/exchange/openapi-texts.ts'
import { codes as headlessCodes } from '#contract/headless/envelope.ts'
import { LifecycleUpdate } from '#contract/hosted/lifecycle.ts'
import { statuses } from '#contract/hosted/lifecycle-status.ts'
import { nackCodes } from '#contract/network/errors.ts'
import { toleranceSeconds } from '#contract/webhook/signature.ts'
import { kinds, type RefusalKind } from '#kit/http/refusal.ts'
import { keysOf } from '#kit/runtime/record.ts'
import { live } from '#platform/webhook/delivery.ts'
import { oldSecretHours } from '#platform/webhook/endpoint/store.ts'
import { code, fieldTable, page, sentence, table } from './markdown.ts'

/** `docs/reference/settings.md`. */
export const settingsPage = (): string =>
  page(
    'Settings',
    'Programs read their settings from the environment and from nothing else; `npm start` reads the file `.env` as well, for which [.env.example](../../.env.example) is a beginning. Wrong or missing values are named at start, all at once.',
    ...documented().flatMap(({ title, settings }) => [
      `## ${title}`,
      table(
        ['Setting', 'What it is for', 'Default'],
        settings.map(({ name, about, fallback, secret }) => [
          code(name),
          sentence(about) + (secret ? ' **Secret**.' : ''),
          fallback === null ? 'none: it must be set' : fallback === '' ? 'empty' : code(fallback),
        ]),
      ),
    ]),
  )

/** `docs/reference/cli.md`. */
export async function commandPage(): Promise<string> {
  const entries = await Promise.all(
    Object.entries(commands).map(async ([name, { summary, load }]) => [
      `## ${name}`,
      sentence(summary),
      ...leaves(await load()).flatMap(described),
    ]),
  )
  return page(
    'Command line',
    '`npx lendloom <command>`; `npx lendloom help <command>` explains one. Exit codes: 0 done, 1 impossible or failed, 2 not understood.',
    `Every command takes ${Object.entries(common)
      .map(([name, { about }]) => `${code(`--${name}`)} (${about})`)
      .join(' and ')}.`,
    'What the console does too is asked of it over HTTP, with the rights of an admin of the platform: of the platform at `PUBLIC_URL`, or the one that runs here. The caller is known by `LENDLOOM_KEYS` (and `LENDLOOM_DIGEST_KEY`, where it is set), which must be those of the platform; each request carries a token that is made from them for one request and a minute.',
    'These need the database instead, and most of them no platform that runs: `migrate`, `database`, `keys`, `clock` and `desk`; `people add`, `password` and `unlink`, for the first person and for an installation that no admin can enter; `tenant create`, `list`, `add-application` and `products`; `audit verify`; `figures rebuild`; `exchange` for lists and transcripts of events, and for what the lending partner has; `network`.',
    ...entries.flat(),
  )
}

// biome-ignore lint/suspicious/noExplicitAny: commands with every set of options
type AnyCommand = Command<any>

const leaves = (found: AnyCommand | CommandTree): AnyCommand[] =>
  'commands' in found ? found.commands.flatMap((each) => leaves(each)) : [found]

function described({ name, usage, summary, options }: AnyCommand): string[] {
  const rows = Object.entries<Option>(options).map(([option, { type, value, about, multiple }]) => [
    code(`--${option}${type === 'string' ? ` <${value ?? 'text'}>` : ''}`),
    sentence(about) + (multiple ? ' May be repeated.' : ''),
  ])
  return [
    `### ${code(`lendloom ${name} ${usage}`.trim())}`,
    sentence(summary),
    ...(rows.length > 0 ? [table(['Option', 'Meaning'], rows)] : []),
  ]
}

/** `docs/reference/webhooks.md`. */
export const webhookPage = (): string =>
  page(
    'Lifecycle webhooks',
    'Each status that a journey reaches is posted to the webhook endpoints of its application and to the callback of its session. [Receive webhooks](../how-to/receive-webhooks.md) says how to register and to verify; D1 §2.4 and §6 are the requirement.',
    '## Headers',
    table(
      ['Header', 'Value'],
      [
        ['`webhook-id`', 'the same for every try of one event'],
        ['`webhook-timestamp`', `Unix seconds of this try; refuse it when it is more than ${toleranceSeconds} s away`],
        [
          '`webhook-signature`',
          `\`v1,\` and the base64 of HMAC-SHA256 over \`id.timestamp.body\`; one for each secret that is valid, so two for ${oldSecretHours} hours after a rotation`,
        ],
        [
          '`lendloom-last-delivered`',
          'only where updates of this journey before this one were given up: the number of the last one that arrived here, counted from 1 (`STARTED`), or 0 when none did. What came after it is kept, and can be replayed',
        ],
      ],
    ),
    '## Statuses',
    statuses.map(code).join(', '),
    '## Tries',
    `A try ends after ${live.timeoutMs / 1000} seconds; what was not taken is tried again by [the schedule](retries.md), each try up to a tenth later than it says, so that what failed together does not come back together. After the last one a delivery is \`EXHAUSTED\` and is kept.`,
    '## Body',
    fieldTable(LifecycleUpdate),
  )

/** `docs/reference/events.md`. */
export const eventPage = (): string =>
  page(
    'Events of the partner exchange',
    'What platform and lending partner tell each other of one application (D3 §6). The envelope, the signatures and an example of each event are in [partner.json](openapi/partner.json).',
    table(
      ['Event', 'Sender', 'About', 'Says'],
      eventTypes.map((type) => {
        const { sender, entity, says } = catalogue[type]
        return [`[${type}](#${type.toLowerCase()})`, sender, entity, sentence(says)]
      }),
    ),
    ...eventTypes.flatMap((type) => [`## ${type}`, eventRules[type], fieldTable(catalogue[type].data)]),
  )

/** `docs/reference/errors.md`. */
export const errorPage = (): string =>
  page(
    'Errors',
    'Every refusal has the same shape at one API, and the same reason has the same code at every operation. `retryable` says whether the same request may succeed later; repeat it under the same `Idempotency-Key`.',
    '## Hosted sessions and Headless API',
    'The body is the envelope of D2 §2.1 with `data` null and `error: {code, message, retryable, details}`; the hybrid calls spell it in snake_case. `details.fields` names every wrong field.',
    refusals(headlessCodes),
    'A failure that was not meant is 500 `UPSTREAM_TEMPORARY_FAILURE`, retryable.',
    '## Partner exchange',
    'The body is `{request_id, error: {code, message, retryable, fields}}` (D3 §7).',
    refusals(exchangeCodes),
    'A failure that was not meant is 500 `INTERNAL_ERROR`, retryable.',
    '## Open credit network',
    'A message that cannot be taken is answered with a NACK; `BAP` is the platform, `BPP` a lender, `BG` the gateway (FIS12 §3.4).',
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
        sentence(kinds[kind]),
      ]),
  )
