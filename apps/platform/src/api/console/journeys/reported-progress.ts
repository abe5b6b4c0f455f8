// What a lender's on_status reports, in the lender's codes: the last stop that is done, its state, or that of a form.

import { jsonIn } from '@lendloom/foundation/json'
import { fieldsOf } from '@lendloom/foundation/record'
import { isPageStop, isStopDone, stopsOf } from '@lendloom/wire/network/v203/stops'

/** `subject`: the stop, such as KYC, or FORM; null for the state of the loan. */
export interface ReportedProgress {
  subject: string | null
  state: string
}

/** A longer text is no code. */
const maxCode = 60

const codeIn = (value: unknown): string | null =>
  typeof value === 'string' && value.length > 0 && value.length <= maxCode ? value.trim().toUpperCase() : null

const firstOf = (value: unknown): Record<string, unknown> => fieldsOf(Array.isArray(value) ? value[0] : undefined)

/** Reads a message of any version; null if it reports none of them. */
export function progressIn(body: string): ReportedProgress | null {
  const { order } = fieldsOf(fieldsOf(jsonIn(body)).message)
  const { fulfillments, items } = fieldsOf(order)
  const fulfillment = firstOf(fulfillments)
  const state = codeIn(fieldsOf(fieldsOf(fulfillment.state).descriptor).code)
  const stop = stopsOf(fulfillment).findLast((each) => isStopDone(each) && !isPageStop(each))
  if (stop && state !== 'DISBURSED') return { subject: stop.type, state: stop.state }
  const form = codeIn(fieldsOf(fieldsOf(firstOf(items).xinput).form_response).status)
  if (form !== null && state !== 'DISBURSED') return { subject: 'FORM', state: form }
  return state === null ? null : { subject: null, state }
}
