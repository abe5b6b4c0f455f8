// A loan goes forward step by step: no page before the last one is done, no money before the order (FIS12 §12.4.4).
import type { Fault } from '#contract/network/context.ts'
import { formOutcome } from '#contract/network/forms.ts'
import { isCallback } from '#contract/network/sequence.ts'
import { headingFrom } from '#contract/network/v203/page.ts'
import type { Item } from '#contract/network/v203/schema.ts'
import type { Static } from '#kit/http/schema.ts'
import { type LoanMessage, orderIn } from './loan-message.ts'

interface Page {
  formId: string
  isOurs: boolean
  heading: string | undefined
  headings: string[]
  /** The submission that the lender reported as a success; for our own forms, any that we send. */
  submission: string | null
  answered: boolean
}

/** FIS12 §12.4.4, over one conversation whose messages have a good shape. */
export function progressFaults(messages: readonly LoanMessage[]): Fault[] {
  const faults: Fault[] = []
  const pages = new Map<string, Page>()
  // Each of the offers that one lender makes has pages of its own (FIS12 §19.1).
  const currents = new Map<string, Page>()
  const stopped = new Map<string, string>()
  let confirmed = false
  const section = 'FIS12 §12.4.4'

  for (const message of messages) {
    const { path, action } = message
    const order = orderIn(message)
    const item = order?.items?.[0]
    const { id: itemId = '', xinput } = item ?? {}
    const current = currents.get(itemId) ?? null
    const response = xinput?.form_response
    const known = pages.get(xinput?.form?.id ?? '')
    const say = (where: string, text: string) =>
      faults.push({ path: `${path}.message.${where}`, message: text, section })

    if (message.action === 'on_search') {
      for (const page of pagesOf(message.message)) pages.set(page.formId, page)
    } else if (!isCallback(action)) {
      if (known && response) {
        if (!known.isOurs && known.submission !== response.submission_id)
          say('order.items[0].xinput.form_response', `answers ${known.heading} before the lender reported its success`)
        known.answered = true
      }
      if (stopped.has(itemId)) say('order', `goes on after ${stopped.get(itemId)}`)
      if (action === 'confirm')
        for (const heading of undone(current, pages)) say('order', `comes before ${heading} is done`)
    } else if (order) {
      if (action === 'on_confirm') confirmed = true
      if (!confirmed && order.fulfillments?.some(({ state }) => state?.descriptor.code === 'DISBURSED'))
        say('order.fulfillments', 'is DISBURSED before on_confirm')
      if (known && response && formOutcome(response.status) === 'success')
        known.submission = response.submission_id ?? null
      if (known && response && formOutcome(response.status) === 'failure')
        stopped.set(itemId, `${known.heading} was ${response.status}`)
      const [next] = item ? pagesIn(item) : []
      if (next && current && current.heading !== next.heading && !current.answered)
        say('order.items[0].xinput', `offers ${next.heading} before ${current.heading} is done`)
      if (next) {
        pages.set(next.formId, next)
        currents.set(itemId, next)
      }
    }
  }
  return faults
}

const pagesOf = ({ catalog }: (LoanMessage & { action: 'on_search' })['message']): Page[] =>
  catalog.providers.flatMap(({ items }) => items.flatMap(pagesIn))

/** The page of an item, if it has one. A form of no step that has its answer beside it is repeated, address and all, by who asks for a consent (FIS12 §19.2). */
function pagesIn({ xinput }: Static<typeof Item>): Page[] {
  if (!xinput?.form?.url || (!xinput.head && xinput.form_response)) return []
  const { form, head } = xinput
  const headings = head?.headings?.map(headingFrom) ?? []
  const place = headings[head?.index?.cur ?? 0]
  const heading = place === undefined ? undefined : headingFrom(place)
  const isOurs = form.mime_type === 'text/html'
  return [{ formId: form.id, isOurs, heading, headings, submission: null, answered: false }]
}

/** The steps of the last page's stage without an answered page. */
function undone(current: Page | null, pages: Map<string, Page>): string[] {
  // A lender that leaves the agreement alone to the borrower may not report its signature (FIS12 §19.3).
  if (current?.headings.join() === 'LOAN_AGREEMENT') return []
  const done = [...pages.values()].filter(({ answered }) => answered).map(({ heading }) => heading)
  return current?.headings.filter((heading) => !done.includes(heading)) ?? []
}
