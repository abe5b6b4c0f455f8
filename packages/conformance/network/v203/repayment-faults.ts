// The schedule must not change until the payment that the borrower requested is PAID (FIS12 §12.4.5, §18.1).

import type { Static } from '@lendloom/foundation/schema'
import type { Fault } from '@lendloom/wire/network/context'
import { isServicingLabel } from '@lendloom/wire/network/v203/payments'
import type { Payment } from '@lendloom/wire/network/v203/schema'
import { holdsOrder } from '#conformance/network/invariants.ts'
import type { LoanMessage } from './loan-message.ts'

type WirePayment = Static<typeof Payment>

/**
 * FIS12 §12.4.5: until the payment that the borrower requested (foreclosure, part payment, missed instalment) is PAID,
 * no message may change the schedule. Instalments may still be marked DELAYED, or PAID when due.
 */
export function servicingFaults(messages: readonly LoanMessage[]): Fault[] {
  const faults: Fault[] = []
  const paidBefore = new Set<string>()
  const requested = new Set<string>()
  let before: WirePayment[] = []
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
        (!paidBefore.has(payment.id ?? '') || !hasUniqueId(payment, payments)),
    )
    if (requested.size > 0 && paidNow.length === 0) {
      const say = (where: string, what: string) =>
        faults.push({
          path: `${path}.message.order.payments${where}`,
          message: `${what} before ${[...requested].join(', ')} is PAID`,
          section: 'FIS12 §12.4.5',
        })
      for (const { now, was } of pairInstalments(before, schedule))
        if (isChanged(was, now)) say(`[${payments.indexOf(now)}]`, 'changes')
      for (const missing of missingInstalments(before, schedule)) say('', `omits ${missing}`)
    }
    for (const { id, time } of paidNow) {
      paidBefore.add(id ?? '')
      requested.delete(time?.label ?? '')
    }
    before = schedule
  }
  return faults
}

/** Lenders may reuse payment ids, so an id may not be unique. */
const hasUniqueId = ({ id }: WirePayment, payments: WirePayment[]): boolean =>
  payments.filter((each) => each.id === id).length === 1

const idsAreUnique = (schedule: WirePayment[]): boolean =>
  new Set(schedule.map(({ id }) => id)).size === schedule.length

/** Whether both schedules identify instalments by stable ids. */
const matchById = (before: WirePayment[], schedule: WirePayment[]): boolean =>
  idsAreUnique(before) && idsAreUnique(schedule) && schedule.some(({ id }) => before.some((each) => each.id === id))

type PreviousInstalment = Pick<WirePayment, 'params' | 'time' | 'status'>

/** Pairs instalments by id. Without stable ids, pairs by position and ignores dates, which are then unreliable too. */
const pairInstalments = (
  before: WirePayment[],
  schedule: WirePayment[],
): { now: WirePayment; was: PreviousInstalment | undefined }[] =>
  matchById(before, schedule)
    ? schedule.map((now) => ({ now, was: before.find(({ id }) => id === now.id) }))
    : schedule.map((now, i) => ({ now, was: before[i] && { ...before[i], time: now.time } }))

function missingInstalments(before: WirePayment[], schedule: WirePayment[]): string[] {
  const ids = schedule.map(({ id }) => id)
  if (matchById(before, schedule)) return before.flatMap(({ id }) => (ids.includes(id) ? [] : [id ?? '']))
  return schedule.length < before.length ? [`${before.length - schedule.length} instalments`] : []
}

const isChanged = (before: PreviousInstalment | undefined, now: WirePayment): boolean =>
  before !== undefined &&
  (before.params?.amount !== now.params?.amount ||
    before.time?.range?.start !== now.time?.range?.start ||
    before.time?.range?.end !== now.time?.range?.end ||
    (before.status !== now.status &&
      now.status !== 'DELAYED' &&
      !(before.status === 'NOT-PAID' && now.status === 'PAID')))
