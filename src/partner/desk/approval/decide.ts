// Requests for approval: made when a person may not act alone, decided by another, and carried out with the decision.

import { uuidv7 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { rupees } from '#kit/money/money.ts'
import type { Case } from '#partner/case/lifecycle.ts'
import { lockCase, lockCasesUnversioned } from '#partner/case/store.ts'
import type { Context } from '#partner/context.ts'
import { reasonIn } from '#partner/desk/parts/form-fields.ts'
import { holdSignedIn } from '#partner/desk/staff/staff.ts'
import { noteAct } from '#partner/desk/staff/staff-act.ts'
import type { DeskPerson, Staff } from '#partner/desk-person.ts'
import { checkedActs } from './checked-acts.ts'
import { formOf } from './content.ts'
import { doneNow, type FourEyesDecision, newProposal, type ProposalKind } from './four-eyes.ts'
import {
  type ApprovalRequest,
  type CheckedName,
  isAlone,
  payloadContext,
  whyNotApprove,
  whyNotRefuse,
} from './request.ts'
import { mustBeSeen, type SeenVersion } from './seen-version.ts'
import { actOfRequest, expireRequests, insertRequest, listLimits, lockRequest, writeDecision } from './store.ts'

const reasonOf = (form: URLSearchParams): string => reasonIn(form, 'reason', 'a second person decides this: ')

/** An act that a form asks for. */
interface ActForm {
  caseRef: string
  act: CheckedName
  form: URLSearchParams
  /** The case's version that its author saw. */
  version: SeenVersion
  at: Date
}

/**
 * Acts at once when the person's limit covers it; otherwise makes a request, after a rehearsal. Refused: as the act
 * itself is · `invalid` at `reason` · `wrong-state` when the same request is pending, or the case has changed since its
 * author saw it.
 */
export async function doOrRequest(ctx: Context, who: DeskPerson, wanted: ActForm): Promise<'DONE' | 'WAITING'> {
  const { caseRef, act, form, at } = wanted
  const { amountOf, run, act: done } = checkedActs[act]
  const decision = { form, staffId: who.staffId, at }
  const left = await ctx.db.tx(async (tx) => {
    const loanCase = await holdAsSeen(tx, wanted)
    await holdSignedIn(tx, who)
    const paise = await amountOf(tx, loanCase, form, ctx)
    if (!isAlone(await listLimits(tx), who, { act, paise })) return loanCase.snapshotVersion
    await run(tx, ctx, loanCase, decision)
    await noteAct(tx, { staffId: who.staffId, act: done, about: { caseRef, detail: { amount: rupees(paise) } }, at })
    return null
  })
  if (left === null) return 'DONE'
  // The request is for the version that was just read.
  const current = { ...wanted, version: String(left) }
  await rehearse(ctx, current, who)
  await ctx.db.tx((tx) => makeRequest(tx, ctx, who, current))
  return 'WAITING'
}

/** The case that an act is about, locked; where the act changes more of them, all are held in one order before. */
async function holdFor(tx: Tx, act: CheckedName, caseRef: string): Promise<Case> {
  const more = await checkedActs[act].casesOf?.(tx, caseRef)
  if (more) await lockCasesUnversioned(tx, more)
  return lockCase(tx, caseRef)
}

/** As above, while it is unchanged since its author saw it. */
async function holdAsSeen(tx: Tx, { act, caseRef, version }: Pick<ActForm, 'act' | 'caseRef' | 'version'>) {
  const loanCase = await holdFor(tx, act, caseRef)
  mustBeSeen(loanCase, version)
  return loanCase
}

class RehearsalDone extends Error {}

/** Acts and rolls back, so that the author learns at once of a refusal. */
async function rehearse(ctx: Context, wanted: ActForm, { staffId }: Staff): Promise<void> {
  const { act, form, at } = wanted
  try {
    await ctx.db.tx(async (tx) => {
      await checkedActs[act].run(tx, ctx, await holdAsSeen(tx, wanted), { form, staffId, at })
      throw new RehearsalDone()
    })
  } catch (error) {
    if (!(error instanceof RehearsalDone)) throw error
  }
}

async function makeRequest(tx: Tx, ctx: Context, who: DeskPerson, wanted: ActForm): Promise<void> {
  const { caseRef, act, form, at } = wanted
  const loanCase = await holdAsSeen(tx, wanted)
  await holdSignedIn(tx, who)
  const requestId = uuidv7(at.getTime())
  const amountPaise = await checkedActs[act].amountOf(tx, loanCase, form, ctx)
  await expireRequests(tx, at)
  const request: ApprovalRequest = {
    ...{ caseRef, requestId, act, amountPaise, reason: reasonOf(form) },
    payloadSealed: ctx.seal.json([...form], payloadContext(requestId)),
    ...newProposal(who, at),
  }
  if (!(await insertRequest(tx, request)))
    throw new Refusal('wrong-state', `the ${checkedActs[act].label} is already waiting for approval`)
  await note(tx, who, { request, act: 'REQUEST_MADE', at })
}

type RequestAct = 'REQUEST_MADE' | 'REQUEST_APPROVED' | 'REQUEST_REFUSED' | 'REQUEST_WITHDRAWN'

interface RequestNote {
  request: ApprovalRequest
  act: RequestAct
  at: Date
}

const note = (tx: Tx, { staffId }: Staff, { request, act, at }: RequestNote): Promise<void> => {
  const { caseRef, requestId: subject, act: what, amountPaise } = request
  return noteAct(tx, { staffId, act, about: { caseRef, subject, detail: { what, amount: rupees(amountPaise) } }, at })
}

/** Which request is decided, and why. */
interface DecidedRequest extends FourEyesDecision {
  caseRef: string
  requestId: string
  version: SeenVersion
}

type WhyNot = typeof whyNotApprove | typeof whyNotRefuse

async function mayDecide(tx: Tx, who: Staff, request: ApprovalRequest, whyNot: WhyNot): Promise<void> {
  const why = whyNot(await listLimits(tx), who, request)
  if (why === 'NOT_THEIRS')
    throw new Refusal('forbidden', `your roles cannot decide this: ${checkedActs[request.act].label}`)
  if (why) throw new Refusal('forbidden', `${rupees(request.amountPaise)} is more than your roles may approve`)
}

/**
 * How a request is decided. Approving it is refused as `wrong-state` also where the case has changed, and as `forbidden` beyond one's limit,
 * by the amount that it is about now.
 */
export const requestKind = (
  ctx: Context,
  who: Staff,
  decided: DecidedRequest,
): ProposalKind<ApprovalRequest, Case> => ({
  what: 'request',
  async hold(tx) {
    const act = await actOfRequest(tx, decided)
    if (!act) throw new Refusal('absent', 'there is no such request')
    return holdFor(tx, act, decided.caseRef)
  },
  lock: (tx) => lockRequest(tx, decided.caseRef, decided.requestId),
  mayDecide: (tx, request) => mayDecide(tx, who, request, whyNotRefuse),
  async carryOut(tx, request, loanCase) {
    const { amountOf, run } = checkedActs[request.act]
    await mayDecide(tx, who, request, whyNotApprove)
    mustBeSeen(loanCase, decided.version)
    const form = formOf(ctx.seal, request)
    // It may be about more than when it was asked for, as after another offer.
    const amountPaise = await doneNow(() => amountOf(tx, loanCase, form, ctx))
    if (amountPaise > request.amountPaise) await mayDecide(tx, who, { ...request, amountPaise }, whyNotApprove)
    await doneNow(() => run(tx, ctx, loanCase, { form, staffId: who.staffId, at: decided.at }))
    return { ...request, amountPaise }
  },
  async record(tx, request, outcome, { at, reason }) {
    const state = outcome === 'DONE' ? 'APPROVED' : outcome
    await writeDecision(tx, request, { state, decidedBy: who.staffId, decidedAt: at, decisionReason: reason })
    await note(tx, who, { request, act: `REQUEST_${state}`, at })
  },
})
