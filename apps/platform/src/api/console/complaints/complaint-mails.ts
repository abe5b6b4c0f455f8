// Routes for a complaint's mails: accept or dismiss mail from an unknown address, and resend failed mail.

import { Refusal } from '@lendloom/foundation/refusal'
import { tenantIn } from '@lendloom/identity/person'
import { ComplaintDetail, EntryParams, MailParams, SettleRequest } from '@lendloom/wire/console/complaints'
import { OfTenant } from '@lendloom/wire/console/staff'
import { consoleCall, consolePrefix } from '#platform/api/console/console-route.ts'
import { reviewUnverifiedMail } from '#platform/complaints/complaint/apply-mail.ts'
import { findEntry } from '#platform/complaints/complaint/entry/store.ts'
import { checkVersion, requireLockedComplaint } from '#platform/complaints/complaint/thread.ts'
import { route } from '#platform/context.ts'
import { listMailsAbout, resendMail } from '#platform/mail/queue-mail.ts'
import { noteStaffAct } from '#platform/people/audit.ts'
import { platformStaffOnly } from '#platform/people/console-authentication.ts'
import { platformTenant } from '#platform/people/person.ts'
import { requireComplaintKey } from './complaint-access.ts'
import { detailOf } from './complaint-view.ts'

const path = `${consolePrefix}/complaints`
const officers = platformStaffOnly('operator', 'grievance-officer', 'admin')

const reviewMail = route({
  ...consoleCall,
  method: 'POST',
  path: `${path}/{complaintId}/entries/{entryId}/settle`,
  auth: officers,
  summary: 'Accept or dismiss a mail from another address',
  params: EntryParams,
  query: OfTenant,
  body: SettleRequest,
  reply: { 200: ComplaintDetail },
  async handle(call, ctx): Promise<ComplaintDetail> {
    const { who, params, body, at } = call
    const key = await requireComplaintKey(ctx, call)
    await ctx.db.tx(async (tx) => {
      const actContext = { ...ctx, tx, at }
      const locked = await requireLockedComplaint(actContext, key)
      checkVersion(locked.complaint, body.version)
      const entry = await findEntry(tx, ctx.seal, key, params.entryId)
      if (!entry) throw new Refusal('absent', 'there is no such entry')
      await reviewUnverifiedMail(actContext, locked, { entry, isAccepted: body.accept, personId: who.personId })
      const act = body.accept ? 'COMPLAINT_MAIL_ACCEPTED' : 'COMPLAINT_MAIL_DISMISSED'
      const { complaintId: subject, tenantId } = key
      await noteStaffAct({ tx, at }, who, {
        act,
        subject,
        tenantId: tenantIn(tenantId),
        detail: { entryId: entry.entryId },
      })
    })
    return detailOf(ctx, who, key, at)
  },
})

const resend = route({
  ...consoleCall,
  method: 'POST',
  path: `${path}/{complaintId}/mails/{mailId}/send-again`,
  auth: officers,
  summary: 'Retry a failed mail',
  params: MailParams,
  query: OfTenant,
  reply: { 200: ComplaintDetail },
  async handle(call, ctx): Promise<ComplaintDetail> {
    const { who, params, at } = call
    const key = await requireComplaintKey(ctx, call)
    await ctx.db.tx(async (tx) => {
      for (const tenantId of new Set([key.tenantId, platformTenant])) {
        const mails = await listMailsAbout(tx, tenantId, 'complaint', key.complaintId)
        if (!mails.some(({ mailId }) => mailId === params.mailId)) continue
        await resendMail({ tx, at }, { tenantId, mailId: params.mailId })
        const act = { act: 'COMPLAINT_MAIL_AGAIN', subject: key.complaintId, detail: { mailId: params.mailId } }
        return noteStaffAct({ tx, at }, who, { ...act, tenantId: tenantIn(key.tenantId) })
      }
      throw new Refusal('absent', 'there is no such mail')
    })
    return detailOf(ctx, who, key, at)
  },
})

export const complaintMailRoutes = [reviewMail, resend]
