// One case at the desk: its page, its files, and the reviewer's acts, which the rules use too.

import { formFrom } from '#kit/http/body.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { type TSchema, Type } from '#kit/http/schema.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { lockCase } from '#partner/case/store.ts'
import { decideNames } from '#partner/collection/account-name/store.ts'
import { collect } from '#partner/collection/collect.ts'
import { holdDebits, holdReasons, releaseHold } from '#partner/collection/hold.ts'
import { endForKyc, requestExit, stopCase } from '#partner/collection/stop.ts'
import type { Context } from '#partner/context.ts'
import { checkedActs, type DecisionAct } from '#partner/desk/approval/checked-acts.ts'
import { doOrRequest } from '#partner/desk/approval/decide.ts'
import type { CheckedName } from '#partner/desk/approval/request.ts'
import { mustBeSeen, type SeenVersion, versionQuery } from '#partner/desk/approval/seen-version.ts'
import { whyNot } from '#partner/desk/arrears/collection-texts.ts'
import { stoppingIn } from '#partner/desk/books/stop-form.ts'
import { type DeskRoute, deskRoute, statusOf } from '#partner/desk/desk-route.ts'
import { deskPage, goTo } from '#partner/desk/frame.ts'
import { dayIn, matching, referencePattern } from '#partner/desk/parts/form-fields.ts'
import type { Faulty } from '#partner/desk/parts/form-parts.ts'
import { sentence } from '#partner/desk/parts/format.ts'
import { atDesk, may, type SignedIn } from '#partner/desk/staff/staff.ts'
import { type Act, noteAct } from '#partner/desk/staff/staff-act.ts'
import { savePartPaymentKeeps } from '#partner/loan/store.ts'
import { decideKyc, reject } from '#partner/review/decide.ts'
import { nameOfBorrower } from './applicant-name.ts'
import { caseBody } from './case-page.ts'
import { decisionIn } from './compare.ts'
import { seeCase } from './read-case.ts'

const path = '/desk/cases/{caseRef}'
const params = Type.Object({ caseRef: Type.String({ maxLength: 200 }) })
const common = { section: 'D3 §1.1', auth: atDesk, hidden: true, shows: 'CASE_VIEWED' } as const

interface CasePageRequest {
  caseRef: string
  at: Date
  /** The form that was refused, as it was filled in. */
  refused?: { action: string; raw: Buffer; refusal: Refusal }
}

async function casePage(ctx: Context, who: SignedIn, { caseRef, at, refused }: CasePageRequest) {
  const faulty = refused ? faultyOf(refused) : null
  const seen = await seeCase(ctx, who, caseRef, at)
  const body = caseBody(seen, who, ctx, faulty)
  const page = {
    title: nameOfBorrower(seen.lead),
    here: '/desk/cases',
    problem: faulty?.message ?? null,
    body,
  } as const
  return deskPage(ctx, who, page, refused && statusOf(refused.refusal))
}

const faultyOf = ({ action, raw, refusal: { message, details } }: NonNullable<CasePageRequest['refused']>): Faulty => ({
  ...{ action, form: formFrom(raw), field: details.field ?? null, message: sentence(message) },
})

const show = deskRoute({
  ...common,
  method: 'GET',
  path,
  params,
  summary: 'A case with everything that is known of it',
  handle: ({ who, params: { caseRef }, at }, ctx) => casePage(ctx, who, { caseRef, at }),
})

/** The case with the form as it was filled in, and why it was refused. */
const againWith =
  (action: string): NonNullable<DeskRoute<SignedIn, TSchema, typeof versionQuery, typeof params>['again']> =>
  ({ who, params: { caseRef }, raw, at }, refusal, ctx) =>
    casePage(ctx, who, { caseRef, at, refused: { action, raw, refusal } })

interface FormAct {
  /** The last part of the address. */
  name: string
  summary: string
  kind: Act
}
/** The data of a case form. */
interface SentForm {
  caseRef: string
  form: URLSearchParams
  /** The case's version on its page. */
  version: SeenVersion
  at: Date
}

/** A form of a case: back to its page once `run` has done it, or its page again with the reason why it was refused. */
export const formRoute = (
  { name, summary, kind }: FormAct,
  run: (ctx: Context, who: SignedIn, sent: SentForm) => Promise<unknown>,
) =>
  deskRoute({
    ...common,
    auth: may(kind),
    method: 'POST',
    path: `${path}/${name}`,
    params,
    query: versionQuery,
    summary,
    accepts: 'raw',
    async handle({ who, params: { caseRef }, query: { version }, raw, at }, ctx) {
      await run(ctx, who, { caseRef, form: formFrom(raw), version, at })
      return goTo(`/desk/cases/${encodeURIComponent(caseRef)}`)
    },
    again: againWith(name),
  })

/** An act on a case: done and written down under its lock. */
export const act = (name: string, summary: string, kind: Act, decide: DecisionAct) =>
  formRoute({ name, summary, kind }, (ctx, { staffId }, { caseRef, form, at }) =>
    ctx.db.tx(async (tx) => {
      await decide(tx, ctx, await lockCase(tx, caseRef), { form, staffId, at })
      await noteAct(tx, { staffId, act: kind, about: { caseRef }, at })
    }),
  )

/** As above for a decision: refused when the case has changed since its author saw it. */
const decision = (name: string, summary: string, kind: Act, decide: DecisionAct) =>
  formRoute({ name, summary, kind }, (ctx, { staffId }, { caseRef, form, version, at }) =>
    ctx.db.tx(async (tx) => {
      const loanCase = await lockCase(tx, caseRef)
      mustBeSeen(loanCase, version)
      await decide(tx, ctx, loanCase, { form, staffId, at })
      await noteAct(tx, { staffId, act: kind, about: { caseRef }, at })
    }),
  )

/** As above for an act that may need a second person: then it becomes a request. */
const checked = (name: string, summary: string, which: CheckedName) =>
  formRoute({ name, summary, kind: checkedActs[which].act }, (ctx, who, sent) =>
    doOrRequest(ctx, who, { ...sent, act: which }),
  )

const collectNow = deskRoute({
  ...common,
  auth: may('DEBIT_REQUESTED'),
  method: 'POST',
  path: `${path}/collect`,
  section: 'D3 §6',
  params,
  query: versionQuery,
  summary: 'Look at the case for a debit now',
  accepts: 'raw',
  async handle({ who, params: { caseRef }, at }, ctx) {
    const plan = await collect(ctx, caseRef, at, (tx) =>
      noteAct(tx, { staffId: who.staffId, act: 'DEBIT_REQUESTED', about: { caseRef }, at }),
    )
    if ('blocked' in plan) throw new Refusal('wrong-state', `no debit was asked for: ${whyNot(plan.blocked)}`)
    return goTo(`/desk/cases/${encodeURIComponent(caseRef)}`)
  },
  again: againWith('collect'),
})

const refuse: DecisionAct = (tx, ctx, loanCase, { form, staffId, at }) =>
  reject(tx, ctx, loanCase, { reviewerReference: staffId, ...codeIn(form), reasonMessage: words(form), at })

const reviewKyc: DecisionAct = async (tx, ctx, loanCase, { form, staffId, at }) => {
  const decision = matching(form, 'decision', /^(APPROVED|REJECTED)$/) === 'APPROVED' ? 'APPROVED' : 'REJECTED'
  const reasonMessage = form.get('reasonMessage')?.trim() || null
  const reviewed = await decideKyc({ ...ctx, tx, at }, loanCase, {
    decision,
    reviewerReference: staffId,
    ...codeIn(form),
    reasonMessage,
  })
  if (decision === 'REJECTED') await endForKyc({ ...ctx, tx, at }, reviewed, staffId)
}

const codeIn = (form: URLSearchParams) => ({ reasonCode: matching(form, 'reasonCode', /^[A-Z][A-Z0-9_]{1,59}$/) })
const words = (form: URLSearchParams): string => matching(form, 'reasonMessage', /^[\s\S]{1,500}$/)

/** The day and the number of the complaint are in the audit log, too. */
const exit = formRoute(
  { name: 'exit', summary: 'The borrower leaves within the cooling-off period', kind: 'COOLING_OFF_EXIT' },
  (ctx, { staffId }, { caseRef, form, at }) =>
    ctx.db.tx(async (tx) => {
      const loanCase = await lockCase(tx, caseRef)
      const requestedOn = dayIn(form, 'requestedOn')
      const reference = form.get('reference')?.trim() ? matching(form, 'reference', referencePattern) : null
      await requestExit({ ...ctx, tx, at }, loanCase, { requestedOn, reference, today: businessDate(at) })
      const detail = { requestedOn, ...(reference && { reference }) }
      await noteAct(tx, { staffId, act: 'COOLING_OFF_EXIT', about: { caseRef, detail }, at })
    }),
)

const keeps: DecisionAct = (tx, _ctx, { caseRef }, { form }) =>
  savePartPaymentKeeps(tx, caseRef, matching(form, 'keeps', /^(INSTALLMENT|TERM)$/) === 'TERM' ? 'TERM' : 'INSTALLMENT')

const compareNames: DecisionAct = async (tx, _ctx, { caseRef }, { form, staffId, at }) => {
  if (!(await decideNames(tx, { caseRef, ...decisionIn(form), decidedBy: staffId, decidedAt: at })))
    throw new Refusal('wrong-state', 'no names of this case wait to be compared')
}
const stop: DecisionAct = (tx, ctx, loanCase, { form, staffId, at }) =>
  stopCase({ ...ctx, tx, at }, loanCase, stoppingIn(form, staffId))
const hold: DecisionAct = (tx, _ctx, { caseRef }, { form, at }) => {
  const given = form.get('reason')
  const reason = holdReasons.find((each) => each === given)
  if (!reason) throw new Refusal('invalid', 'a reason is needed', { field: 'reason' })
  return holdDebits(tx, caseRef, reason, at)
}
const release: DecisionAct = (tx, _ctx, loanCase) => releaseHold(tx, loanCase.caseRef)

export const caseRoutes = [
  show,
  collectNow,
  checked('offer', 'Approve with complete terms, or offer others', 'OFFER'),
  decision('reject', 'Reject the application', 'REJECTED', refuse),
  decision('kyc', 'Review the KYC', 'KYC_REVIEWED', reviewKyc),
  checked('disburse', 'Order the transfer', 'PAYOUT'),
  checked('refund', 'Return what was paid too much', 'REFUND'),
  checked('waive', 'Give up penal charges, charges or interest that is due', 'WAIVER'),
  checked('write-off', 'Count the claim as lost', 'WRITE_OFF'),
  checked('loss', 'Classify the loans of the borrower as a loss', 'LOSS'),
  checked('reverse', 'Take a receipt back', 'REVERSAL'),
  checked('account', 'Change the bank account of the borrower', 'ACCOUNT'),
  decision('name', 'Say whether an account is the borrower’s', 'NAMES_COMPARED', compareNames),
  decision('stop', 'End the application before it is paid out', 'CASE_STOPPED', stop),
  exit,
  act('keeps', 'What part payments leave as it is', 'PART_PAYMENT_CHOICE', keeps),
  act('hold', 'Hold debits', 'DEBITS_HELD', hold),
  act('release', 'Let debits go on', 'HOLD_RELEASED', release),
]
