// The mailbox in a browser: every mail that was sent, answering one, writing one; and the same as JSON.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { refusedByProvider } from '#contract/provider/request.ts'
import { isUuid } from '#kit/crypto/id.ts'
import { styleOf } from '#kit/design/style.ts'
import { refuseUnkeepable } from '#kit/http/body.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { type TSchema, Type } from '#kit/http/schema.ts'
import { type Answer, type Api, answer, anyone, type Route } from '#kit/http/server.ts'
import { readForDisplay } from '#kit/runtime/mail-read.ts'
import type { OpenMail } from './mail.ts'
import { type Draft, type MailboxView, mailboxPage } from './page.ts'
import { type MailboxContext, type MailDraft, sendMail, sidesOf } from './receive.ts'
import { findMail, listMails } from './store.ts'

/** A route of the mailbox: anybody may look, as everywhere in the sandbox. */
const mailboxRoute = <B extends TSchema, Q extends TSchema, P extends TSchema>(
  given: Omit<Route<MailboxContext, null, B, Q, P>, 'auth' | 'section'>,
): Route<MailboxContext, null, B, Q, P> => ({ ...given, auth: anyone, section: 'operation' })

const read = (...path: string[]): string => readFileSync(join(import.meta.dirname, ...path), 'utf8')
const files = {
  'mailbox.css': { type: 'text/css', text: styleOf(read('mailbox.css')) },
  'mailbox.js': { type: 'text/javascript', text: read('mailbox.js') },
} as const

const pageSize = 50
const largestForm = 16 << 20
const query = Type.Object({
  address: Type.Optional(Type.String({ maxLength: 320 })),
  mail: Type.Optional(Type.String()),
  before: Type.Optional(Type.String()),
  write: Type.Optional(Type.String()),
  sent: Type.Optional(Type.String()),
})
const params = Type.Object({ mailId: Type.String() })

type MailboxRequest = Pick<MailboxView, 'open' | 'draft' | 'notice'> & { address: string | null; before: string | null }

async function pageWith({ db, seal }: MailboxContext, wanted: MailboxRequest, status = 200): Promise<Answer> {
  const { address, before, ...rest } = wanted
  const rows = await listMails(db, seal, { address, before, limit: pageSize + 1 })
  const mails = rows.slice(0, pageSize)
  const next = rows.length > pageSize ? (mails.at(-1)?.mailId ?? null) : null
  return mailboxPage({ ...rest, address, mails, next }, status)
}

async function opened({ db, seal }: MailboxContext, mailId: string | undefined): Promise<OpenMail | null> {
  const found = mailId !== undefined && isUuid(mailId) ? await findMail(db, seal, mailId) : undefined
  return found ? { ...found.head, read: await readForDisplay(found.raw) } : null
}

const blank = { subject: '', text: '', fault: null }
const answerTo = (mail: OpenMail): Draft => ({ ...blank, ...sidesOf(mail) })

const show = mailboxRoute({
  method: 'GET',
  path: '/mailbox',
  summary: 'Every mail that was sent, and the one that is open',
  query,
  async handle({ query: { address, mail, before, write, sent } }, ctx) {
    const open = await opened(ctx, mail)
    const anew = write === undefined ? null : { ...blank, from: 'asha@mail.example', to: ctx.mailbox.grievances }
    const missing = mail !== undefined && !open ? 'This mail is no longer kept.' : null
    return pageWith(ctx, {
      ...{ address: address?.trim() || null, before: before !== undefined && isUuid(before) ? before : null, open },
      ...{
        draft: open ? answerTo(open) : anew,
        notice: sent === undefined ? missing : 'The platform has received your mail.',
      },
    })
  },
})

const listQuery = Type.Object({ address: Type.Optional(Type.String({ maxLength: 320 })) })
const list = mailboxRoute({
  method: 'GET',
  path: '/mailbox/mails',
  summary: 'The newest mails as JSON, from or to one address where it is given',
  query: listQuery,
  async handle({ query: { address } }, { db, seal }) {
    const heads = await listMails(db, seal, { address: address ?? null, before: null, limit: pageSize })
    const items = await Promise.all(heads.map(async (head) => ({ ...head, ...(await wire(db, seal, head.mailId)) })))
    return answer(200, { items })
  },
})

async function wire(db: MailboxContext['db'], seal: MailboxContext['seal'], mailId: string) {
  const found = await findMail(db, seal, mailId)
  if (!found) return {}
  const { text, messageId, inReplyTo, references, replyTo } = await readForDisplay(found.raw)
  return { text, messageId, inReplyTo, references, replyTo }
}

const fileParams = Type.Object({ mailId: Type.String(), number: Type.String() })
const file = mailboxRoute({
  method: 'GET',
  path: '/mailbox/{mailId}/files/{number}',
  summary: 'A file that came with a mail',
  params: fileParams,
  async handle({ params: { mailId, number } }, ctx) {
    const given = (await opened(ctx, mailId))?.read.files[Number(number)]
    if (!given) throw new Refusal('absent', 'there is no such file')
    return download(given.name, given.bytes)
  },
})

const raw = mailboxRoute({
  method: 'GET',
  path: '/mailbox/{mailId}/raw',
  summary: 'A mail as it came',
  params,
  async handle({ params: { mailId } }, { db, seal }) {
    const found = isUuid(mailId) ? await findMail(db, seal, mailId) : undefined
    if (!found) throw new Refusal('absent', 'there is no such mail')
    return download('mail.eml', found.raw)
  },
})

const download = (name: string, bytes: Buffer): Answer =>
  answer(200, bytes, {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    'x-content-type-options': 'nosniff',
    'content-security-policy': 'sandbox',
  })

const asset = (name: keyof typeof files) =>
  mailboxRoute({
    method: 'GET',
    path: `/mailbox/${name}`,
    summary: 'A file of the page',
    handle: () =>
      answer(200, files[name].text, {
        ...{ 'content-type': `${files[name].type}; charset=utf-8`, 'cache-control': 'no-cache' },
      }),
  })

const write = mailboxRoute({
  method: 'POST',
  path: '/mailbox/mails',
  accepts: 'stream',
  summary: 'Sends a mail to the platform',
  handle: async ({ stream, headers }, ctx) => taken(ctx, await written(stream, `${headers['content-type']}`), null),
})

const reply = mailboxRoute({
  method: 'POST',
  path: '/mailbox/{mailId}/answer',
  accepts: 'stream',
  params,
  summary: 'Answers a mail',
  async handle({ params: { mailId }, stream, headers }, ctx) {
    const mail = await written(stream, `${headers['content-type']}`)
    const open = await opened(ctx, mailId)
    if (!open) throw new Refusal('absent', 'there is no such mail')
    return taken(ctx, mail, open)
  },
})

/** What was typed is shown again beside what is wrong with it. */
async function taken(ctx: MailboxContext, mail: MailDraft, open: OpenMail | null): Promise<Answer> {
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

/** Reads a browser's form. Refused: `too-large` · `malformed` not a form. */
async function written(stream: Readable | undefined, contentType: string): Promise<MailDraft> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream ?? []) {
    size += chunk.length
    if (size <= largestForm) chunks.push(chunk)
  }
  if (size > largestForm) throw new Refusal('too-large', `a mail is not larger than ${largestForm >> 20} MiB`)
  const response = new Response(Buffer.concat(chunks), { headers: { 'content-type': contentType } })
  const form = await response.formData().catch(() => {
    throw new Refusal('malformed', 'this is no form')
  })
  const text = (name: string): string => {
    const value = form.get(name)
    if (typeof value === 'string') refuseUnkeepable(value, name)
    return typeof value === 'string' ? value.trim() : ''
  }
  const file = form.get('file')
  const given = file instanceof File && file.size > 0 ? file : null
  return {
    ...{ from: text('from'), to: text('to'), subject: text('subject'), text: text('text') },
    file: given && {
      ...{ filename: given.name, contentType: given.type || 'application/octet-stream' },
      content: Buffer.from(await given.arrayBuffer()),
    },
  }
}

export const mailboxApi: Api<MailboxContext> = {
  prefix: '/mailbox',
  routes: [show, list, write, reply, file, raw, asset('mailbox.css'), asset('mailbox.js')],
  refuse: refusedByProvider,
}
