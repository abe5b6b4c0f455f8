// `lendloom mail …`: outgoing mail, incoming mail that was set aside, and retrying either.

import { mailKinds, mailStates } from '#contract/console/lists.ts'
import type { HandleAgainReply, ListedMail, Mails, SetAsideMails } from '#contract/console/mail.ts'
import { type CommandCall, command, type Group, required } from './command.ts'
import { asking, consoleOf } from './console/ask.ts'
import { idOf, listed, pageOptions } from './console/words.ts'

const ofOne = (args: string[]) => ({ params: { mailId: idOf(args, 'the mail') } })

const listOptions = {
  tenant: { type: 'string', value: 'tenantId', about: 'only mail of this tenant' },
  state: { type: 'string', value: mailStates.join('|'), about: 'only what waits, was sent or was given up' },
  kind: { type: 'string', value: mailKinds.join('|'), about: 'only mail about this' },
  ...pageOptions,
} as const

function mailTable({ items, next }: Mails): string {
  const cells = items.map(({ mailId, kind, to, state, tries, createdAt, nextTryAt, answer }) => [
    ...[mailId, createdAt, kind, to, state, String(tries), nextTryAt ?? '', answer ?? ''],
  ])
  const head = ['MAIL', 'CREATED', 'KIND', 'TO', 'STATE', 'TRIES', 'NEXT TRY', 'ANSWER']
  return listed(head, cells, 'There is none.', next)
}

const list = asking({
  name: 'mail list',
  summary: 'show mail that goes out, with the mail server’s answer; addresses are masked',
  usage: '[--tenant <tenantId>] [--state <state>] [--kind <kind>] [--after <cursor>] [--limit <number>]',
  options: listOptions,
  route: 'GET /mail',
  input: ({ options: { tenant, state, ...rest } }) => ({
    query: { ...rest, tenantId: tenant, state: state?.toUpperCase() },
  }),
  text: mailTable,
})

const failed = asking({
  name: 'mail failed',
  summary: 'show mail that was given up, with the mail server’s answer',
  usage: '[--after <cursor>] [--limit <number>]',
  options: pageOptions,
  route: 'GET /mail',
  input: ({ options: { after, limit } }) => ({ query: { state: 'FAILED', after, limit } }),
  text: mailTable,
})

const again = asking({
  name: 'mail send-again',
  summary: 'send a mail at once that was given up or waits for its next try',
  usage: '<mailId>',
  options: {},
  route: 'POST /mail/{mailId}/send-again',
  input: ({ args }) => ofOne(args),
  text: (_: ListedMail) => 'It is sent again.',
})

const setAside = asking({
  name: 'mail set-aside',
  summary: 'show mail that came in and could not be handled, the newest first',
  usage: '[--after <cursor>] [--limit <number>]',
  options: pageOptions,
  route: 'GET /mail/set-aside',
  input: ({ options: { after, limit } }) => ({ query: { after, limit } }),
  text({ items, next }: SetAsideMails) {
    const cells = items.map(({ mailId, receivedAt, sizeBytes, from, why }) => [
      ...[mailId, receivedAt, String(sizeBytes), from ?? '', why],
    ])
    return listed(['MAIL', 'CAME IN', 'BYTES', 'FROM', 'WHY'], cells, 'No mail was set aside.', next)
  },
})

const handle = asking({
  name: 'mail handle-again',
  summary: 'handle a mail that was set aside',
  usage: '<mailId> [--complaint <number>]',
  options: {
    complaint: {
      type: 'string',
      value: 'number',
      about: 'the complaint that it belongs to; without it, tag, thread and address decide, or it opens a new one',
    },
  },
  route: 'POST /mail/set-aside/{mailId}/handle-again',
  input: ({ args, options: { complaint } }) => ({ ...ofOne(args), body: { complaint } }),
  text: (_: HandleAgainReply) => 'It is handled again.',
})

const rawOptions = { reason: { type: 'string', value: 'text', about: 'why; the audit log keeps it' } } as const

const raw = command({
  name: 'mail raw',
  summary: 'print a mail that came in as it came, for a reason that the audit log keeps',
  usage: '<mailId> --reason <text>',
  options: rawOptions,
  async run({ args, options, env }: CommandCall<typeof rawOptions>) {
    const input = { ...ofOne(args), body: { reason: required(options.reason, 'reason'), raw: true } }
    const bytes = await consoleOf(env)<Buffer>('POST /mail/set-aside/{mailId}/read', input)
    return { text: bytes.toString('utf8'), data: { ...input.params, base64: bytes.toString('base64') } }
  },
})

export const mail: Group = {
  name: 'mail',
  summary: 'mail: what goes out, what was given up, what was set aside, once more',
  commands: [list, failed, again, setAside, handle, raw],
}
