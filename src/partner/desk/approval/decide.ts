// Requests for approval: made where somebody may not act alone, decided by another, and carried out with the decision.

import { uuidv7 } from '#kit/crypto/id.ts'
import type { Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { rupees } from '#kit/money/money.ts'
import { daysAfter } from '#kit/runtime/clock.ts'
import type { Case } from '#partner/case/lifecycle.ts'
import { holdCases, lockCase } from '#partner/case/store.ts'
import type { Context } from '#partner/context.ts'
import { reasonIn } from '#partner/desk/parts/form-fields.ts'
import {
  daysToDecide,
  requireOther,
  requireOwn,
  requireProof,
  requireReason,
  requireWaiting,
} from '#partner/desk/staff/one-person.ts'
import { holdSignedIn, type SignedIn } from '#partner/desk/staff/staff.ts'
import { noteAct } from '#partner/desk/staff/staff-act.ts'
import type { Staff } from '#partner/desk-person.ts'
import { checkedActs } from './checked-acts.ts'
import { formOf } from './content.ts'
import { doneNow, doneOrClosed } from './no-longer.ts'
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

/** What somebody wants done by a form. */
interface Wanted {
  caseRef: string
  act: CheckedName
  form: URLSearchParams
  /** Of the case, as its author saw it. */
  version: SeenVersion
  at: Date
}

/**
 * Does it at once where the person's limit covers it, and otherwise asks for it, once it was seen that it could be done now.
 * Refused: as the act itself is · `invalid` at `reason` · `wrong-state` when the same thing of the
 * case waits already, or the case is no longer as its author saw it.
 */
export async function doOrRequest(ctx: Context, who: Staff, wanted: Wanted): Promise<'DONE' | 'WAITING'> {
  const { caseRef, act, form, at } = wanted
  const { amountOf, run, act: done } = checkedActs[act]
  const decision = { form, staffId: who.staffId, at }
  const left = await ctx.db.tx(async (tx) => {
    const loanCase = await holdAsSeen(tx, wanted)
    const paise = await amountOf(tx, loanCase, form, ctx)
    if (!isAlone(await listLimits(tx), who, { act, paise })) return loanCase.snapshotVersion
    await run(tx, ctx, loanCase, decision)
    await noteAct(tx, { staffId: who.staffId, act: done, about: { caseRef, detail: { amount: rupees(paise) } }, at })
    return null
  })
  if (left === null) return 'DONE'
  // What was looked at just now is what is asked for.
  const current = { ...wanted, version: String(left) }
  await rehearse(ctx, current, who)
  await ctx.db.tx((tx) => makeRequest(tx, ctx, who, current))
  return 'WAITING'
}

/** The case that an act is about, locked; where the act changes more of them, all are held in one order before. */
async function holdFor(tx: Tx, act: CheckedName, caseRef: string): Promise<Case> {
  const more = await checkedActs[act].casesOf?.(tx, caseRef)
  if (more) await holdCases(tx, more)
  return lockCase(tx, caseRef)
}

/** The same, as long as it is as the author of a decision saw it. */
async function holdAsSeen(tx: Tx, { act, caseRef, version }: Pick<Wanted, 'act' | 'caseRef' | 'version'>) {
  const loanCase = await holdFor(tx, act, caseRef)
  mustBeSeen(loanCase, version)
  return loanCase
}

class Rehearsed extends Error {}

/** Does it and undoes it: whoever asks learns at once what would be refused. */
async function rehearse(ctx: Context, wanted: Wanted, { staffId }: Staff): Promise<void> {
  const { act, form, at } = wanted
  try {
    await ctx.db.tx(async (tx) => {
      await checkedActs[act].run(tx, ctx, await holdAsSeen(tx, wanted), { form, staffId, at })
      throw new Rehearsed()
    })
  } catch (error) {
    if (!(error instanceof Rehearsed)) throw error
  }
}

async function makeRequest(tx: Tx, ctx: Context, who: Staff, wanted: Wanted): Promise<void> {
  const { caseRef, act, form, at } = wanted
  const loanCase = await holdAsSeen(tx, wanted)
  const requestId = uuidv7(at.getTime())
  const amountPaise = await checkedActs[act].amountOf(tx, loanCase, form, ctx)
  await expireRequests(tx, at)
  const request: ApprovalRequest = {
    ...{ caseRef, requestId, act, amountPaise, reason: reasonOf(form), state: 'WAITING' },
    payloadSealed: ctx.seal.json([...form], payloadContext(requestId)),
    ...{ madeBy: who.staffId, makerKnownTo: [...who.knownTo], madeAt: at, expiresAt: daysAfter(at, daysToDecide) },
    ...{ decidedBy: null, decidedAt: null, decisionReason: null },
  }
  if (!(await insertRequest(tx, request)))
    throw new Refusal('wrong-state', `the ${checkedActs[act].label} waits for approval already`)
  await note(tx, who, { request, act: 'REQUEST_MADE', at })
}

type Noted = 'REQUEST_MADE' | 'REQUEST_APPROVED' | 'REQUEST_REFUSED' | 'REQUEST_WITHDRAWN'

interface RequestNote {
  request: ApprovalRequest
  act: Noted
  at: Date
}

const note = (tx: Tx, { staffId }: Staff, { request, act, at }: RequestNote): Promise<void> => {
  const { caseRef, requestId: subject, act: what, amountPaise } = request
  return noteAct(tx, { staffId, act, about: { caseRef, subject, detail: { what, amount: rupees(amountPaise) } }, at })
}

/** Which request is decided, and why. */
interface Decided {
  caseRef: string
  requestId: string
  reason: string | null
  version: SeenVersion
  at: Date
}

const noSuchRequest = (): Refusal => new Refusal('absent', 'there is no such request')

/** A request that waits, held. Refused: `absent` · `wrong-state` when it was decided, or its time is over. */
async function waiting(tx: Tx, { caseRef, requestId, at }: Decided): Promise<ApprovalRequest> {
  const request = await lockRequest(tx, caseRef, requestId)
  if (!request) throw noSuchRequest()
  requireWaiting(request, at)
  return request
}

type WhyNot = typeof whyNotApprove | typeof whyNotRefuse

async function mayDecide(tx: Tx, who: Staff, request: ApprovalRequest, whyNot: WhyNot): Promise<void> {
  requireOther(who, request)
  const why = whyNot(await listLimits(tx), who, request)
  if (why === 'NOT_THEIRS')
    throw new Refusal('forbidden', `your roles do not decide on this: ${checkedActs[request.act].label}`)
  if (why) throw new Refusal('forbidden', `${rupees(request.amountPaise)} is beyond what your roles may approve`)
}

/**
 * Approves a request and does what was asked for, in one transaction. Where that is no longer possible the request is closed as
 * refused, with the reason why. Refused: `forbidden` without a second factor · `absent` · `wrong-state`, also where the case has changed · `forbidden` one's own, or
 * beyond one's limit, by the amount that it is about now.
 */
export async function approveRequest(ctx: Context, who: SignedIn, decided: Decided): Promise<void> {
  requireProof(who)
  const { at, reason } = decided
  const decide = () =>
    ctx.db.tx(async (tx) => {
      const act = await actOfRequest(tx, decided)
      if (!act) throw noSuchRequest()
      const loanCase = await holdFor(tx, act, decided.caseRef)
      const request = await waiting(tx, decided)
      await holdSignedIn(tx, who, ctx)
      await mayDecide(tx, who, request, whyNotApprove)
      mustBeSeen(loanCase, decided.version)
      const form = formOf(ctx.seal, request)
      // It may be about more than when it was asked for, as after another offer.
      const amountPaise = await doneNow(() => checkedActs[act].amountOf(tx, loanCase, form, ctx))
      if (amountPaise > request.amountPaise) await mayDecide(tx, who, { ...request, amountPaise }, whyNotApprove)
      await doneNow(() => checkedActs[request.act].run(tx, ctx, loanCase, { form, staffId: who.staffId, at }))
      const decision = { state: 'APPROVED' as const, decidedBy: who.staffId, decidedAt: at, decisionReason: reason }
      await writeDecision(tx, request, decision)
      await note(tx, who, { request: { ...request, amountPaise }, act: 'REQUEST_APPROVED', at })
    })
  const close = (because: string) => closed(ctx, who, { ...decided, reason: because, state: 'REFUSED' })
  await doneOrClosed('request', decide, close)
}

interface Closing extends Decided {
  state: 'REFUSED' | 'WITHDRAWN'
}

async function closed(ctx: Context, who: Staff, { state, ...decided }: Closing): Promise<void> {
  const { at, reason } = decided
  await ctx.db.tx(async (tx) => {
    await lockCase(tx, decided.caseRef)
    const request = await waiting(tx, decided)
    if (state === 'REFUSED') await mayDecide(tx, who, request, whyNotRefuse)
    else requireOwn(who, request)
    await writeDecision(tx, request, { state, decidedBy: who.staffId, decidedAt: at, decisionReason: reason })
    await note(tx, who, { request, act: `REQUEST_${state}`, at })
  })
}

/** Refuses a request with a reason. Refused as `approveRequest`; `invalid` at `reason` without one. */
export async function refuseRequest(ctx: Context, who: Staff, decided: Decided): Promise<void> {
  requireReason(decided.reason)
  await closed(ctx, who, { ...decided, state: 'REFUSED' })
}

/** Whoever made it takes it back. Refused: `absent` · `wrong-state` · `forbidden` somebody else's. */
export const withdrawRequest = (ctx: Context, who: Staff, decided: Decided): Promise<void> =>
  closed(ctx, who, { ...decided, state: 'WITHDRAWN' })
