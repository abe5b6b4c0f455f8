// The mailbox's routes: pages to read, answer and write mail, and a list as JSON.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { styleOf } from '@lendloom/design/style'
import { Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { type TSchema, Type } from '@lendloom/foundation/schema'
import { isUuid } from '@lendloom/foundation/uuid'
import { refuseUnstorable } from '@lendloom/http/body'
import type { SentForm } from '@lendloom/http/form'
import { type Answer, type Api, answer, type Route } from '@lendloom/http/server'
import { readForDisplay } from '@lendloom/mail/mail-read'
import { refusedByProvider } from '@lendloom/wire/provider/common-interface'
import { ownHost } from '#sandbox/core/own-host.ts'
import type { OpenMail } from './mail.ts'
import { type MailboxContext, type MailDraft, replyAddresses, sendMail } from './mail-server.ts'
import { type Draft, type MailboxView, mailboxPage } from './mailbox-pages.ts'
import { findMail, listMails } from './store.ts'

const mailboxRoute = <B extends TSchema, Q extends TSchema, P extends TSchema>(
  definition: Omit<Route<MailboxContext, null, B, Q, P>, 'auth' | 'section'>,
): Route<MailboxContext, null, B, Q, P> => ({
  ...definition,
  auth: ownHost('mailbox', '/mailbox'),
  section: 'operation',
})

const readAsset = (...path: string[]): string => readFileSync(join(import.meta.dirname, ...path), 'utf8')
const pageFiles = {
  'mailbox.css': { type: 'text/css', text: styleOf(readAsset('mailbox.css')) },
  'mailbox.js': { type: 'text/javascript', text: readAsset('mailbox.js') },
} as const

/** Mails on one page. */
const pageSize = 50
const query = Type.Object({
  address: Type.Optional(Type.String({ maxLength: 320 })),
  mail: Type.Optional(Type.String()),
  before: Type.Optional(Type.String()),
  write: Type.Optional(Type.String()),
  sent: Type.Optional(Type.String()),
})
const params = Type.Object({ mailId: Type.String() })

type MailboxRequest = Pick<MailboxView, 'open' | 'draft' | 'notice'> & { address: string | null; before: string | null }

async function pageWith({ db, seal }: MailboxContext, request: MailboxRequest, status = 200): Promise<Answer> {
  const { address, before, ...view } = request
  const rows = await listMails(db, seal, { address, before, limit: pageSize + 1 })
  const mails = rows.slice(0, pageSize)
  const next = rows.length > pageSize ? (mails.at(-1)?.mailId ?? null) : null
  return mailboxPage({ ...view, address, mails, next }, status)
}

async function openMail({ db, seal }: MailboxContext, mailId: string | undefined): Promise<OpenMail | null> {
  const stored = mailId !== undefined && isUuid(mailId) ? await findMail(db, seal, mailId) : undefined
  return stored ? { ...stored.head, content: await readForDisplay(stored.raw) } : null
}

const emptyDraft = { subject: '', text: '', fault: null }
const answerTo = (mail: OpenMail): Draft => ({ ...emptyDraft, ...replyAddresses(mail) })

const showMailbox = mailboxRoute({
  method: 'GET',
  path: '/mailbox',
  summary: 'The list of mails, and the open mail',
  query,
  async handle({ query: { address, mail, before, write: sendNew, sent } }, ctx) {
    const open = await openMail(ctx, mail)
    const newDraft =
      sendNew === undefined ? null : { ...emptyDraft, from: 'asha@mail.example', to: ctx.mailbox.grievances }
    const missingNotice = mail !== undefined && !open ? 'This mail has been deleted.' : null
    return pageWith(ctx, {
      address: address?.trim() || null,
      before: before !== undefined && isUuid(before) ? before : null,
      open,
      draft: open ? answerTo(open) : newDraft,
      notice: sent === undefined ? missingNotice : 'The platform has accepted your mail.',
    })
  },
})

const listQuery = Type.Object({ address: Type.Optional(Type.String({ maxLength: 320 })) })
const listMailsAsJson = mailboxRoute({
  method: 'GET',
  path: '/mailbox/mails',
  summary: 'The newest mails as JSON, optionally only from or to one address',
  query: listQuery,
  async handle({ query: { address } }, { db, seal }) {
    const heads = await listMails(db, seal, { address: address ?? null, before: null, limit: pageSize })
    const items = await Promise.all(
      heads.map(async (head) => ({ ...head, ...(await contentOf(db, seal, head.mailId)) })),
    )
    return answer(200, { items })
  },
})

async function contentOf(db: MailboxContext['db'], seal: MailboxContext['seal'], mailId: string) {
  const stored = await findMail(db, seal, mailId)
  if (!stored) return {}
  const { text, messageId, inReplyTo, references, replyTo } = await readForDisplay(stored.raw)
  return { text, messageId, inReplyTo, references, replyTo }
}

const fileParams = Type.Object({ mailId: Type.String(), number: Type.String() })
const attachment = mailboxRoute({
  method: 'GET',
  path: '/mailbox/{mailId}/files/{number}',
  summary: 'An attachment of a mail',
  params: fileParams,
  async handle({ params: { mailId, number } }, ctx) {
    const attachment = (await openMail(ctx, mailId))?.content.files[Number(number)]
    if (!attachment) throw new Refusal('absent', 'there is no such file')
    return download(attachment.name, attachment.bytes)
  },
})

const originalMail = mailboxRoute({
  method: 'GET',
  path: '/mailbox/{mailId}/raw',
  summary: 'The original mail',
  params,
  async handle({ params: { mailId } }, { db, seal }) {
    const stored = isUuid(mailId) ? await findMail(db, seal, mailId) : undefined
    if (!stored) throw new Refusal('absent', 'there is no such mail')
    return download('mail.eml', stored.raw)
  },
})

const download = (name: string, bytes: Buffer): Answer =>
  answer(200, bytes, {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': 'sandbox',
  })

const pageFile = (name: keyof typeof pageFiles) =>
  mailboxRoute({
    method: 'GET',
    path: `/mailbox/${name}`,
    summary: 'A file of the page',
    handle: () =>
      answer(200, pageFiles[name].text, {
        'content-type': `${pageFiles[name].type}; charset=utf-8`,
        'cache-control': 'no-cache',
      }),
  })

const mailForm = {
  accepts: 'form',
  files: { field: 'file', max: 1 },
  maxBytes: 16 << 20,
} as const

const sendNew = mailboxRoute({
  method: 'POST',
  path: '/mailbox/mails',
  ...mailForm,
  summary: 'Sends a mail to the platform',
  handle: ({ form }, ctx) => sendAndRedirect(ctx, draftFrom(form), null),
})

const sendAnswer = mailboxRoute({
  method: 'POST',
  path: '/mailbox/{mailId}/answer',
  ...mailForm,
  params,
  summary: 'Answers a mail',
  async handle({ params: { mailId }, form }, ctx) {
    const mail = draftFrom(form)
    const open = await openMail(ctx, mailId)
    if (!open) throw new Refusal('absent', 'there is no such mail')
    return sendAndRedirect(ctx, mail, open)
  },
})

/** Sends the mail. On a refusal, shows the form again with the typed text and the fault. */
async function sendAndRedirect(ctx: MailboxContext, mail: MailDraft, open: OpenMail | null): Promise<Answer> {
  try {
    await sendMail(ctx, mail, open)
    const location = open === null ? '/mailbox?sent=yes' : `/mailbox?mail=${open.mailId}&sent=yes`
    return answer(303, '', { location })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { field = '', fields = [] } = error.details
    const fault = { field, message: fields[0]?.message ?? error.message }
    const status = error.kind === 'upstream' ? 502 : 400
    return pageWith(ctx, { address: null, before: null, open, draft: { ...mail, fault }, notice: null }, status)
  }
}

/** The mail in a posted form. An empty file field is a mail without a file. */
function draftFrom(form: SentForm | undefined): MailDraft {
  const { fields, files: pageFiles } = required(form, 'a form')
  const text = (name: string): string => {
    const value = fields[name] ?? ''
    refuseUnstorable(value, name)
    return value.trim()
  }
  const attachment = pageFiles.find(({ bytes }) => bytes.length > 0)
  return {
    from: text('from'),
    to: text('to'),
    subject: text('subject'),
    text: text('text'),
    file: attachment
      ? {
          filename: attachment.name,
          contentType: attachment.type || 'application/octet-stream',
          content: attachment.bytes,
        }
      : null,
  }
}

export const mailboxApi: Api<MailboxContext> = {
  prefix: '/mailbox',
  routes: [
    showMailbox,
    listMailsAsJson,
    sendNew,
    sendAnswer,
    attachment,
    originalMail,
    pageFile('mailbox.css'),
    pageFile('mailbox.js'),
  ],
  refuse: refusedByProvider,
}
