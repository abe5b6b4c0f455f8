// `lendloom mail …`: mail that was given up, mail that was set aside, and either of them once more.

import { isUuid } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { nobody } from '#kit/messaging/queue.ts'
import { systemClock } from '#kit/runtime/clock.ts'
import { handleAgain, rawMail } from '#platform/mail/handle.ts'
import { sendAgain } from '#platform/mail/queue-mail.ts'
import { listFailed, listSetAside, tenantOfMail } from '#platform/mail/store.ts'
import { noteStaffAct } from '#platform/staff/audit.ts'
import { tenantIn } from '#platform/staff/person.ts'
import { type Call, CannotRun, command, type Group, only, table, UsageError } from './command.ts'
import { sealOf, withDatabase } from './database.ts'

type Plain = Call<Record<string, never>>
const most = 200

const mailIdFrom = (args: string[]): string => {
  const mailId = only(args, 'the id of the mail')
  if (!isUuid(mailId)) throw new UsageError('the id of a mail is a UUID')
  return mailId
}

const write = (env: NodeJS.ProcessEnv, work: (means: { tx: Tx; at: Date }) => Promise<void>): Promise<void> =>
  withDatabase('platform', env, (db) => db.tx((tx) => work({ tx, at: systemClock() })))

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
  summary: 'send a mail that was given up',
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

const handle = command({
  name: 'mail handle-again',
  summary: 'handle a mail that was set aside',
  usage: '<mailId>',
  options: {},
  async run({ args, env }: Plain) {
    const mailId = mailIdFrom(args)
    await write(env, async ({ tx, at }) => {
      await handleAgain({ tx, at }, mailId)
      await noteStaffAct({ tx, at }, null, { act: 'MAIL_HANDLED_AGAIN', subject: mailId })
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
  summary: 'mail: what was given up, what was set aside, once more',
  commands: [failed, again, setAside, handle, raw],
}
