// A strict lender's checks of buyer messages in the shape of 2.0.3 that reports progress by stops: no init, no account of the buyer, terms as tags of the order.
import { lenderTerms } from './parts.ts'
import { entriesOf, groupFaults, type Shape, shapeFaults, tag } from './shape.ts'
import {
  after203,
  buyer203,
  categoryShape,
  complaintShapes,
  formAnswer,
  money,
  searchFaults203,
  terms,
} from './strict.ts'
import type { Talk } from './talk.ts'
import type { Json } from './wire.ts'

/** The borrower's data for a check whether the lender already knows them. */
const dedupeShape: Shape = {
  id: 'text',
  type: /^DEDUPE$/,
  customer: {
    person: {
      dob: /^\d{4}-\d{2}-\d{2}$/,
      creds: [{ id: /^[A-Z]{5}\d{4}[A-Z]$/, type: /^PAN$/ }],
    },
    contact: { phone: /^\+91-\d{10}$/, email: /^\S+@\S+$/ },
  },
}

const shapes: Record<string, Shape> = {
  search: {
    intent: {
      category: categoryShape,
      // The older shape of the version needs the tags of the payment, and one search serves both.
      payment: { collected_by: /^BPP$/, 'tags?': [tag] },
      tags: [tag],
    },
  },
  select: buyer203(
    { id: 'text', 'location_ids?': ['text'], 'xinput?': formAnswer },
    { 'fulfillments?': [dedupeShape] },
  ),
  confirm: buyer203(
    {
      id: 'text',
      xinput: { form: { id: 'text' }, form_response: { status: /^(SUCCESS|COMPLETED)$/, submission_id: 'text' } },
    },
    { tags: [tag] },
  ),
  status: { 'order_id?': 'text', 'ref_id?': 'text' },
  update: {
    update_target: /^payments$/,
    order: {
      id: 'text',
      payments: [
        {
          time: { label: /^(FORECLOSURE|PRE_PART_PAYMENT|MISSED_EMI_PAYMENT)$/ },
          'params?': { amount: money, currency: /^INR$/ },
        },
      ],
    },
  },
  ...complaintShapes,
}

type Faults = (string | false | undefined)[]

const rules: Record<string, (talk: Talk, message: Json) => Faults> = {
  search(_talk, { intent }) {
    if (intent.payment.tags) return searchFaults203(intent)
    return groupFaults(intent.tags, { BAP_TERMS: terms }, 'intent.tags')
  },

  /** Before the confirmation there is no order, so that only the transaction can be named. */
  status({ transactionId, order }, { order_id: orderId, ref_id: refId }) {
    const known = order?.id
    if (known === undefined)
      return [
        orderId !== undefined && `names the order ${orderId} before the confirmation`,
        refId !== transactionId && `names the reference ${refId}, not ${transactionId}`,
      ]
    return [
      (orderId === undefined) === (refId === undefined) && 'must name either order_id or ref_id',
      orderId !== undefined && orderId !== known && `names the order ${orderId}, not ${known}`,
      refId !== undefined && ![transactionId, known].includes(refId) && `names the reference ${refId}`,
    ]
  },

  /** The lender has paid before; the buyer repeats what the newest report says. */
  confirm({ messages, flow }, { order }) {
    const isReport = ({ direction, action }: Talk['messages'][number]) => direction === 'sent' && action === 'on_status'
    const reported = messages.findLast(isReport)?.message.order
    if (!reported) return ['comes before an on_status']
    const { form, form_response: expected } = reported.items[0].xinput
    const state = reported.fulfillments[0].state.descriptor.code
    const { form: named, form_response: stated } = order.items[0].xinput
    // Published buyers of gold loans state the success of the form.
    const statuses = flow.product === 'GOLD_LOAN' ? [expected.status, 'SUCCESS'] : [expected.status]
    const lender = entriesOf(order.tags, 'BPP_TERMS').STATIC_TERMS
    return [
      (expected.status !== 'COMPLETED' || state !== 'DISBURSED') && `follows a report of ${expected.status} ${state}`,
      named.id !== form.id && `answers the form ${named.id}, not ${form.id}`,
      !statuses.includes(stated.status) && `states ${stated.status}, not ${expected.status}`,
      stated.submission_id !== expected.submission_id &&
        `repeats ${stated.submission_id}, not ${expected.submission_id}`,
      ...groupFaults(order.tags, { BAP_TERMS: terms, BPP_TERMS: terms }, 'order.tags'),
      lender !== undefined && lender !== lenderTerms.STATIC_TERMS && `agrees to ${lender} of another lender`,
    ]
  },

  /** The lender computes what a foreclosure or a missed instalment costs. */
  update(_talk, { order: { payments } }) {
    const [{ time, params }] = payments
    const isPart = time.label === 'PRE_PART_PAYMENT'
    return [
      payments.length !== 1 && 'must request exactly one payment',
      isPart && !params && 'requests a part payment without an amount',
      !isPart && params && `names an amount for ${time.label}`,
    ]
  },
}

/** Checks the `message` of a request to a lender with stops. */
export function stopsFaults(talk: Talk, action: string, message: Json): string[] {
  const shape = shapes[action]
  if (!shape) return [`${action} is not part of the flows with stops`]
  const found = shapeFaults(shape, message, 'message')
  if (found.length > 0) return found
  return (rules[action]?.(talk, message) ?? []).filter((fault) => typeof fault === 'string')
}

const after: Record<string, string[]> = {
  ...after203,
  on_select: ['select', 'on_status'],
  on_status: ['status', 'on_status', 'update', 'confirm', 'issue'],
}

/** Whether an action may follow another: the lender first reports by itself, and there is no init. */
export const mayFollowWithStops = (last: string, action: string): boolean => after[last]?.includes(action) ?? false
