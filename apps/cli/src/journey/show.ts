// `lendloom journey show`: where a journey stands, what it waits for, its offers, steps and possible acts.

import { isObject } from '@lendloom/foundation/record'
import type { JourneyHead } from '@lendloom/wire/console/journeys'
import { consoleCommand } from '#cli/console/ask.ts'
import { amountText, listText, localTime, objectText } from '#cli/console/show.ts'
import { idOf, tenantOption } from '#cli/console/words.ts'

export const show = consoleCommand({
  name: 'journey show',
  summary: 'show a journey: what it waits for and until when, its offers, its steps and the possible actions',
  usage: '<journeyId> [--tenant <tenantId>]',
  options: { tenant: { ...tenantOption, about: 'fail unless the journey belongs to this tenant' } },
  route: 'GET /journeys/{journeyId}',
  input: ({ args, options }) => ({
    params: { journeyId: idOf(args, 'the journey') },
    query: { tenantId: options.tenant },
  }),
  text({ borrower, lender, loan, waitsFor, offers, steps, acts, deliveries, ...rest }: JourneyHead) {
    const { failing, ...counts } = deliveries
    const fields = {
      ...rest,
      lender: lender?.name,
      waitsFor: waitText(waitsFor),
      updatesWaiting: counts.waiting,
      updatesLost: counts.lost,
      ...borrower,
    }
    return [
      objectText(fields),
      ...section(
        'LOAN',
        isObject(loan) ? objectText(loan, ['outstanding', 'unpaidInstalments', 'overdue', 'nextDue.amount']) : '',
      ),
      ...section('OFFERS', listText(offers.map(offerLine), { none: '' })),
      ...section('STEPS', listText(steps, { none: '' })),
      ...section('ACTIONS', listText(acts, { none: '' })),
      ...section('UPDATES THAT FAIL', listText(failing, { none: '' })),
    ].join('\n')
  },
})

const section = (head: string, text: string): string[] => (text === '' ? [] : ['', head, text])

function waitText(waitsFor: JourneyHead['waitsFor']): string {
  if (waitsFor === null) return 'nothing'
  const { what, whose, since, until } = waitsFor
  return `${what} of the ${whose} since ${localTime(since)}${until === null ? '' : ` until ${localTime(until)}`}`
}

const offerLine = ({
  lender,
  status,
  reason,
  chosen,
  principal,
  installment,
  apr,
  term,
}: JourneyHead['offers'][number]) => ({
  lender,
  offer: chosen ? 'chosen' : status,
  principal: principal === null ? null : amountText(principal),
  installment: installment === null ? null : amountText(installment),
  apr,
  term,
  reason,
})
