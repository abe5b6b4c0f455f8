// A schedule is left alone until the borrower's request after disbursal is paid (FIS12 §12.4.5, §18.1).

import { holdsOrder } from '#conformance/network/invariants.ts'
import type { Fault } from '#contract/network/context.ts'
import { isServicingLabel } from '#contract/network/v203/order.ts'
import type { Payment } from '#contract/network/v203/schema.ts'
import type { Static } from '#kit/http/schema.ts'
import type { LoanMessage } from './loan-message.ts'

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

/** A lender may reuse another payment's id, which then does not distinguish it. */
const isNamedAlone = ({ id }: Paid, payments: Paid[]): boolean => payments.filter((each) => each.id === id).length === 1

const haveOwnIds = (schedule: Paid[]): boolean => new Set(schedule.map(({ id }) => id)).size === schedule.length

/** Whether the instalments of both are distinguished by stable ids. */
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
