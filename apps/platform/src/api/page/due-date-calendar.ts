// The calendar file of a loan's due dates. It contains no personal data, because people share calendars.

import { type CalendarEvent, calendarFile } from '@lendloom/documents/calendar-file'
import { Refusal } from '@lendloom/foundation/refusal'
import { Closed, Type } from '@lendloom/foundation/schema'
import { inlineFile } from '@lendloom/http/page-frame'
import { anyone } from '@lendloom/http/server'
import { businessDate } from '@lendloom/lending/calendar'
import { inr } from '@lendloom/lending/money'
import { type Context, route } from '#platform/context.ts'
import { dayUrl, openDayLink } from '#platform/day-link.ts'
import { type Installment, installmentStatus } from '#platform/lending/journey/installment.ts'
import type { Offer } from '#platform/lending/offer/offer.ts'
import { findOffer } from '#platform/lending/offer/store.ts'
import { type PageText, readerOf } from '#platform/lending/page-text/page-text.ts'

interface LoanWithReminders {
  offerId: string
  lender: string
  installments: readonly Installment[]
}

const unpaidInstalments = (installments: readonly Installment[], at: Date): Installment[] =>
  installments.filter((each) => {
    const status = installmentStatus(each, at)
    return status !== 'PAID' && status !== 'CLOSED' && businessDate(new Date(each.dueAt)) >= businessDate(at)
  })

export function remindersOf({ offerId, lender, installments }: LoanWithReminders, t: PageText, at: Date): string {
  const days = unpaidInstalments(installments, at).map(
    ({ serialNumber, amount, dueAt }): CalendarEvent => ({
      uid: `${offerId}-${serialNumber}@lendloom`,
      on: businessDate(new Date(dueAt)),
      title: t('reminders.due', { amount: inr(BigInt(amount)), lender }),
      text: t('reminders.how', { lender }),
    }),
  )
  return calendarFile(t('reminders.name', { lender }), days, at)
}

const reminderLink = { prefix: '/lab/reminders', context: 'reminder link' }

/** Returns the URL of a loan's reminders, valid for a day; null without an unpaid future instalment. */
export const remindersUrl = (
  ctx: Pick<Context, 'seal' | 'config'>,
  { tenantId, journeyId, offerId, installments }: Offer,
  lender: string,
  at: Date,
): string | null =>
  unpaidInstalments(installments, at).length === 0
    ? null
    : dayUrl(ctx, reminderLink, [tenantId, journeyId, offerId, lender], at)

/**
 * GET /lab/reminders/{token}: a loan's calendar file. The file needs a URL, because a browser inside an app cannot save
 * a file that a page creates.
 */
export const reminderPage = route({
  method: 'GET',
  path: `${reminderLink.prefix}/{token}`,
  section: 'D1 §2.4',
  summary: 'Get the due dates of a loan as a calendar file',
  auth: anyone,
  hidden: true,
  params: Closed({ token: Type.String({ minLength: 1, maxLength: 2000 }) }),
  query: Type.Object({ lang: Type.Optional(Type.String()) }),
  async handle({ params, query, headers, at }, ctx) {
    const [tenantId = '', journeyId = '', offerId = '', lender = ''] = openDayLink(ctx, reminderLink, params.token, at)
    const offer = await findOffer(ctx.db, { tenantId, journeyId }, offerId)
    if (!offer) throw new Refusal('absent', 'there is no such loan')
    const { t } = readerOf(headers, query.lang)
    const { installments } = offer
    const calendar = Buffer.from(remindersOf({ offerId, lender, installments }, t, at))
    return inlineFile('loan-reminders.ics', 'text/calendar; charset=utf-8', calendar)
  },
})
