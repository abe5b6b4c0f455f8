// The steps of a loan follow in order: each page after the previous one, the disbursal after the order (FIS12 §12.4.4).

import type { Static } from '@lendloom/foundation/schema'
import type { Fault } from '@lendloom/wire/network/context'
import { formOutcome } from '@lendloom/wire/network/form-status'
import { isCallback } from '@lendloom/wire/network/sequence'
import type { Item } from '@lendloom/wire/network/v203/schema'
import { stopsOf } from '@lendloom/wire/network/v203/stops'
import { headingFrom } from '@lendloom/wire/network/v203/xinput'
import { type CheckedOrder, type LoanMessage, orderIn } from './loan-message.ts'

interface Page {
  formId: string
  isOurs: boolean
  heading: string | undefined
  headings: string[]
  /** The submission whose success the lender reported. Forms that the buyer fills in are not checked. */
  submission: string | null
  isAnswered: boolean
}

/**
 * Checks one conversation of valid messages (FIS12 §12.4.4). In 2.0.1, a report without form is about the current page, and
 * `reportsPages` is false: the request after a page may follow without a report (FIS12 §24).
 */
export function progressFaults(messages: readonly LoanMessage[], { reportsPages = true } = {}): Fault[] {
  const faults: Fault[] = []
  const pages = new Map<string, Page>()
  // Each offer of a lender has its own pages (FIS12 §19.1).
  const currentPages = new Map<string, Page>()
  const failures = new Map<string, string>()
  /** The newest submission of each page that a lender with stops reports as being filled in. */
  const lastReported = new Map<string, string>()
  let isConfirmed = false
  // A lender with stops places the order once the page is answered, and reports no success before (FIS12 §27.2).
  const hasStops = messages.some((each) => isTold(orderIn(each)))
  const section = 'FIS12 §12.4.4'

  for (const message of messages) {
    const { path, action } = message
    const order = orderIn(message)
    const item = order?.items?.[0]
    const { id: itemId = '', xinput } = item ?? {}
    const current = currentPages.get(itemId) ?? null
    const response = xinput?.form_response
    const known = response && !xinput?.form ? current : pages.get(xinput?.form?.id ?? '')
    const say = (where: string, text: string) =>
      faults.push({ path: `${path}.message.${where}`, message: text, section })

    if (message.action === 'on_search') {
      for (const page of pagesOf(message.message)) pages.set(page.formId, page)
    } else if (!isCallback(action)) {
      if (known && response) {
        if (hasStops && action === 'select') known.submission ??= lastReported.get(known.formId) ?? null
        const isUnreported = !reportsPages && known.submission === null
        if (!known.isOurs && !isUnreported && known.submission !== response.submission_id)
          say('order.items[0].xinput.form_response', `answers ${known.heading} before the lender reported its success`)
        known.isAnswered = true
      }
      if (failures.has(itemId)) say('order', `continues after ${failures.get(itemId)}`)
      if (action === 'confirm')
        for (const heading of openSteps(current, pages)) say('order', `comes before ${heading} is done`)
    } else if (order) {
      if (action === 'on_confirm') isConfirmed = true
      // A lender with stops pays out first, and the loan is confirmed afterwards (FIS12 §26.2).
      const isPaidOutFirst = isTold(order)
      const reported = response?.submission_id
      if (action === 'on_status' && isTold(order) && known && reported && formOutcome(response.status) !== 'failure')
        lastReported.set(known.formId, reported)
      const isPaidOut = order.fulfillments?.some(({ state }) => state?.descriptor.code === 'DISBURSED') ?? false
      if (!isConfirmed && isPaidOut && !isPaidOutFirst) say('order.fulfillments', 'is DISBURSED before on_confirm')
      if (known && response && formOutcome(response.status) === 'success')
        known.submission = response.submission_id ?? null
      if (known && response && formOutcome(response.status) === 'failure')
        failures.set(itemId, `${known.heading} was ${response.status}`)
      const [next] = item ? pagesIn(item) : []
      if (next && current && current.heading !== next.heading && !current.isAnswered)
        say('order.items[0].xinput', `offers ${next.heading} before ${current.heading} is done`)
      if (next) {
        pages.set(next.formId, next)
        currentPages.set(itemId, next)
      }
    }
  }
  return faults
}

/** Whether the order has progress by stops. */
const isTold = (order: CheckedOrder | undefined): boolean =>
  order?.fulfillments?.some((each) => stopsOf(each).length > 0) ?? false

const pagesOf = ({ catalog }: (LoanMessage & { action: 'on_search' })['message']): Page[] =>
  catalog.providers.flatMap(({ items }) => items.flatMap(pagesIn))

/** The page of an item, if any; not an answered form that a consent request repeats outside the steps (FIS12 §19.2). */
function pagesIn({ xinput }: Static<typeof Item>): Page[] {
  if (!xinput?.form?.url || (!xinput.head && xinput.form_response)) return []
  const { form, head } = xinput
  const headings = head?.headings?.map(headingFrom) ?? []
  const place = headings[head?.index?.cur ?? 0]
  const heading = place === undefined ? undefined : headingFrom(place)
  const isOurs = form.mime_type === 'text/html'
  return [{ formId: form.id, isOurs, heading, headings, submission: null, isAnswered: false }]
}

/** The steps of the current page's stage that have no answered page. */
function openSteps(current: Page | null, pages: Map<string, Page>): string[] {
  // If the agreement is the only step, the lender need not report that it was signed (FIS12 §19.3).
  if (current?.headings.join() === 'LOAN_AGREEMENT') return []
  const done = [...pages.values()].filter(({ isAnswered }) => isAnswered).map(({ heading }) => heading)
  return current?.headings.filter((heading) => !done.includes(heading)) ?? []
}
