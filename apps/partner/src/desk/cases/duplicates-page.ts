// Possible duplicates (D3 §4.1): the queue, the page that compares an applicant with a borrower, and the decision.

import { Refusal } from '@lendloom/foundation/refusal'
import { Type, Uuid } from '@lendloom/foundation/schema'
import { formFrom } from '@lendloom/http/body'
import { type Html, html } from '@lendloom/http/markup'
import type { Context } from '#partner/context.ts'
import { noticeAfterAct } from '#partner/desk/audit/act-notice.ts'
import { AuditedAnswer, deskRoute } from '#partner/desk/desk-route.ts'
import { caseLink, deskPage, goTo } from '#partner/desk/frame.ts'
import { factList } from '#partner/desk/parts/facts.ts'
import { badge, inr, toSentence } from '#partner/desk/parts/format.ts'
import { maskedDay, maskedNumber } from '#partner/desk/parts/mask.ts'
import { pageLinks, pagingQuery, readPage } from '#partner/desk/parts/paging.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { waitText } from '#partner/desk/queue/waiting-time.ts'
import { statusOf } from '#partner/desk/refusal-page.ts'
import { anyStaff, may } from '#partner/desk/staff/desk-auth.ts'
import { can, noteAct } from '#partner/desk/staff/staff-acts.ts'
import {
  type DedupeReview,
  findReview,
  type IdentityFacts,
  listReviews,
  reviewContext,
  reviewsInOrder,
  writeDecision,
} from '#partner/origination/case/dedupe-review/store.ts'
import { leadOfCase, readCase } from '#partner/origination/case/store.ts'
import type { Staff } from '#partner/people/person.ts'
import { accountOf } from '#partner/servicing/loan/account-view.ts'
import { caseNumberText } from './case-number.ts'
import { comparisonTable, decideCard, emptyDecision, readDecision, readDecisionForm } from './comparison-parts.ts'
import { compareTexts } from './comparison-text-en.ts'
import { nameOfBorrower, openLead } from './open-lead.ts'

const texts = compareTexts.duplicates
const path = '/desk/duplicates'
const perPage = 50
const routeOptions = { section: 'D3 §4.1', auth: anyStaff, hidden: true, viewAct: 'CASE_VIEWED' } as const
const params = Type.Object({ reviewId: Uuid })

const applicantOf = ({ seal }: Pick<Context, 'seal'>, { reviewId, applicantSealed }: DedupeReview): IdentityFacts =>
  seal.openJson<IdentityFacts>(applicantSealed, reviewContext(reviewId))

const list = deskRoute({
  ...routeOptions,
  viewAct: 'LIST_VIEWED',
  method: 'GET',
  path,
  summary: 'Applicants who may be known borrowers',
  query: Type.Object({ done: Type.Optional(Type.String()), ...pagingQuery(texts.list) }),
  async handle({ who, query, at }, ctx) {
    const paging = { table: texts.list, keyset: reviewsInOrder, perPage }
    const reviews = await readPage(query, paging, (window) => listReviews(ctx.db, window))
    const rows = reviews.rows.map((each) => {
      const { name, bornOn, pan } = applicantOf(ctx, each)
      return [
        html`<a href="${path}/${each.reviewId}">${name}</a>`,
        waitText('duplicates', each.createdAt, at),
        maskedDay(bornOn),
        maskedNumber(pan),
        each.existingCaseRef === null ? texts.noSimilar : caseLink(each.existingCaseRef, texts.known),
      ]
    })
    const body = html`<section><p>${texts.why}</p>
${tableOf(texts.list, [texts.applicant, texts.waiting, compareTexts.fields.bornOn, compareTexts.fields.pan, texts.comparedWith], rows, { empty: texts.empty })}${pageLinks(query, reviews)}</section>`
    return deskPage(ctx, who, {
      title: texts.list,
      area: '/desk/cases',
      done: await noticeAfterAct(ctx, who, query.done),
      body,
    })
  },
})

/** Reads the borrower of the case that the applicant resembles. */
async function readKnownBorrower({ db, seal }: Context, caseRef: string) {
  const [loanCase, lead, account] = await Promise.all([
    readCase(db, caseRef),
    leadOfCase(db, caseRef),
    accountOf(db, caseRef),
  ])
  const { borrower } = openLead(seal, caseRef, lead)
  const name = nameOfBorrower(openLead(seal, caseRef, lead))
  const { pan, mobile, date_of_birth: bornOn } = borrower
  return { loanCase, account, person: { name, pan, mobile, bornOn } }
}

/** A mobile number without its country code, for comparison. */
const lastTenDigits = (mobile: string): string => mobile.replaceAll(/\D/g, '').slice(-10)

/** The applicant alone, if no borrower was found who resembles them. */
const applicantFacts = ({ name, pan, bornOn, mobile }: IdentityFacts): Html =>
  factList([
    [compareTexts.fields.name, name],
    [compareTexts.fields.pan, maskedNumber(pan)],
    [compareTexts.fields.bornOn, maskedDay(bornOn)],
    [compareTexts.fields.mobile, maskedNumber(mobile)],
  ])

const sideBySide = (applicant: IdentityFacts, known: IdentityFacts): Html =>
  comparisonTable(
    texts.title,
    [texts.applicant, texts.known],
    [
      {
        label: compareTexts.fields.name,
        left: applicant.name,
        right: known.name,
        isSame: applicant.name === known.name,
      },
      {
        label: compareTexts.fields.pan,
        left: maskedNumber(applicant.pan),
        right: maskedNumber(known.pan),
        isSame: applicant.pan.toUpperCase() === known.pan.toUpperCase(),
      },
      {
        label: compareTexts.fields.bornOn,
        left: maskedDay(applicant.bornOn),
        right: maskedDay(known.bornOn),
        isSame: applicant.bornOn === known.bornOn,
      },
      {
        label: compareTexts.fields.mobile,
        left: maskedNumber(applicant.mobile),
        right: maskedNumber(known.mobile),
        isSame: lastTenDigits(applicant.mobile) === lastTenDigits(known.mobile),
      },
    ],
  )

interface ReviewPageRequest {
  review: DedupeReview
  input?: { decision: string; reason: string }
  problem?: string
  status?: number
}

/** The page of one review: to decide while it is open, to read afterwards. */
async function reviewPage(ctx: Context, who: Staff, { review, input, problem, status = 200 }: ReviewPageRequest) {
  const applicant = applicantOf(ctx, review)
  const known = review.existingCaseRef === null ? null : await readKnownBorrower(ctx, review.existingCaseRef)
  const action = `${path}/${review.reviewId}`
  const choices = (['SAME', 'DIFFERENT'] as const)
    .filter((value) => known !== null || value === 'DIFFERENT')
    .map((value) => ({
      value,
      label: known ? texts[value] : texts.notKnown,
      effect: known ? texts.effects[value] : texts.effectWithoutKnown,
    }))
  const decided = review.decision && (known ? texts[review.decision] : texts.notKnown)
  const knownCard =
    known?.loanCase &&
    html`<section class="card"><h2>${texts.known}</h2>${factList([
      [
        'Case',
        caseLink(known.loanCase.caseRef, caseNumberText({ ...known.loanCase, hasLoan: known.account !== null })),
      ],
      ['Application', badge(known.loanCase.status)],
      ['Account', known.account && badge(known.account.loanStatus)],
      ['Total outstanding', known.account && inr(known.account.soa.totalPaise)],
    ])}</section>`
  const mayDecide = decided === null && can(who, 'IDENTITY_DECIDED')
  const body = html`<section>${known ? html`${sideBySide(applicant, known.person)}<p class="quiet">${texts.rule}</p>` : html`<p>${texts.noneFound}</p>`}</section>
${decided !== null && html`<p class="notice good" role="status">${decided}: ${review.reason}</p>`}
<div class="columns">${knownCard ?? html`<section class="card"><h2>${texts.applicant}</h2>${applicantFacts(applicant)}</section>`}${mayDecide && decideCard(action, choices, input ?? emptyDecision, html`<p class="quiet">${texts.again}</p>`)}</div>`
  const title = known ? texts.title : texts.titleWithoutKnown
  const answer = deskPage(ctx, who, { title, area: '/desk/cases', problem: problem ?? null, body }, status)
  const about = { ...(review.existingCaseRef && { caseRef: review.existingCaseRef }), subject: review.reviewId }
  return new AuditedAnswer(answer, { act: 'CASE_VIEWED', about })
}

async function requireReview({ db }: Context, reviewId: string): Promise<DedupeReview> {
  const review = await findReview(db, reviewId)
  if (!review) throw new Refusal('absent', 'this comparison does not exist')
  return review
}

const show = deskRoute({
  ...routeOptions,
  method: 'GET',
  path: `${path}/{reviewId}`,
  params,
  summary: 'An applicant beside the known borrower',
  handle: async ({ who, params: { reviewId } }, ctx) =>
    reviewPage(ctx, who, { review: await requireReview(ctx, reviewId) }),
})

const decide = deskRoute({
  ...routeOptions,
  auth: may('IDENTITY_DECIDED'),
  method: 'POST',
  path: `${path}/{reviewId}`,
  params,
  summary: 'Decide whether an applicant is the known borrower',
  accepts: 'raw',
  async handle({ who, params: { reviewId }, raw, at }, ctx) {
    await requireReview(ctx, reviewId)
    const decision = { reviewId, ...readDecision(formFrom(raw)), decidedBy: who.staffId, decidedAt: at }
    await ctx.db.tx(async (tx) => {
      if (!(await writeDecision(tx, decision))) throw new Refusal('wrong-state', compareTexts.decided)
      const about = { subject: `${reviewId} ${decision.decision}` }
      await noteAct(tx, { staffId: who.staffId, act: 'IDENTITY_DECIDED', about, at })
    })
    return goTo(`${path}?done=IDENTITY_DECIDED`)
  },
  async onRefusal({ who, params: { reviewId }, raw }, refusal, ctx) {
    const review = await requireReview(ctx, reviewId)
    const input = readDecisionForm(formFrom(raw))
    return reviewPage(ctx, who, { review, input, problem: toSentence(refusal.message), status: statusOf(refusal) })
  },
})

export const duplicateRoutes = [list, show, decide]
