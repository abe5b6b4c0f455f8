// `lendloom mail …`: mail that goes out, mail that came in and was set aside, and either of them once more.

import type { Mails } from '#contract/console/mail.ts'
import { mailKinds, mailStates } from '#contract/console/mail-lists.ts'
import { isUuid } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { nobody } from '#kit/messaging/queue.ts'
import { tenantIn } from '#kit/staff/person.ts'
import { findComplaint } from '#platform/complaint/store.ts'
import { handleAgain, rawMail } from '#platform/mail/handle.ts'
import { sendAgain } from '#platform/mail/queue-mail.ts'
import { listFailed, listSetAside, tenantOfMail } from '#platform/mail/store.ts'
import { noteStaffAct } from '#platform/staff/audit.ts'
import { type Call, CannotRun, command, type Group, only, table, UsageError } from './command.ts'
import { placeOf } from './complaints-files.ts'
import { asking } from './console/ask.ts'
import { listed, pageOptions } from './console/words.ts'
import { sealOf, withDatabase } from './database.ts'
import { timeOf } from './installation.ts'

type Plain = Call<Record<string, never>>
const most = 200

const mailIdFrom = (args: string[]): string => {
  const mailId = only(args, 'the id of the mail')
  if (!isUuid(mailId)) throw new UsageError('the id of a mail is a UUID')
  return mailId
}

const write = (env: NodeJS.ProcessEnv, work: (means: { tx: Tx; at: Date }) => Promise<void>): Promise<void> =>
  withDatabase('platform', env, (db) => db.tx((tx) => work({ tx, at: timeOf(env) })))

const listOptions = {
  tenant: { type: 'string', value: 'tenantId', about: 'only mail of this tenant' },
  state: { type: 'string', value: mailStates.join('|'), about: 'only what waits, was sent or was given up' },
  kind: { type: 'string', value: mailKinds.join('|'), about: 'only mail about this' },
  ...pageOptions,
} as const

const list = asking({
  name: 'mail list',
  summary: 'show mail that goes out, with the mail server’s answer; addresses are masked',
  usage: '[--tenant <tenantId>] [--state <state>] [--kind <kind>] [--after <cursor>] [--limit <number>]',
  options: listOptions,
  route: 'GET /mail',
  input: ({ options: { tenant, state, ...rest } }) => ({
    query: { ...rest, tenantId: tenant, state: state?.toUpperCase() },
  }),
  text({ items, next }: Mails) {
    const cells = items.map(({ mailId, kind, to, state, tries, createdAt, nextTryAt, answer }) => [
      ...[mailId, createdAt, kind, to, state, String(tries), nextTryAt ?? '', answer ?? ''],
    ])
    const head = ['MAIL', 'CREATED', 'KIND', 'TO', 'STATE', 'TRIES', 'NEXT TRY', 'ANSWER']
    return listed(head, cells, 'There is none.', next)
  },
})

const failed = command({
  name: 'mail failed',
  summary: `show mail that was given up, with the mail server's answer, the newest ${most}`,
  usage: '',
  options: {},
  async run({ env }: Plain) {
    const rows = await withDatabase('platform', env, (db) => listFailed(db, most))
    const mails = rows.map(({ tenantId, ...row }) => ({ ...row, tenantId: tenantIn(tenantId) }))
    const cells = rows.map((row) => [
      ...[row.mailId, row.kind, row.subjectId, String(row.tries)],
      ...[row.settledAt?.toISOString() ?? '', row.answer ?? ''],
    ])
    const text = table(['MAIL', 'KIND', 'ABOUT', 'TRIES', 'GIVEN UP', 'ANSWER'], cells)
    return { text: cells.length > 0 ? text : 'No mail was given up.', data: { mails } }
  },
})

const again = command({
  name: 'mail send-again',
  summary: 'send a mail at once that was given up or waits for its next try',
  usage: '<mailId>',
  options: {},
  async run({ args, env }: Plain) {
    const mailId = mailIdFrom(args)
    await write(env, async ({ tx, at }) => {
      const tenantId = await tenantOfMail(tx, mailId)
      if (tenantId === undefined) throw new CannotRun('there is no such mail')
      await sendAgain({ tx, at }, { tenantId, mailId })
      await noteStaffAct({ tx, at }, null, {
        act: 'MAIL_SENT_AGAIN',
        subject: mailId,
        tenantId: tenantIn(tenantId) ?? undefined,
      })
    })
    return { text: 'It is sent again.', data: { mailId } }
  },
})

const setAside = command({
  name: 'mail set-aside',
  summary: `show mail that came in and could not be handled, the newest ${most}`,
  usage: '',
  options: {},
  async run({ env }: Plain) {
    const mails = await withDatabase('platform', env, (db) => listSetAside(db, nobody, most))
    const cells = mails.map((row) => [row.mailId, row.receivedAt.toISOString(), String(row.sizeBytes), row.why])
    const text = table(['MAIL', 'CAME IN', 'BYTES', 'WHY'], cells)
    return { text: cells.length > 0 ? text : 'No mail was set aside.', data: { mails } }
  },
})

const handleOptions = {
  complaint: {
    type: 'string',
    value: 'number',
    about: 'the complaint that it belongs to; without it, tag, thread and address decide, or it opens a new one',
  },
} as const

const handle = command({
  name: 'mail handle-again',
  summary: 'handle a mail that was set aside',
  usage: '<mailId> [--complaint <number>]',
  options: handleOptions,
  async run({ args, options, env }: Call<typeof handleOptions>) {
    const mailId = mailIdFrom(args)
    const seal = sealOf(env)
    await withDatabase('platform', env, async (db) => {
      const place = options.complaint === undefined ? null : await placeOf(db, options.complaint)
      await db.tx(async (tx) => {
        const at = timeOf(env)
        const complaint = place && (await findComplaint(tx, seal, place))
        await handleAgain({ tx, at, seal }, mailId, complaint?.replyTag)
        const detail: Record<string, string> = complaint ? { complaint: complaint.number } : {}
        await noteStaffAct({ tx, at }, null, { act: 'MAIL_HANDLED_AGAIN', subject: mailId, detail })
      })
    })
    return { text: 'It is handled again.', data: { mailId } }
  },
})

const raw = command({
  name: 'mail raw',
  summary: 'print a mail that came in as it came; the audit log says so',
  usage: '<mailId>',
  options: {},
  async run({ args, env }: Plain) {
    const mailId = mailIdFrom(args)
    const seal = sealOf(env)
    const bytes = await withDatabase('platform', env, (db) => rawMail({ db, seal }, mailId))
    await write(env, ({ tx, at }) => noteStaffAct({ tx, at }, null, { act: 'MAIL_READ', subject: mailId }))
    return { text: bytes.toString('utf8'), data: { mailId, base64: bytes.toString('base64') } }
  },
})

export const mail: Group = {
  name: 'mail',
  summary: 'mail: what goes out, what was given up, what was set aside, once more',
  commands: [list, failed, again, setAside, handle, raw],
}
