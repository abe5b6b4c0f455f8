// Mails of a complaint in the console: accepting mail from other addresses, and retrying failed mail.

import { ComplaintDetail, EntryParams, MailParams, SettleRequest } from '#contract/console/complaints.ts'
import { OfTenant } from '#contract/console/staff.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { tenantIn } from '#kit/staff/person.ts'
import { findEntry } from '#platform/complaint/entry/store.ts'
import { settleMail } from '#platform/complaint/receive-mail.ts'
import { checkVersion, requireLockedComplaint } from '#platform/complaint/thread.ts'
import { common, prefix } from '#platform/console/route.ts'
import { route } from '#platform/context.ts'
import { mailsAbout, sendAgain } from '#platform/mail/queue-mail.ts'
import { noteStaffAct } from '#platform/staff/audit.ts'
import { platformTenant } from '#platform/staff/person.ts'
import { ofPlatform } from '#platform/staff/session.ts'
import { complaintPlace } from './complaint-place.ts'
import { detailOf } from './complaint-view.ts'

const path = `${prefix}/complaints`
const officers = ofPlatform('operator', 'grievance-officer', 'admin')

const settle = route({
  ...common,
  ...{ method: 'POST', path: `${path}/{complaintId}/entries/{entryId}/settle`, auth: officers },
  summary: 'Accept or dismiss a mail from another address',
  params: EntryParams,
  query: OfTenant,
  body: SettleRequest,
  reply: { 200: ComplaintDetail },
  async handle(call, ctx): Promise<ComplaintDetail> {
    const { who, params, body, at } = call
    const place = await complaintPlace(ctx, call)
    await ctx.db.tx(async (tx) => {
      const acting = { ...ctx, tx, at }
      const held = await requireLockedComplaint(acting, place)
      checkVersion(held.complaint, body.version)
      const entry = await findEntry(tx, ctx.seal, place, params.entryId)
      if (!entry) throw new Refusal('absent', 'there is no such entry')
      await settleMail(acting, held, { entry, isAccepted: body.accept, personId: who.personId })
      const act = body.accept ? 'COMPLAINT_MAIL_ACCEPTED' : 'COMPLAINT_MAIL_DISMISSED'
      const { complaintId: subject, tenantId } = place
      await noteStaffAct({ tx, at }, who, {
        act,
        subject,
        tenantId: tenantIn(tenantId),
        detail: { entryId: entry.entryId },
      })
    })
    return detailOf(ctx, who, place, at)
  },
})

const mailAgain = route({
  ...common,
  ...{ method: 'POST', path: `${path}/{complaintId}/mails/{mailId}/send-again`, auth: officers },
  summary: 'Retry a failed mail',
  params: MailParams,
  query: OfTenant,
  reply: { 200: ComplaintDetail },
  async handle(call, ctx): Promise<ComplaintDetail> {
    const { who, params, at } = call
    const place = await complaintPlace(ctx, call)
    await ctx.db.tx(async (tx) => {
      for (const tenantId of new Set([place.tenantId, platformTenant])) {
        const mails = await mailsAbout(tx, tenantId, 'complaint', place.complaintId)
        if (!mails.some(({ mailId }) => mailId === params.mailId)) continue
        await sendAgain({ tx, at }, { tenantId, mailId: params.mailId })
        const act = { act: 'COMPLAINT_MAIL_AGAIN', subject: place.complaintId, detail: { mailId: params.mailId } }
        return noteStaffAct({ tx, at }, who, { ...act, tenantId: tenantIn(place.tenantId) })
      }
      throw new Refusal('absent', 'there is no such mail')
    })
    return detailOf(ctx, who, place, at)
  },
})

export const complaintMailRoutes = [settle, mailAgain]
