// `lendloom mail …`: outgoing mail, quarantined incoming mail, and retries of both.

import { mailKinds, mailStates } from '@lendloom/wire/console/lists'
import type { HandleAgainReply, ListedMail, Mails, SetAsideMails } from '@lendloom/wire/console/mail'
import { type CommandCall, command, type Group, requireOption } from './command.ts'
import { consoleCommand, consoleOf } from './console/ask.ts'
import { idOf, pageOptions, resultTable } from './console/words.ts'

const mailParams = (args: string[]) => ({ params: { mailId: idOf(args, 'the mail') } })

const listOptions = {
  tenant: { type: 'string', value: 'tenantId', about: 'only mail of this tenant' },
  state: { type: 'string', value: mailStates.join('|'), about: 'only mail that is pending, was sent, or was given up' },
  kind: { type: 'string', value: mailKinds.join('|'), about: 'only mail of this kind' },
  ...pageOptions,
} as const

function mailTable({ items, next }: Mails): string {
  return resultTable(
    items,
    [
      { head: 'MAIL', of: ({ mailId }) => mailId },
      { head: 'CREATED', of: ({ createdAt }) => createdAt },
      { head: 'KIND', of: ({ kind }) => kind },
      { head: 'TO', of: ({ to }) => to },
      { head: 'STATE', of: ({ state }) => state },
      { head: 'TRIES', of: ({ tries }) => tries },
      { head: 'NEXT TRY', of: ({ nextTryAt }) => nextTryAt },
      { head: 'ANSWER', of: ({ answer }) => answer },
    ],
    'There is no such mail.',
    next,
  )
}

const list = consoleCommand({
  name: 'mail list',
  summary: 'list outgoing mail with the mail server’s response; addresses are masked',
  usage: '[--tenant <tenantId>] [--state <state>] [--kind <kind>] [--after <cursor>] [--limit <number>]',
  options: listOptions,
  route: 'GET /mail',
  input: ({ options: { tenant, state, ...rest } }) => ({
    query: { ...rest, tenantId: tenant, state: state?.toUpperCase() },
  }),
  text: mailTable,
})

const failed = consoleCommand({
  name: 'mail failed',
  summary: 'list mail that was given up, with the mail server’s response',
  usage: '[--after <cursor>] [--limit <number>]',
  options: pageOptions,
  route: 'GET /mail',
  input: ({ options: { after, limit } }) => ({ query: { state: 'FAILED', after, limit } }),
  text: mailTable,
})

const sendAgain = consoleCommand({
  name: 'mail send-again',
  summary: 'send a pending or given-up mail now',
  usage: '<mailId>',
  options: {},
  route: 'POST /mail/{mailId}/send-again',
  input: ({ args }) => mailParams(args),
  text: (_: ListedMail) => 'The mail will be sent again.',
})

const setAside = consoleCommand({
  name: 'mail set-aside',
  summary: 'list quarantined mail: incoming mail that could not be processed, newest first',
  usage: '[--after <cursor>] [--limit <number>]',
  options: pageOptions,
  route: 'GET /mail/set-aside',
  input: ({ options: { after, limit } }) => ({ query: { after, limit } }),
  text({ items, next }: SetAsideMails) {
    return resultTable(
      items,
      [
        { head: 'MAIL', of: ({ mailId }) => mailId },
        { head: 'RECEIVED', of: ({ receivedAt }) => receivedAt },
        { head: 'BYTES', of: ({ sizeBytes }) => sizeBytes },
        { head: 'FROM', of: ({ from }) => from },
        { head: 'REASON', of: ({ why }) => why },
      ],
      'No mail is quarantined.',
      next,
    )
  },
})

const handleAgain = consoleCommand({
  name: 'mail handle-again',
  summary: 'process a quarantined mail again',
  usage: '<mailId> [--complaint <number>]',
  options: {
    complaint: {
      type: 'string',
      value: 'number',
      about: 'complaint of the mail (default: by tag, thread or address, or else a new complaint)',
    },
  },
  route: 'POST /mail/set-aside/{mailId}/handle-again',
  input: ({ args, options: { complaint } }) => ({ ...mailParams(args), body: { complaint } }),
  text: (_: HandleAgainReply) => 'The mail will be processed again.',
})

const rawOptions = { reason: { type: 'string', value: 'text', about: 'reason for the audit log' } } as const

const raw = command({
  name: 'mail raw',
  summary: 'print the raw source of an incoming mail; the audit log records the reason',
  usage: '<mailId> --reason <text>',
  options: rawOptions,
  async run({ args, options, env }: CommandCall<typeof rawOptions>) {
    const input = { ...mailParams(args), body: { reason: requireOption(options.reason, 'reason'), raw: true } }
    const bytes = await consoleOf(env)<Buffer>('POST /mail/set-aside/{mailId}/read', input)
    return { text: bytes.toString('utf8'), data: { ...input.params, base64: bytes.toString('base64') } }
  },
})

export const mail: Group = {
  name: 'mail',
  summary: 'outgoing, failed and quarantined mail: list, retry',
  commands: [list, failed, sendAgain, setAside, handleAgain, raw],
}
