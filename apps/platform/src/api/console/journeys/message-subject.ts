// What a network message is about where its action alone does not tell: of on_status, which step it reports; of messages
// about a loan, whether they are about a drawdown or about a payment, and how far that has come.

import { jsonIn } from '@lendloom/foundation/json'
import { fieldsOf } from '@lendloom/foundation/record'
import { isServicingLabel } from '@lendloom/wire/network/v203/payments'
import { isPageStop, isStopDone, stopsOf } from '@lendloom/wire/network/v203/stops'

/**
 * `subject`: DRAWDOWN, the label of a payment, a stop such as KYC, or FORM; null for the state of the loan. `state`: the
 * lender's code; null in a request, and where the lender tells none.
 */
export interface MessageSubject {
  subject: string | null
  state: string | null
}

const actions = new Set(['init', 'on_init', 'confirm', 'on_confirm', 'update', 'on_update', 'on_status'])

/** Whether the subject of a message with this action is in its body only. */
export const hasSubject = (action: unknown): boolean => typeof action === 'string' && actions.has(action)

/** A longer text is no code. */
const maxCode = 60

const codeIn = (value: unknown): string | null =>
  typeof value === 'string' && value.length > 0 && value.length <= maxCode ? value.trim().toUpperCase() : null

const listIn = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.map(fieldsOf) : [])

/** Of these states, all stops are done already, and none of them is what is reported. */
const loanStates = ['SANCTIONED', 'DISBURSED']

/** Reads a message of any version; null if it has neither a subject nor a state. */
export function subjectIn(body: string, action: string): MessageSubject | null {
  const { order } = fieldsOf(fieldsOf(jsonIn(body)).message)
  const { fulfillments, items, payments, ref_order_ids: lines } = fieldsOf(order)
  const [fulfillment = {}] = listIn(fulfillments)
  const state = codeIn(fieldsOf(fieldsOf(fulfillment.state).descriptor).code)
  if (listIn(lines).length > 0) return { subject: 'DRAWDOWN', state }
  const payment = labelledPayment(payments)
  if (payment && action.endsWith('update')) return payment
  if (action !== 'on_status') return null
  if (state !== null && loanStates.includes(state)) return { subject: null, state }
  const stop = stopsOf(fulfillment).findLast((each) => isStopDone(each) && !isPageStop(each))
  if (stop) return { subject: stop.type, state: stop.state }
  const [item = {}] = listIn(items)
  const form = codeIn(fieldsOf(fieldsOf(item.xinput).form_response).status)
  if (form !== null) return { subject: 'FORM', state: form }
  return state === null ? null : { subject: null, state }
}

/** The last payment for which the borrower asked; null without one. */
function labelledPayment(payments: unknown): MessageSubject | null {
  const asked = listIn(payments).flatMap(({ time, status }) => {
    const label = codeIn(fieldsOf(time).label)
    return label !== null && isServicingLabel(label) ? { subject: label, state: codeIn(status) } : []
  })
  return asked.at(-1) ?? null
}
