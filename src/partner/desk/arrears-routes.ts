// Acts on the arrears of a case: who works on it, what was promised, what was spoken.

import { uuidv7 } from '#kit/crypto/id.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { makePromise } from '#partner/collection/arrears/promise.ts'
import { assignAgent, contactOutcomes, contactWays, insertContact } from '#partner/collection/arrears/store.ts'
import { mayContact } from '#partner/collection/hours.ts'
import { policyOn } from '#partner/collection/policy/store.ts'
import { notWithinHours } from './arrears-text-en.ts'
import { act } from './case-routes.ts'
import type { Deciding } from './checked-acts.ts'
import { matching, paiseIn } from './form-fields.ts'
import { listStaff } from './store.ts'

const assign: Deciding = async (tx, _ctx, { caseRef }, { form, at }) => {
  const staffId = form.get('staffId') || null
  const staff = await listStaff(tx)
  if (staffId !== null && staff.every((each) => each.staffId !== staffId))
    throw new Refusal('invalid', 'nobody of the staff is that', { field: 'staffId' })
  await assignAgent(tx, caseRef, staffId, at)
}

const promise: Deciding = (tx, _ctx, { caseRef }, { form, staffId, at }) =>
  makePromise(
    tx,
    {
      caseRef,
      amountPaise: paiseIn(form, 'amount'),
      promisedOn: matching(form, 'promisedOn', /^\d{4}-\d{2}-\d{2}$/),
      madeBy: staffId,
    },
    at,
  )

const contact: Deciding = async (tx, { seal }, { caseRef }, { form, staffId, at }) => {
  const way = contactWays.find((each) => each === form.get('way'))
  const outcome = contactOutcomes.find((each) => each === form.get('outcome'))
  if (!way || !outcome) throw new Refusal('invalid', 'how it was, and what came of it, is needed', { field: 'way' })
  if (way !== 'POST' && !mayContact(await policyOn(tx, businessDate(at)), at))
    throw new Refusal('wrong-state', notWithinHours)
  const noteId = uuidv7(at.getTime())
  const textSealed = seal.bytes(Buffer.from(matching(form, 'note', /^[\s\S]{1,1000}$/)), `contact_note ${noteId}`)
  await insertContact(tx, { caseRef, noteId, way, outcome, textSealed, staffId, contactedAt: at })
}

export const arrearsRoutes = [
  act('agent', 'Assign the case to somebody', 'AGENT_ASSIGNED', assign),
  act('promise', 'Write down a promise to pay', 'PROMISE_MADE', promise),
  act('contact', 'Write down a contact', 'CONTACT_NOTED', contact),
]
