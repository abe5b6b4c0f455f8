// The routes of one case: the case page, and the acts of staff on the case.

import { Refusal } from '@lendloom/foundation/refusal'
import { type TSchema, Type } from '@lendloom/foundation/schema'
import { formFrom } from '@lendloom/http/body'
import { html } from '@lendloom/http/markup'
import { businessDate } from '@lendloom/lending/calendar'
import type { Context } from '#partner/context.ts'
import { caseActs } from '#partner/desk/approval/act-forms.ts'
import { actOrRequest } from '#partner/desk/approval/act-or-request.ts'
import type { CheckedActName } from '#partner/desk/approval/approval-rules.ts'
import { checkedActs, type DecisionAct, isLateExitRequest } from '#partner/desk/approval/checked-acts.ts'
import { calculatedForm, hasUnseenFigures } from '#partner/desk/approval/offer-form.ts'
import { readExitRequest, readPaymentId, termsOfForm } from '#partner/desk/approval/read-act-forms.ts'
import { ChangedCase, requireSeenVersion, type SeenVersion, versionQuery } from '#partner/desk/approval/seen-version.ts'
import { debitBlockText } from '#partner/desk/arrears/debit-text-en.ts'
import { caseAddress, readWorklist } from '#partner/desk/arrears/worklist.ts'
import { noticeAfterAct } from '#partner/desk/audit/act-notice.ts'
import { AuditedAnswer, type DeskRoute, deskRoute, stringFields } from '#partner/desk/desk-route.ts'
import { areaNames, deskPage, goTo } from '#partner/desk/frame.ts'
import type { RefusedForm } from '#partner/desk/parts/form-parts.ts'
import { toSentence } from '#partner/desk/parts/format.ts'
import { readField } from '#partner/desk/parts/read-fields.ts'
import { statusOf } from '#partner/desk/refusal-page.ts'
import { anyStaff, may, type SignedIn } from '#partner/desk/staff/desk-auth.ts'
import { type Act, can, noteAct } from '#partner/desk/staff/staff-acts.ts'
import { lockCase, readCase } from '#partner/origination/case/store.ts'
import { decideKyc, rejectCase } from '#partner/origination/review/review-case.ts'
import { decideNames } from '#partner/servicing/collection/account-name/store.ts'
import { planNextDebit } from '#partner/servicing/collection/debit/plan-next-debit.ts'
import { prepareDebit } from '#partner/servicing/collection/debit/prepare-debit.ts'
import { roundOffLoan } from '#partner/servicing/collection/give-up-dues.ts'
import { postHeldPayment } from '#partner/servicing/collection/held-payment.ts'
import { requestExit } from '#partner/servicing/collection/request-exit.ts'
import { endAfterKycRejection, stopCase } from '#partner/servicing/collection/stop-case.ts'
import { duesTolerance } from '#partner/servicing/loan/class/classify.ts'
import { savePartPaymentChoice } from '#partner/servicing/loan/store.ts'
import { readStop } from './cancel-application-form.ts'
import { actsMenu, type CaseTab, shownActs, tabIn } from './case-head.ts'
import { changesSince } from './case-history.ts'
import { inlineCaseNumber } from './case-number.ts'
import { caseBody } from './case-page.ts'
import { type CaseView, readCaseView } from './case-view.ts'
import { readDecision, readNamesDigest } from './comparison-parts.ts'
import { nameOfBorrower } from './open-lead.ts'
import { type PersonalField, personalFields, readReveal, revealableFields } from './personal-data.ts'

const path = '/desk/cases/{caseRef}'
const params = Type.Object({ caseRef: Type.String({ maxLength: 200 }) })
const common = { section: 'D3 §1.1', auth: anyStaff, hidden: true, viewAct: 'CASE_VIEWED' } as const

interface CasePageRequest {
  caseRef: string
  at: Date
  tab?: CaseTab
  /** The act whose form is shown. */
  act?: string | undefined
  isFile?: boolean
  done?: string | undefined
  list: string | undefined
  /** The personal data that the person has just revealed. */
  revealed?: ReadonlySet<PersonalField>
  refusedInput?: { action: string; raw: Buffer; refusal: Refusal; seen?: string | undefined }
  /** The terms of an offer whose result the page shows. */
  calculated?: URLSearchParams
  /** Whether an offer of the calculated terms was stopped, because the page had not shown their figures. */
  isStopped?: boolean
}

const debitPlanOf = ({ db, seal }: Context, caseRef: string, at: Date) =>
  db.snapshot((tx) => planNextDebit({ tx, seal, at }, { caseRef, isOverride: true }))

/**
 * Shows the page of a case. With `refusedInput`, the page keeps the input and says why it was refused; if the case had
 * changed meanwhile, also what changed since the person saw it.
 */
async function casePage(
  ctx: Context,
  who: SignedIn,
  {
    caseRef,
    at,
    tab = 'loan',
    act,
    isFile = false,
    done,
    list: place,
    revealed,
    refusedInput,
    calculated,
    isStopped,
  }: CasePageRequest,
) {
  const submitted = refusedInput && refusedFormOf(refusedInput)
  const { staffId } = who
  // When the refused form was loaded, in milliseconds as text.
  const seen = refusedInput?.refusal instanceof ChangedCase && refusedInput.seen
  const [data, worklist] = await Promise.all([
    readCaseView(ctx, who, caseRef, { at, revealed }),
    place
      ? readWorklist(ctx.db, {
          place,
          caseRef,
          staffId,
          today: businessDate(at),
          tolerance: duesTolerance(ctx.config),
        })
      : undefined,
  ])
  const mayCollect = data.account !== null && can(who, 'DEBIT_REQUESTED')
  const debitPlan = mayCollect ? await debitPlanOf(ctx, caseRef, at) : undefined
  const view: CaseView = { ...data, worklist, debitPlan }
  const refusedForm = submitted ?? (calculated ? calculatedForm(view, calculated, ctx) : null)
  const { account, loanCase } = view
  const caseName = inlineCaseNumber({ ...loanCase, hasLoan: account !== null })
  const page = caseAddress(caseRef, undefined)
  const borrower = nameOfBorrower(view.lead)
  const acts = {
    groups: caseActs(view, who, ctx, { refusedForm, isStopped, page }),
    page,
    place: worklist?.place,
  }
  const body = caseBody(view, who, ctx, {
    tab,
    acts: shownActs({ ...acts, borrower, chosen: act, refusedForm }),
    refusedForm,
    isFile,
  })
  const frame = {
    title: borrower,
    beside: actsMenu(acts),
    area: worklist ? '/desk/collections' : '/desk/cases',
    ...(worklist && { back: html`<a href="${worklist.address}">${areaNames.get('/desk/collections')}</a>` }),
    problem: submitted && html`${submitted.message}${seen && html` ${changesSince(view, new Date(Number(seen)))}`}`,
    done: revealed
      ? `Revealed until you leave this page: ${[...revealed].map((each) => personalFields[each]).join(', ')}.`
      : await noticeAfterAct(ctx, who, done, caseName),
    body,
  } as const
  return deskPage(ctx, who, frame, refusedInput && statusOf(refusedInput.refusal))
}

const refusedFormOf = ({
  action,
  raw,
  refusal: { message, details },
}: NonNullable<CasePageRequest['refusedInput']>): RefusedForm => ({
  action,
  form: formFrom(raw),
  field: details.field ?? null,
  message: toSentence(message),
})

const show = deskRoute({
  ...common,
  method: 'GET',
  path,
  params,
  summary: 'The page of a case',
  handle({ who, params: { caseRef }, query, at }, ctx) {
    const { csv, tab, act, done, list } = stringFields(query)
    return casePage(ctx, who, { caseRef, at, tab: tabIn(tab), act, isFile: csv !== undefined, done, list })
  },
})

const refusedPageOf =
  (action: string): NonNullable<DeskRoute<SignedIn, TSchema, typeof versionQuery, typeof params>['onRefusal']> =>
  ({ who, params: { caseRef }, query: { list, seen }, raw, at }, refusal, ctx) =>
    casePage(ctx, who, { caseRef, at, list, refusedInput: { action, raw, refusal, seen } })

/** Shows the page of the case with personal data, which the audit log notes with the reason and without the values. */
const reveal = deskRoute({
  ...common,
  auth: may('PERSONAL_DATA_REVEALED'),
  method: 'POST',
  path: `${path}/reveal`,
  params,
  query: versionQuery,
  summary: 'Reveal personal data of the borrower',
  accepts: 'raw',
  async handle({ who, params: { caseRef }, query: { list }, raw, at }, ctx) {
    const masked = await readCaseView(ctx, who, caseRef, { at })
    const { fields, reason } = readReveal(formFrom(raw), masked, revealableFields(masked, who, at))
    const page = await casePage(ctx, who, { caseRef, at, list, revealed: new Set(fields) })
    const detail = { fields: fields.join(', '), because: reason }
    return new AuditedAnswer(page, { act: 'PERSONAL_DATA_REVEALED', about: { caseRef, detail } })
  },
  onRefusal: refusedPageOf('reveal'),
})

/** Shows what the terms in the form would make of the loan, and changes nothing. */
const calculate = deskRoute({
  ...common,
  auth: may('OFFERED'),
  method: 'POST',
  path: `${path}/calculate`,
  params,
  query: versionQuery,
  summary: 'Calculate an offer',
  accepts: 'raw',
  handle: ({ who, params: { caseRef }, query: { list }, raw, at }, ctx) =>
    casePage(ctx, who, { caseRef, at, list, ...calculation(ctx, raw) }),
})

/** The calculated terms, or the field that cannot be read. That is no refused act, which the audit log would keep. */
function calculation({ config }: Context, raw: Buffer): Pick<CasePageRequest, 'calculated' | 'refusedInput'> {
  const form = formFrom(raw)
  try {
    termsOfForm(config, form)
  } catch (refusal) {
    if (refusal instanceof Refusal) return { refusedInput: { action: 'offer', raw, refusal } }
    throw refusal
  }
  return { calculated: form }
}

interface FormAct {
  /** The last segment of the path. */
  name: string
  summary: string
  kind: Act
}

interface CaseForm {
  caseRef: string
  form: URLSearchParams
  version: SeenVersion
  at: Date
}

const goToCase = (caseRef: string, done: Act, list: string | undefined) =>
  goTo(caseAddress(caseRef, list, `?done=${done}`))

/** A route for a form of the case page. Redirects to the page after `run`; a refusal shows the page with the reason. */
export const formRoute = (
  { name, summary, kind }: FormAct,
  run: (ctx: Context, who: SignedIn, submitted: CaseForm) => Promise<unknown>,
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
    async handle({ who, params: { caseRef }, query: { version, list }, raw, at }, ctx) {
      const result = await run(ctx, who, { caseRef, form: formFrom(raw), version, at })
      return goToCase(caseRef, result === 'WAITING' ? 'REQUEST_MADE' : kind, list)
    },
    onRefusal: refusedPageOf(name),
  })

/** A route that locks a case, executes an act on the case and records the act. */
export const actRoute = (name: string, summary: string, kind: Act, decide: DecisionAct) =>
  formRoute({ name, summary, kind }, (ctx, { staffId }, { caseRef, form, at }) =>
    ctx.db.tx(async (tx) => {
      await decide(tx, ctx, await lockCase(tx, caseRef), { form, staffId, at })
      await noteAct(tx, { staffId, act: kind, about: { caseRef }, at })
    }),
  )

/** A route that records a decision on a case. Refuses it if the case has changed since the page was loaded. */
const decisionRoute = (name: string, summary: string, kind: Act, decide: DecisionAct) =>
  formRoute({ name, summary, kind }, (ctx, { staffId }, { caseRef, form, version, at }) =>
    ctx.db.tx(async (tx) => {
      const loanCase = await lockCase(tx, caseRef)
      requireSeenVersion(loanCase, version)
      await decide(tx, ctx, loanCase, { form, staffId, at })
      await noteAct(tx, { staffId, act: kind, about: { caseRef }, at })
    }),
  )

/** A route that executes an act or, if the act needs approval by a second person, creates a request. */
const checkedRoute = (name: string, summary: string, checkedAct: CheckedActName) =>
  formRoute({ name, summary, kind: checkedActs[checkedAct].act }, (ctx, who, submitted) =>
    actOrRequest(ctx, who, { ...submitted, act: checkedAct }),
  )

/** Offers terms. If the page had not shown their figures, shows them instead, for the person to approve again. */
const offerTerms = deskRoute({
  ...common,
  auth: may('OFFERED'),
  method: 'POST',
  path: `${path}/offer`,
  params,
  query: versionQuery,
  summary: 'Offer terms',
  accepts: 'raw',
  async handle({ who, params: { caseRef }, query: { version, list }, raw, at }, ctx) {
    const form = formFrom(raw)
    const loanCase = await readCase(ctx.db, caseRef)
    const isLatest = version === String(loanCase?.snapshotVersion)
    if (isLatest && hasUnseenFigures(ctx.config, form))
      return casePage(ctx, who, { caseRef, at, list, calculated: form, isStopped: true })
    const result = await actOrRequest(ctx, who, { caseRef, form, version, at, act: 'OFFER' })
    return goToCase(caseRef, result === 'WAITING' ? 'REQUEST_MADE' : 'OFFERED', list)
  },
  onRefusal: refusedPageOf('offer'),
})

const collectNow = deskRoute({
  ...common,
  auth: may('DEBIT_REQUESTED'),
  method: 'POST',
  path: `${path}/collect`,
  section: 'D3 §6',
  params,
  query: versionQuery,
  summary: 'Check the case for a debit now',
  accepts: 'raw',
  async handle({ who, params: { caseRef }, query: { list }, at }, ctx) {
    const plan = await prepareDebit(ctx, caseRef, at, (tx) =>
      noteAct(tx, { staffId: who.staffId, act: 'DEBIT_REQUESTED', about: { caseRef }, at }),
    )
    if ('blocked' in plan) throw new Refusal('wrong-state', `no debit was requested: ${debitBlockText(plan.blocked)}`)
    return goToCase(caseRef, 'DEBIT_REQUESTED', list)
  },
  onRefusal: refusedPageOf('collect'),
})

const rejectApplication: DecisionAct = (tx, ctx, loanCase, { form, staffId, at }) =>
  rejectCase(tx, ctx, loanCase, { reviewerReference: staffId, ...codeIn(form), reasonMessage: explanationIn(form), at })

const reviewKyc: DecisionAct = async (tx, ctx, loanCase, { form, staffId, at }) => {
  const decision = readField(form, 'decision', /^(APPROVED|REJECTED)$/) === 'APPROVED' ? 'APPROVED' : 'REJECTED'
  const reasonMessage = form.get('reasonMessage')?.trim() || null
  const reviewed = await decideKyc({ ...ctx, tx, at }, loanCase, {
    decision,
    reviewerReference: staffId,
    ...codeIn(form),
    reasonMessage,
  })
  if (decision === 'REJECTED') await endAfterKycRejection({ ...ctx, tx, at }, reviewed, staffId)
}

function codeIn(form: URLSearchParams): { reasonCode: string } {
  if (!form.get('reasonCode')) throw new Refusal('invalid', 'choose a reason', { field: 'reasonCode' })
  return { reasonCode: readField(form, 'reasonCode', /^[A-Z][A-Z0-9_]{1,59}$/) }
}
const explanationIn = (form: URLSearchParams): string => readField(form, 'reasonMessage', /^[\s\S]{1,500}$/)

/** The audit entry contains the day of the request and, if given, its reference. A late request needs a second person. */
const coolingOffExit = formRoute(
  { name: 'exit', summary: 'Record a cooling-off cancellation', kind: 'COOLING_OFF_EXIT' },
  (ctx, who, submitted) => {
    const { caseRef, form, at } = submitted
    const request = readExitRequest(form, at)
    if (isLateExitRequest(request)) return actOrRequest(ctx, who, { ...submitted, act: 'CANCELLATION' })
    return ctx.db.tx(async (tx) => {
      await requestExit({ ...ctx, tx, at }, await lockCase(tx, caseRef), request)
      const { requestedOn, reference } = request
      const detail = { requestedOn, ...(reference && { reference }) }
      await noteAct(tx, { staffId: who.staffId, act: 'COOLING_OFF_EXIT', about: { caseRef, detail }, at })
    })
  },
)

const choosePartPayment: DecisionAct = (tx, _ctx, { caseRef }, { form }) =>
  savePartPaymentChoice(
    tx,
    caseRef,
    readField(form, 'keeps', /^(INSTALLMENT|TERM)$/) === 'TERM' ? 'TERM' : 'INSTALLMENT',
  )

const compareNames: DecisionAct = async (tx, _ctx, { caseRef }, { form, staffId, at }) => {
  const decided = { ...readDecision(form), decidedBy: staffId, decidedAt: at }
  if (!(await decideNames(tx, { caseRef, namesDigest: readNamesDigest(form), ...decided })))
    throw new Refusal('wrong-state', 'the names on your page do not wait for a decision any more')
}

const roundOff: DecisionAct = (tx, ctx, loanCase, { at }) => roundOffLoan({ ...ctx, tx, at }, loanCase)

const stop: DecisionAct = (tx, ctx, loanCase, { form, staffId, at }) =>
  stopCase({ ...ctx, tx, at }, loanCase, readStop(form, staffId))

const postHeld = formRoute(
  { name: 'post-held', summary: 'Post a payment that waits for a decision', kind: 'RECEIPT_POSTED' },
  (ctx, { staffId }, { caseRef, form, at }) =>
    ctx.db.tx(async (tx) => {
      const subject = readPaymentId(form)
      if (form.get('noRequest') !== 'yes')
        throw new Refusal('invalid', 'confirm that the borrower did not ask to cancel', { field: 'noRequest' })
      await postHeldPayment({ ...ctx, tx, at }, await lockCase(tx, caseRef), subject)
      await noteAct(tx, { staffId, act: 'RECEIPT_POSTED', about: { caseRef, subject }, at })
    }),
)

export const caseRoutes = [
  show,
  reveal,
  calculate,
  collectNow,
  offerTerms,
  decisionRoute('reject', 'Reject the application', 'REJECTED', rejectApplication),
  decisionRoute('kyc', 'Review the KYC', 'KYC_REVIEWED', reviewKyc),
  checkedRoute('disburse', 'Order the transfer', 'PAYOUT'),
  checkedRoute('refund', 'Refund an overpayment', 'REFUND'),
  checkedRoute('waive', 'Waive due penal charges, charges or interest', 'WAIVER'),
  decisionRoute('round-off', 'Round off the rest of the loan', 'ROUNDED_OFF', roundOff),
  checkedRoute('write-off', 'Write the loan off', 'WRITE_OFF'),
  checkedRoute('settle', 'Settle the loan for less', 'SETTLEMENT'),
  checkedRoute('loss', 'Classify the loans of the borrower as a loss', 'LOSS'),
  checkedRoute('reverse', 'Reverse a receipt', 'REVERSAL'),
  checkedRoute('account', 'Change the bank account of the borrower', 'ACCOUNT'),
  decisionRoute('name', 'Decide whether an account is the borrower’s', 'NAMES_COMPARED', compareNames),
  decisionRoute('stop', 'Cancel the application before its payout', 'CASE_STOPPED', stop),
  coolingOffExit,
  postHeld,
  actRoute(
    'keeps',
    'Choose whether part payments keep the instalment or the term',
    'PART_PAYMENT_CHOICE',
    choosePartPayment,
  ),
]
