// Performs an act, or makes a request for its approval if the person may not act alone. An approval performs the act.

import { Refusal } from '@lendloom/foundation/refusal'
import { rupees } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import type { Context } from '#partner/context.ts'
import { reasonIn } from '#partner/desk/parts/read-fields.ts'
import { lockSignedIn } from '#partner/desk/staff/desk-auth.ts'
import { noteAct } from '#partner/desk/staff/staff-acts.ts'
import type { Case } from '#partner/origination/case/lifecycle.ts'
import { lockCase, lockCasesUnversioned } from '#partner/origination/case/store.ts'
import type { DeskPerson, Staff } from '#partner/people/person.ts'
import {
  type ApprovalRequest,
  type CheckedActName,
  mayActAlone,
  payloadContext,
  whyMayNotApprove,
  whyMayNotRefuse,
} from './approval-rules.ts'
import { checkedActs } from './checked-acts.ts'
import { closeIfRefused, type FourEyesDecision, newProposalColumns, type ProposalKind } from './four-eyes.ts'
import { hasSeenRequest, submittedForm } from './request-content.ts'
import { requireSeenVersion, type SeenVersion } from './seen-version.ts'
import { actOfRequest, expireRequests, insertRequest, listLimits, lockRequest, writeDecision } from './store.ts'

const reasonOf = (form: URLSearchParams): string => reasonIn(form, 'reason', 'a second person decides this: ')

interface SubmittedAct {
  caseRef: string
  act: CheckedActName
  form: URLSearchParams
  /** The version of the case that the author saw. */
  version: SeenVersion
  at: Date
}

/**
 * Performs the act at once if the person may act alone; otherwise rehearses it and makes a request. Throws the errors
 * of the act, `invalid` for a missing reason of a request, and `wrong-state` if the same act already waits for
 * approval, or if the case has changed since the author saw it.
 */
export async function actOrRequest(ctx: Context, who: DeskPerson, request: SubmittedAct): Promise<'DONE' | 'WAITING'> {
  const { caseRef, act, form, at } = request
  const { amountOf, isForTwo, run, aboutOf, act: auditAct } = checkedActs[act]
  const decision = { form, staffId: who.staffId, at }
  const currentVersion = await ctx.db.tx(async (tx) => {
    const loanCase = await lockUnchanged(tx, request)
    await lockSignedIn(tx, who)
    const paise = await amountOf(tx, loanCase, form, { ...ctx, at })
    if (!mayActAlone(await listLimits(tx), who, { act, paise })) return loanCase.snapshotVersion
    if (await isForTwo?.(tx, loanCase, form, { ...ctx, at })) return loanCase.snapshotVersion
    await run(tx, ctx, loanCase, decision)
    const about = aboutOf?.(form)
    const detail = { amount: rupees(paise), ...about?.detail }
    await noteAct(tx, {
      staffId: who.staffId,
      act: auditAct,
      about: { caseRef, ...about, detail },
      at,
    })
    return null
  })
  if (currentVersion === null) return 'DONE'
  // The first transaction increased the version of the case, so the next ones expect the increased version.
  const current = { ...request, version: String(currentVersion) }
  await rehearse(ctx, current, who)
  await ctx.db.tx((tx) => makeRequest(tx, ctx, who, current))
  return 'WAITING'
}

/** Locks the case of an act. If the act changes several cases, locks all of them first, in a fixed order. */
async function lockCasesOf(tx: Tx, act: CheckedActName, caseRef: string): Promise<Case> {
  const otherCases = await checkedActs[act].casesOf?.(tx, caseRef)
  if (otherCases) await lockCasesUnversioned(tx, otherCases)
  return lockCase(tx, caseRef)
}

/** Locks the case of an act. Throws `wrong-state` if the case has changed since the author saw it. */
async function lockUnchanged(tx: Tx, { act, caseRef, version }: Pick<SubmittedAct, 'act' | 'caseRef' | 'version'>) {
  const loanCase = await lockCasesOf(tx, act, caseRef)
  requireSeenVersion(loanCase, version)
  return loanCase
}

class RehearsalDone extends Error {}

/** Performs the act and rolls it back, so that the author sees at once if it would be refused. */
async function rehearse(ctx: Context, request: SubmittedAct, { staffId }: Staff): Promise<void> {
  const { act, form, at } = request
  try {
    await ctx.db.tx(async (tx) => {
      await checkedActs[act].run(tx, ctx, await lockUnchanged(tx, request), { form, staffId, at })
      throw new RehearsalDone()
    })
  } catch (error) {
    if (!(error instanceof RehearsalDone)) throw error
  }
}

async function makeRequest(tx: Tx, ctx: Context, who: DeskPerson, submitted: SubmittedAct): Promise<void> {
  const { caseRef, act, form, at } = submitted
  const loanCase = await lockUnchanged(tx, submitted)
  await lockSignedIn(tx, who)
  const requestId = uuidv7(at.getTime())
  const amountPaise = await checkedActs[act].amountOf(tx, loanCase, form, { ...ctx, at })
  await expireRequests(tx, at)
  const request: ApprovalRequest = {
    caseRef,
    requestId,
    act,
    amountPaise,
    reason: reasonOf(form),
    payloadSealed: ctx.seal.json([...form], payloadContext(requestId)),
    ...newProposalColumns(who, at),
  }
  if (!(await insertRequest(tx, request)))
    throw new Refusal('wrong-state', `the ${checkedActs[act].label} is already waiting for approval`)
  await recordRequestAct(tx, who, { request, act: 'REQUEST_MADE', at })
}

type RequestAct = 'REQUEST_MADE' | 'REQUEST_APPROVED' | 'REQUEST_REFUSED' | 'REQUEST_WITHDRAWN'

interface RequestEntry {
  request: ApprovalRequest
  act: RequestAct
  at: Date
}

const recordRequestAct = (tx: Tx, { staffId }: Staff, { request, act, at }: RequestEntry): Promise<void> => {
  const { caseRef, requestId: subject, act: requestedAct, amountPaise } = request
  return noteAct(tx, {
    staffId,
    act,
    about: { caseRef, subject, detail: { what: requestedAct, amount: rupees(amountPaise) } },
    at,
  })
}

interface DecidedRequest extends FourEyesDecision {
  caseRef: string
  requestId: string
  version: SeenVersion
}

type DecisionCheck = typeof whyMayNotApprove | typeof whyMayNotRefuse

async function requireMayDecide(tx: Tx, who: Staff, request: ApprovalRequest, whyNot: DecisionCheck): Promise<void> {
  const reason = whyNot(await listLimits(tx), who, request)
  if (reason === 'ROLE_NOT_ALLOWED')
    throw new Refusal('forbidden', `your roles cannot decide this: ${checkedActs[request.act].label}`)
  if (reason) throw new Refusal('forbidden', `${rupees(request.amountPaise)} is more than your roles may approve`)
}

/**
 * Returns the rules for a decision on a request. An approval throws `wrong-state` if the case has changed since the
 * approver saw it or if the approver has not revealed a new account, and `forbidden` if the current amount exceeds the
 * approver's limit.
 */
export const requestProposal = (
  ctx: Context,
  who: Staff,
  decided: DecidedRequest,
): ProposalKind<ApprovalRequest, Case> => ({
  label: 'request',
  async lockSubject(tx) {
    const act = await actOfRequest(tx, decided)
    if (!act) throw new Refusal('absent', 'this request does not exist')
    return lockCasesOf(tx, act, decided.caseRef)
  },
  lockProposal: (tx) => lockRequest(tx, decided.caseRef, decided.requestId),
  requireMayDecide: (tx, request) => requireMayDecide(tx, who, request, whyMayNotRefuse),
  async execute(tx, request, loanCase) {
    const { amountOf, run } = checkedActs[request.act]
    await requireMayDecide(tx, who, request, whyMayNotApprove)
    requireSeenVersion(loanCase, decided.version)
    const form = submittedForm(ctx.seal, request)
    // The amount may have grown since the request, for example by another offer.
    const amountPaise = await closeIfRefused(() => amountOf(tx, loanCase, form, { ...ctx, at: decided.at }))
    if (amountPaise > request.amountPaise)
      await requireMayDecide(tx, who, { ...request, amountPaise }, whyMayNotApprove)
    if (!(await hasSeenRequest(tx, who, request)))
      throw new Refusal('wrong-state', 'reveal the requested account first: you approve the number that you have seen')
    await closeIfRefused(() => run(tx, ctx, loanCase, { form, staffId: who.staffId, at: decided.at }))
    return { ...request, amountPaise }
  },
  async record(tx, request, outcome, { at, reason }) {
    const state = outcome === 'DONE' ? 'APPROVED' : outcome
    await writeDecision(tx, request, { state, decidedBy: who.staffId, decidedAt: at, decisionReason: reason })
    await recordRequestAct(tx, who, { request, act: `REQUEST_${state}`, at })
  },
})
