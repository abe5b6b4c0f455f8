// Everything that must hold over a recorded loan of dialect 2.0.3 (FIS12 §12.4).

import type { Fault } from '#contract/network/context.ts'
import { formOutcome } from '#contract/network/forms.ts'
import { holdsOrder, invariantsBy } from '#contract/network/invariants.ts'
import { type Action, isCallback, sequence203 } from '#contract/network/sequence.ts'
import type { Static } from '#kit/http/schema.ts'
import { arithmeticFaults, type OrderMessage } from './arithmetic.ts'
import { isServicingLabel } from './order.ts'
import { headingFrom } from './page.ts'
import { bodyFaults, type Sound } from './receive.ts'
import { referenceFaults } from './references.ts'
import { rulesOf } from './rules.ts'
import type { Fulfillment, Item, Payment } from './schema.ts'

/** Judges one journey's transcript, in wire order; empty when all is well. */
export const invariantsOf = invariantsBy<Sound>({
  dialect: '2.0.3',
  sequence: sequence203,
  rulesOf,
  bodyFaults,
  within: (sound) => [
    ...referenceFaults(sound),
    ...arithmeticFaults(sound.flatMap(orderOf)),
    ...progressFaults(sound),
    ...servicingFaults(sound),
  ],
})

const orderOf = (message: Sound): OrderMessage[] =>
  holdsOrder(message) ? [{ ...message, order: message.message.order }] : []

/** What an order has of both; an update says less of it than the others. */
export interface JudgedOrder {
  id?: string
  items?: Static<typeof Item>[]
  fulfillments?: (Pick<Static<typeof Fulfillment>, 'state'> & { id?: string })[]
  payments?: Static<typeof Payment>[]
}

/** A message whose shape was found good. */
export type LoanMessage = { [A in Action]: { path: string; action: A; message: JudgedOf<A> } }[Action]

type JudgedOf<A extends Action> = A extends 'search' | 'status'
  ? object
  : A extends 'on_search'
    ? { catalog: { providers: { items: Static<typeof Item>[] }[] } }
    : { order: JudgedOrder }

/** The order in a message; undefined where the message has none. */
export const orderIn = (message: LoanMessage): JudgedOrder | undefined =>
  message.action === 'search' || message.action === 'status' || message.action === 'on_search'
    ? undefined
    : message.message.order

/** A loan goes forward step by step: no page before the last one is done, no money before the order (FIS12 §12.4.4). */
interface Page {
  formId: string
  isOurs: boolean
  heading: string | undefined
  headings: string[]
  /** The submission that the lender reported as a success; for a form of ours, any that we send. */
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

/** The steps of the last page's stage that no answered page stands for. */
function undone(current: Page | null, pages: Map<string, Page>): string[] {
  // A lender that leaves the agreement alone to the borrower may not report its signature (FIS12 §19.3).
  if (current?.headings.join() === 'LOAN_AGREEMENT') return []
  const done = [...pages.values()].filter(({ answered }) => answered).map(({ heading }) => heading)
  return current?.headings.filter((heading) => !done.includes(heading)) ?? []
}

/** A schedule is left alone until the borrower's request after disbursal is paid (FIS12 §12.4.5, §18.1). */
type Paid = Static<typeof Payment>

/**
 * FIS12 §12.4.5: while no payment that a borrower asked for (foreclosure, part payment, missed instalment) is PAID, none
 * may change the schedule. Marking an instalment DELAYED is allowed, and so is one that was paid in its turn.
 */
export function servicingFaults(messages: readonly LoanMessage[]): Fault[] {
  const faults: Fault[] = []
  const paidBefore = new Set<string>()
  const requested = new Set<string>()
  let before: Paid[] = []
  for (const message of messages) {
    const { path } = message
    if (message.action === 'update')
      for (const { time } of message.message.order.payments ?? []) requested.add(time?.label ?? '')
    const payments = holdsOrder(message) ? (message.message.order.payments ?? []) : []
    const schedule = payments.filter(({ time }) => time?.label === 'INSTALLMENT')
    if (schedule.length === 0) continue
    const paidNow = payments.filter(
      (payment) =>
        isServicingLabel(payment.time?.label ?? '') &&
        payment.status === 'PAID' &&
        (!paidBefore.has(payment.id ?? '') || !isNamedAlone(payment, payments)),
    )
    if (requested.size > 0 && paidNow.length === 0) {
      const say = (where: string, what: string) =>
        faults.push({
          path: `${path}.message.order.payments${where}`,
          message: `${what} before ${[...requested].join(', ')} is PAID`,
          section: 'FIS12 §12.4.5',
        })
      for (const { now, was } of pairs(before, schedule))
        if (isChanged(was, now)) say(`[${payments.indexOf(now)}]`, 'changes')
      for (const gone of leftOut(before, schedule)) say('', `leaves out ${gone}`)
    }
    for (const { id, time } of paidNow) {
      paidBefore.add(id ?? '')
      requested.delete(time?.label ?? '')
    }
    before = schedule
  }
  return faults
}

/** A lender may give the payment the id of another one: then its id does not tell it from an earlier payment. */
const isNamedAlone = ({ id }: Paid, payments: Paid[]): boolean => payments.filter((each) => each.id === id).length === 1

const haveOwnIds = (schedule: Paid[]): boolean => new Set(schedule.map(({ id }) => id)).size === schedule.length

/** Whether the instalments of both are told apart by their ids, and keep them. */
const areNamed = (before: Paid[], schedule: Paid[]): boolean =>
  haveOwnIds(before) && haveOwnIds(schedule) && schedule.some(({ id }) => before.some((each) => each.id === id))

type Was = Pick<Paid, 'params' | 'time' | 'status'>

/** By their ids, or else by their place in the schedule: then the months are as little to be relied on. */
const pairs = (before: Paid[], schedule: Paid[]): { now: Paid; was: Was | undefined }[] =>
  areNamed(before, schedule)
    ? schedule.map((now) => ({ now, was: before.find(({ id }) => id === now.id) }))
    : schedule.map((now, i) => ({ now, was: before[i] && { ...before[i], time: now.time } }))

function leftOut(before: Paid[], schedule: Paid[]): string[] {
  const ids = schedule.map(({ id }) => id)
  if (areNamed(before, schedule)) return before.flatMap(({ id }) => (ids.includes(id) ? [] : [id ?? '']))
  return schedule.length < before.length ? [`${before.length - schedule.length} instalments`] : []
}

const isChanged = (before: Was | undefined, now: Paid): boolean =>
  before !== undefined &&
  (before.params?.amount !== now.params?.amount ||
    before.time?.range?.start !== now.time?.range?.start ||
    before.time?.range?.end !== now.time?.range?.end ||
    (before.status !== now.status &&
      now.status !== 'DELAYED' &&
      !(before.status === 'NOT-PAID' && now.status === 'PAID')))
