// The calendar file of a visit to the lender's branch. It contains no personal data, because people share calendars.
import { calendarFile } from '@lendloom/documents/calendar-file'
import { Refusal } from '@lendloom/foundation/refusal'
import { Closed, Type } from '@lendloom/foundation/schema'
import { inlineFile } from '@lendloom/http/page-frame'
import { anyone } from '@lendloom/http/server'
import { type Context, route } from '#platform/context.ts'
import { dayUrl, openDayLink } from '#platform/day-link.ts'
import type { Offer } from '#platform/lending/offer/offer.ts'
import { findOffer } from '#platform/lending/offer/store.ts'
import { type PageText, readerOf } from '#platform/lending/page-text/page-text.ts'

type OfferWithVisit = Pick<Offer, 'tenantId' | 'journeyId' | 'offerId' | 'visitAt' | 'branches' | 'branchId'>

const visitLink = { prefix: '/lab/visit', context: 'visit link' }

/** Returns the time of the visit and the URL of its calendar file, valid for a day; null if the lender sent no time. */
export const visitView = (
  ctx: Pick<Context, 'seal' | 'config'>,
  { tenantId, journeyId, offerId, visitAt }: OfferWithVisit,
  lender: string,
  at: Date,
): { at: string; calendarUrl: string } | null =>
  visitAt && {
    at: visitAt.toISOString(),
    calendarUrl: dayUrl(ctx, visitLink, [tenantId, journeyId, offerId, lender], at),
  }

/** Lenders choose these texts, so they are cut. */
const longestName = 100
const longestPlace = 500

function visitCalendar(
  { offerId, branches, branchId }: OfferWithVisit,
  lender: string,
  { on, t, at }: { on: Date; t: PageText; at: Date },
): string {
  const branch = branches.find(({ id }) => id === branchId)
  const place = [branch?.name, branch?.address, branch?.pincode].filter(Boolean).join(', ').slice(0, longestPlace)
  const title = t('visit.event', { lender: lender.slice(0, longestName) })
  const event = { uid: `${offerId}-visit@lendloom`, on, title, text: t('visit.event.bring'), place }
  return calendarFile(title, [event], at)
}

/** GET /lab/visit/{token}: the visit as a calendar file, which a browser inside an app can open only at a URL. */
export const visitPage = route({
  method: 'GET',
  path: `${visitLink.prefix}/{token}`,
  section: 'D1 §2.4',
  summary: 'Get the visit to the branch as a calendar file',
  auth: anyone,
  hidden: true,
  params: Closed({ token: Type.String({ minLength: 1, maxLength: 2000 }) }),
  query: Type.Object({ lang: Type.Optional(Type.String()) }),
  async handle({ params, query, headers, at }, ctx) {
    const [tenantId = '', journeyId = '', offerId = '', lender = ''] = openDayLink(ctx, visitLink, params.token, at)
    const offer = await findOffer(ctx.db, { tenantId, journeyId }, offerId)
    if (!offer?.visitAt) throw new Refusal('absent', 'there is no such visit')
    const { t } = readerOf(headers, query.lang)
    const calendar = Buffer.from(visitCalendar(offer, lender, { on: offer.visitAt, t, at }))
    return inlineFile('branch-visit.ics', 'text/calendar; charset=utf-8', calendar)
  },
})
