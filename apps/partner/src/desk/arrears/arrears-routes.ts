// The acts of staff on debits and arrears: hold or release debits, assign an agent, record a promise or a contact.

import { Refusal } from '@lendloom/foundation/refusal'
import type { Tx } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import type { DecisionAct } from '#partner/desk/approval/checked-acts.ts'
import { lastActors } from '#partner/desk/audit/store.ts'
import { actRoute, formRoute } from '#partner/desk/cases/case-routes.ts'
import { dayIn, minuteIn, paiseIn, readField } from '#partner/desk/parts/read-fields.ts'
import { noteAct } from '#partner/desk/staff/staff-acts.ts'
import { lockCase } from '#partner/origination/case/store.ts'
import { recordPromise } from '#partner/servicing/collection/arrears/promise.ts'
import { recordContact } from '#partner/servicing/collection/arrears/record-contact.ts'
import {
  assignAgent,
  contactChannels,
  contactOutcomes,
  promisesOf,
} from '#partner/servicing/collection/arrears/store.ts'
import { holdDebits, holdOf, holdReasons, releaseHold } from '#partner/servicing/collection/debit/debit-hold.ts'
import { newPromiseText, noteMissing } from './arrears-text-en.ts'
import { assignCases } from './assign-agent.ts'
import { newHoldText } from './debit-text-en.ts'
import { requireSeenAgents } from './seen-agents.ts'

const assignToCase: DecisionAct = async (tx, ctx, { caseRef }, { form, at }) => {
  await requireSeenAgents(tx, [caseRef], form)
  return form.get('staffId') ? assignCases({ ...ctx, tx, at }, [caseRef], form) : assignAgent(tx, caseRef, null, at)
}

async function requireSeenHold(tx: Tx, caseRef: string, form: URLSearchParams): Promise<void> {
  const hold = await holdOf(tx, caseRef)
  if (!hold || form.get('since') === hold.sinceAt.toISOString()) return
  const isManual = holdReasons.some((each) => each === hold.reasonCode)
  const [actor] = isManual ? await lastActors(tx, 'DEBITS_HELD', [caseRef]) : []
  throw new Refusal('wrong-state', newHoldText(hold.reasonCode, actor?.name))
}

const hold: DecisionAct = async (tx, _ctx, { caseRef }, { form, at }) => {
  const reasonCode = form.get('reason')
  const reason = holdReasons.find((each) => each === reasonCode)
  if (!reason) throw new Refusal('invalid', 'choose a reason', { field: 'reason' })
  await requireSeenHold(tx, caseRef, form)
  await holdDebits(tx, caseRef, reason, at)
}

const release: DecisionAct = async (tx, _ctx, { caseRef }, { form }) => {
  await requireSeenHold(tx, caseRef, form)
  await releaseHold(tx, caseRef)
}

const storePromise: DecisionAct = async (tx, _ctx, { caseRef }, { form, staffId, at }) => {
  const open = (await promisesOf(tx, caseRef)).find(({ state }) => state === 'OPEN')
  const [actor] = open ? await lastActors(tx, 'PROMISE_MADE', [caseRef]) : []
  if (open && actor) throw new Refusal('wrong-state', newPromiseText(open, actor.name))
  const amountPaise = paiseIn(form, 'amount')
  const promisedOn = dayIn(form, 'promisedOn')
  await recordPromise(tx, { caseRef, amountPaise, promisedOn, madeBy: staffId }, at)
}

/** Records a contact with the borrower. If the contact broke a rule, also records the breach and alerts operators. */
const contactRoute = formRoute(
  { name: 'contact', summary: 'Record a contact', kind: 'CONTACT_NOTED' },
  async (ctx, { staffId }, { caseRef, form, at }) => {
    const way = contactChannels.find((each) => each === form.get('way'))
    const outcome = contactOutcomes.find((each) => each === form.get('outcome'))
    if (!way || !outcome) throw new Refusal('invalid', 'enter how you made contact and the result', { field: 'way' })
    const note = readField(form, 'note', /^[\s\S]{0,1000}$/)
    if (note === '' && outcome === 'REACHED') throw new Refusal('invalid', noteMissing, { field: 'note' })
    const noteId = uuidv7(at.getTime())
    const textSealed = ctx.seal.bytes(Buffer.from(note), `contact_note ${noteId}`)
    const contactedAt = minuteIn(form, 'contactedAt')
    const wasMade = form.get('wasMade') === 'yes'
    const breach = await ctx.db.tx(async (tx) => {
      await lockCase(tx, caseRef)
      const contact = { caseRef, noteId, way, outcome, textSealed, staffId, contactedAt, notedAt: at, wasMade }
      const detectedBreach = await recordContact(tx, contact)
      const detail = { contactedAt: contactedAt.toISOString(), ...(detectedBreach && { breach: detectedBreach }) }
      await noteAct(tx, { staffId, act: 'CONTACT_NOTED', about: { caseRef, detail }, at })
      return detectedBreach
    })
    if (breach) ctx.alert('a borrower was contacted against the rules', { caseRef, staffId, breach })
  },
)

export const arrearsRoutes = [
  actRoute('hold', 'Hold debits', 'DEBITS_HELD', hold),
  actRoute('release', 'Release debits', 'HOLD_RELEASED', release),
  actRoute('agent', 'Assign an agent to the case', 'AGENT_ASSIGNED', assignToCase),
  actRoute('promise', 'Record a promise to pay', 'PROMISE_MADE', storePromise),
  contactRoute,
]
