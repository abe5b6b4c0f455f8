// Whether a snapshot is whole and agrees with itself (D3 §3, §4.4).
import { faults, fits } from '#kit/http/schema.ts'
import { checkDisbursement, checkPayment, checkSchedule, checkSoa } from './account.ts'
import { contradictions } from './snapshot.ts'
import { Status } from './status.ts'

/** Why a snapshot cannot be believed, each reason beginning with its field; empty when it is whole and agrees with itself. */
export function inconsistencies(json: unknown): string[] {
  const found = fits(Status, json) ? statusFaults(json) : faults(Status, json)
  return found.map(({ path, message }) => `${path || 'body'} ${message}`)
}

const statusFaults = (status: Status) => [
  ...contradictions(status),
  ...(status.disbursement ? checkDisbursement(status.disbursement, 'disbursement') : []),
  ...(status.soa ? checkSoa(status.soa) : []),
  ...(status.amortization_schedule ? checkSchedule(status.amortization_schedule) : []),
  ...status.payments.flatMap((payment, i) => checkPayment(payment, `payments.${i}`)),
]
