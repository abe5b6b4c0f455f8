// POST /api/console/complaints: staff record a complaint made by telephone.

import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { answer } from '@lendloom/http/server'
import { tenantIn } from '@lendloom/identity/person'
import { ComplaintDetail, ComplaintRequest } from '@lendloom/wire/console/complaints'
import { mobilePattern, tenDigits } from '@lendloom/wire/identifier'
import { consoleCall, consolePrefix } from '#platform/api/console/console-route.ts'
import { noSuchJourney } from '#platform/api/console/journeys/journey-key.ts'
import { findJourneyKey } from '#platform/api/console/journeys/journeys-store.ts'
import { validateComplaintText } from '#platform/complaints/complaint/incoming-text.ts'
import { openComplaint } from '#platform/complaints/complaint/open-complaint.ts'
import { route } from '#platform/context.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { noteStaffAct } from '#platform/people/audit.ts'
import { emailFrom, platformTenant } from '#platform/people/person.ts'
import { readers, scopeOf } from './complaint-access.ts'
import { detailOf } from './complaint-view.ts'

const path = `${consolePrefix}/complaints`

const open = route({
  ...consoleCall,
  method: 'POST',
  path,
  auth: readers,
  summary: 'Record a complaint made by telephone',
  body: ComplaintRequest,
  reply: { 201: ComplaintDetail },
  async handle({ who, body, at }, ctx) {
    if (who.tenantId === null && who.role === 'viewer')
      throw new Refusal('forbidden', 'requires the role operator, grievance-officer or admin; yours is viewer')
    const scope = scopeOf(who, body.tenantId)
    const journeyKey = body.journeyId === undefined ? undefined : await findJourneyKey(ctx.db, body.journeyId, scope)
    if (body.journeyId !== undefined && !journeyKey) throw noSuchJourney()
    if (!journeyKey && who.tenantId !== null) throw invalid({ path: 'journeyId', message: 'is required' })
    const contact = contactFrom(body)
    const text = validateComplaintText(body.text)
    const complaintKey = await ctx.db.tx(async (tx) => {
      const journey = journeyKey ? ((await lockJourney(tx, journeyKey.tenantId, journeyKey.journeyId)) ?? null) : null
      const tenantId = journey?.tenantId ?? platformTenant
      const { category, language } = body
      const created = await openComplaint(
        { ...ctx, tx, at },
        {
          tenantId,
          origin: 'STAFF',
          category,
          text,
          language,
          attachments: [],
          contact,
          journey,
          personId: who.personId,
        },
      )
      const act = {
        act: 'COMPLAINT_OPENED',
        subject: created.complaintId,
        tenantId: tenantIn(tenantId),
        detail: { category },
      }
      await noteStaffAct({ tx, at }, who, act)
      return created
    })
    return answer(201, await detailOf(ctx, who, complaintKey, at))
  },
})

/** Validates and normalizes the contact data of the request; omits empty fields. */
function contactFrom({ name, email, mobile }: { name?: string; email?: string; mobile?: string }) {
  if (mobile?.trim() && !new RegExp(mobilePattern).test(mobile.trim()))
    throw invalid({ path: 'mobile', message: 'must be an Indian mobile number' })
  return {
    ...(name?.trim() && { name: name.trim() }),
    ...(email?.trim() && { email: emailFrom(email) }),
    ...(mobile?.trim() && { mobile: tenDigits(mobile.trim()) }),
  }
}

export const complaintOpenRoutes = [open]
