// Sends staff the links with which they choose their passwords. The token is made for the mail: nothing keeps it.

import { digestOf } from '#kit/crypto/token.ts'
import { RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { mailer, NotTaken } from '#kit/runtime/mail.ts'
import type { Context } from '#partner/context.ts'
import { staffMailSchedule } from '#partner/desk/staff/staff-mail.ts'
import { type LinkJob, linkAddress, linkQueue, newLinkToken } from './password-link.ts'
import { mintLink, noteLinkMail } from './store.ts'
import { linkMail } from './text-en.ts'

/** A link that has run out is no longer sent. */
export const sendingPasswordLinks = (ctx: Context): Worker =>
  work<LinkJob>({
    kind: linkQueue,
    ...{ db: ctx.db, clock: ctx.clock, log: ctx.log, concurrency: 1, schedule: staffMailSchedule },
    handle: ({ payload }) => sendLink(ctx, payload.linkId),
  })

/** Each try has a token of its own, which replaces that of the try before: the newest mail is the one that works. */
async function sendLink(ctx: Context, linkId: string): Promise<void> {
  const { db, clock, config } = ctx
  const token = newLinkToken()
  const link = await mintLink(db, linkId, digestOf(token))
  if (!link) return
  const send = mailer(config)
  if (!send) return noteLinkMail(db, linkId, 'FAILED', 'no mail server is set')
  if (link.expiresAt <= clock()) return noteLinkMail(db, linkId, 'FAILED', 'no mail server took it in time')
  const { PARTNER_LENDER_NAME: lender, PARTNER_PUBLIC_URL: publicUrl } = config
  const words = linkMail({ ...link, lender, link: linkAddress(publicUrl, token) })
  try {
    const answer = await send({ to: link.email, ...words, headers: { 'Auto-Submitted': 'auto-generated' } })
    await noteLinkMail(db, linkId, 'SENT', answer)
  } catch (error) {
    if (!(error instanceof NotTaken)) throw error
    if (error.isFinal) return noteLinkMail(db, linkId, 'FAILED', error.message)
    throw new RetryLater(null, 'the mail server did not take it')
  }
}
