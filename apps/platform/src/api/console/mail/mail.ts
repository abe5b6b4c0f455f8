// Mail in the console: outgoing mail, incoming mail that was set aside, and retries of both.

import { maskedWords, scrub } from '@lendloom/foundation/mask'
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { answer } from '@lendloom/http/server'
import { tenantIn } from '@lendloom/identity/person'
import { readForDisplay, readHead } from '@lendloom/mail/mail-read'
import type { Run } from '@lendloom/postgres/sql'
import {
  HandleAgainReply,
  HandleAgainRequest,
  ListedMail,
  MailQuery,
  MailReveal,
  Mails,
  OneMailParams,
  RevealedMail,
  type SetAsideMail,
  SetAsideMails,
} from '@lendloom/wire/console/mail'
import { ListQuery } from '@lendloom/wire/console/staff'
import { consoleCall, consolePrefix, pageById, pageOfRows } from '#platform/api/console/console-route.ts'
import { maskedEmail } from '#platform/api/console/mask-borrower.ts'
import { parseComplaintNumber } from '#platform/complaints/complaint/complaint-number.ts'
import { findComplaint, findKeyByNumber } from '#platform/complaints/complaint/store.ts'
import { type Context, route } from '#platform/context.ts'
import type { MailContent } from '#platform/mail/outgoing-mail.ts'
import { mailContentContext, resendMail } from '#platform/mail/queue-mail.ts'
import { type MailEnvelope, mailPartContext } from '#platform/mail/receive-mail.ts'
import { rawMail, retryIncomingMail } from '#platform/mail/stored-mail.ts'
import { noteReasonedAct, noteStaffAct } from '#platform/people/audit.ts'
import { platformStaffOnly } from '#platform/people/console-authentication.ts'
import { countMails, findMail, type ListedRow, listMails, listSetAside, type SetAsideRow } from './mail-store.ts'

const path = `${consolePrefix}/mail`
const readRoute = { ...consoleCall, auth: platformStaffOnly() } as const
const actRoute = { ...consoleCall, auth: platformStaffOnly('operator', 'grievance-officer', 'admin') } as const
/** The list omits the subject of larger mails. Parsing a whole page of them could need a gigabyte of memory. */
const maxListedBytes = 256 << 10

const masked = (text: string): string => maskedWords(scrub(text))

const list = route({
  ...readRoute,
  method: 'GET',
  path,
  summary: 'Outgoing mail, newest first',
  query: MailQuery,
  reply: { 200: Mails },
  async handle({ query }, { db, seal }): Promise<Mails> {
    const { tenantId = null, state = null, kind = null } = query
    const page = pageById(query)
    const rows = await listMails(db, { tenantId, state, kind }, { ...page, limit: page.limit + 1 })
    const listed = pageOfRows(rows, page, { item: (row) => listedMail(seal, row), cursor: ({ mailId }) => mailId })
    return { ...listed, counts: await countMails(db, tenantId) }
  },
})

function listedMail(seal: Context['seal'], row: ListedRow): ListedMail {
  const { mailId, tenantId, tenantName: tenant, kind, subjectId, isCancellation, state, tries, answer } = row
  const { to, subject, attachments } = seal.openJson<MailContent>(row.contentSealed, mailContentContext(row))
  return {
    mailId,
    tenantId: tenantIn(tenantId),
    tenant,
    kind,
    subjectId,
    isCancellation,
    state,
    tries,
    answer,
    to: maskedEmail(to) ?? '',
    subject: masked(subject),
    files: attachments.length,
    nextTryAt: row.nextTryAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    settledAt: row.settledAt?.toISOString() ?? null,
  }
}

const resend = route({
  ...actRoute,
  method: 'POST',
  path: `${path}/{mailId}/send-again`,
  summary: 'Retry a failed or queued mail now',
  params: OneMailParams,
  reply: { 200: ListedMail },
  async handle({ who, params: { mailId }, at }, { db, seal }): Promise<ListedMail> {
    return db.tx(async (tx) => {
      const { tenantId } = await mailOf(tx, mailId)
      await resendMail({ tx, at }, { tenantId, mailId })
      await noteStaffAct({ tx, at }, who, { act: 'MAIL_SENT_AGAIN', subject: mailId, tenantId: tenantIn(tenantId) })
      return listedMail(seal, await mailOf(tx, mailId))
    })
  },
})

async function mailOf(db: Run, mailId: string): Promise<ListedRow> {
  const row = await findMail(db, mailId)
  if (!row) throw new Refusal('absent', 'there is no such mail')
  return row
}

const listSetAsideMails = route({
  ...readRoute,
  method: 'GET',
  path: `${path}/set-aside`,
  summary: 'Incoming mail that was set aside, newest first',
  query: ListQuery,
  reply: { 200: SetAsideMails },
  async handle({ query }, ctx): Promise<SetAsideMails> {
    const page = pageById(query)
    const rows = await listSetAside(ctx.db, { ...page, limit: page.limit + 1 })
    const { items, next } = pageOfRows(rows, page, { item: (row) => row, cursor: ({ mailId }) => mailId })
    const mails: SetAsideMail[] = []
    // Reads one mail at a time to save memory.
    for (const row of items) mails.push(await setAsideMail(ctx, row))
    return { items: mails, next }
  },
})

async function setAsideMail(ctx: Pick<Context, 'db' | 'seal'>, row: SetAsideRow): Promise<SetAsideMail> {
  const { mailId, why, sizeBytes, receivedAt, settledAt } = row
  const { from } = ctx.seal.openJson<MailEnvelope>(row.envelopeSealed, mailPartContext('envelope', row))
  const subject = sizeBytes > maxListedBytes ? null : (await readHead(await rawMail(ctx, mailId))).subject
  return {
    mailId,
    from: maskedEmail(from),
    subject: subject === null ? null : masked(subject),
    why,
    sizeBytes,
    receivedAt: receivedAt.toISOString(),
    setAsideAt: settledAt.toISOString(),
  }
}

const handleAgain = route({
  ...actRoute,
  method: 'POST',
  path: `${path}/set-aside/{mailId}/handle-again`,
  summary: 'Handle a set-aside mail again, optionally for a given complaint',
  params: OneMailParams,
  body: HandleAgainRequest,
  reply: { 200: HandleAgainReply },
  handle: ({ who, params: { mailId }, body, at }, { db, seal }): Promise<HandleAgainReply> =>
    db.tx(async (tx) => {
      const complaint = await complaintOf(tx, seal, body.complaint?.trim() ?? '')
      await retryIncomingMail({ tx, at, seal }, mailId, complaint?.replyTag)
      const detail: Record<string, string> = complaint ? { complaint: complaint.number } : {}
      await noteStaffAct({ tx, at }, who, { act: 'MAIL_HANDLED_AGAIN', subject: mailId, detail })
      return { mailId, complaintId: complaint?.complaintId ?? null }
    }),
})

/** Returns null if no number was typed. Throws `invalid` if no complaint has the number. */
async function complaintOf(db: Run, seal: Context['seal'], typedNumber: string) {
  if (typedNumber === '') return null
  const number = parseComplaintNumber(typedNumber)
  const key = number && (await findKeyByNumber(db, number, null))
  const complaint = key && (await findComplaint(db, seal, key))
  if (!complaint) throw invalid({ path: 'complaint', message: 'is not an existing complaint' })
  return complaint
}

const rawMailHeaders = { 'content-type': 'message/rfc822', 'content-disposition': 'attachment; filename="mail.eml"' }

const reveal = route({
  ...actRoute,
  method: 'POST',
  path: `${path}/set-aside/{mailId}/read`,
  summary: 'Show a set-aside mail unmasked; requires a reason',
  params: OneMailParams,
  body: MailReveal,
  reply: { 200: RevealedMail },
  async handle({ who, params: { mailId }, body, at }, ctx) {
    const bytes = await rawMail(ctx, mailId)
    const mail = body.raw ? null : await readForDisplay(bytes)
    const act = { act: 'MAIL_READ', subject: mailId, reason: body.reason }
    await ctx.db.tx((tx) => noteReasonedAct({ ...ctx, tx, at }, who, act))
    if (mail === null) return answer(200, bytes, rawMailHeaders)
    const { from, fromName, subject, text, files } = mail
    const listed = files.map(({ name, type, bytes }) => ({ name, type, size: bytes.length }))
    return { from, fromName, subject, text, files: listed } satisfies RevealedMail
  },
})

export const mailRoutes = [list, resend, listSetAsideMails, handleAgain, reveal]
