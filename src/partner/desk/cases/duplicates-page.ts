// Applicants who may be known borrowers: the queue, each beside the similar borrower, and the decision (D3 §4.1).

import { formFrom } from '#kit/http/body.ts'
import { type Html, html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Type } from '#kit/http/schema.ts'
import {
  type DedupeReview,
  findReview,
  type IdentityFacts,
  identityContext,
  listReviews,
  reviewsInOrder,
  writeDecision,
} from '#partner/case/identity/store.ts'
import { leadOfCase, readCase } from '#partner/case/store.ts'
import type { Context } from '#partner/context.ts'
import { deskRoute, statusOf, ViewedAnswer } from '#partner/desk/desk-route.ts'
import { caseLink, deskPage, factList, goTo, tableOf } from '#partner/desk/frame.ts'
import { badge, day, inr, sentence } from '#partner/desk/parts/format.ts'
import { pageLinks, readPage, turnsOf } from '#partner/desk/parts/turn-page.ts'
import { waiting as waitingFor } from '#partner/desk/queue/age.ts'
import { atDesk, may } from '#partner/desk/staff/staff.ts'
import { can, noteAct } from '#partner/desk/staff/staff-act.ts'
import type { Staff } from '#partner/desk-person.ts'
import { accountOf } from '#partner/loan/account.ts'
import { nameOfBorrower, openLead } from './applicant-name.ts'
import { comparison, decideForm, decisionIn, nothingTyped, typedIn } from './compare.ts'
import { compareTexts } from './compare-text-en.ts'

const texts = compareTexts.who
const path = '/desk/duplicates'
const perPage = 50
const common = { section: 'D3 §4.1', auth: atDesk, hidden: true, shows: 'CASE_VIEWED' } as const
const params = Type.Object({ reviewId: Type.String({ pattern: '^[0-9a-f-]{36}$' }) })

const applicantOf = ({ seal }: Pick<Context, 'seal'>, { reviewId, applicantSealed }: DedupeReview): IdentityFacts =>
  seal.openJson<IdentityFacts>(applicantSealed, identityContext(reviewId))

const list = deskRoute({
  ...common,
  shows: 'LIST_VIEWED',
  method: 'GET',
  path,
  summary: 'Applicants of whom somebody has to say whether they are known',
  query: Type.Object(turnsOf(texts.list)),
  async handle({ who, query, at }, ctx) {
    const list = { table: texts.list, keyset: reviewsInOrder, perPage }
    const waiting = await readPage(query, list, (window) => listReviews(ctx.db, window))
    const rows = waiting.rows.map((each) => [
      html`<a href="${path}/${each.reviewId}">${applicantOf(ctx, each).name}</a>`,
      waitingFor('duplicates', each.createdAt, at),
      each.caseRef,
    ])
    const body = html`<section>${rows.length > 0 && html`<p>${texts.why}</p>`}
${tableOf(texts.list, [texts.applicant, 'Age', 'Platform reference'], rows, { empty: texts.empty })}${pageLinks(query, waiting)}</section>`
    return deskPage(ctx, who, { title: texts.list, here: '/desk/cases', body })
  },
})

/** The similar borrower: the data of their lead, and the state of their loan. */
async function knownIn({ db, seal }: Context, caseRef: string) {
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

const lastFour = (number: string): string => `•••••• ${number.slice(-4)}`
const digits = (mobile: string): string => mobile.replaceAll(/\D/g, '').slice(-10)

const sideBySide = (one: IdentityFacts, other: IdentityFacts): Html =>
  comparison(
    texts.title,
    [texts.applicant, texts.known],
    [
      { label: compareTexts.fields.name, one: one.name, other: other.name, isSame: one.name === other.name },
      {
        ...{ label: compareTexts.fields.pan, one: lastFour(one.pan), other: lastFour(other.pan) },
        isSame: one.pan.toUpperCase() === other.pan.toUpperCase(),
      },
      {
        ...{ label: compareTexts.fields.bornOn, one: day(one.bornOn), other: day(other.bornOn) },
        isSame: one.bornOn === other.bornOn,
      },
      {
        ...{ label: compareTexts.fields.mobile, one: lastFour(one.mobile), other: lastFour(other.mobile) },
        isSame: digits(one.mobile) === digits(other.mobile),
      },
    ],
  )

interface PageRequest {
  review: DedupeReview
  typed?: { decision: string; reason: string }
  problem?: string
  status?: number
}

async function page(ctx: Context, who: Staff, { review, typed, problem, status = 200 }: PageRequest) {
  const applicant = applicantOf(ctx, review)
  const known = review.existingCaseRef === null ? null : await knownIn(ctx, review.existingCaseRef)
  const action = `${path}/${review.reviewId}`
  const choices = (['SAME', 'DIFFERENT'] as const)
    .filter((value) => known !== null || value === 'DIFFERENT')
    .map((value) => ({ value, label: texts[value], follows: texts.follows[value] }))
  const body = html`<section>${known ? sideBySide(applicant, known.person) : html`<p>${texts.nobody}</p>${factList([[compareTexts.fields.name, applicant.name]])}`}
<p>${texts.rule}</p></section>
${
  known?.loanCase &&
  html`<section class="card"><h2>${texts.known}</h2>${factList([
    ['Case', caseLink(known.loanCase.caseRef, `Loan ${known.loanCase.loanId}`)],
    ['Application', badge(known.loanCase.status)],
    ['Account', known.account && badge(known.account.loanStatus)],
    ['Total outstanding', known.account && inr(known.account.soa.totalPaise)],
  ])}</section>`
}
${review.decision === null ? can(who, 'IDENTITY_DECIDED') && decideForm(action, choices, typed ?? nothingTyped) : html`<p class="notice good" role="status">${texts[review.decision]}: ${review.reason}</p>`}
<p>${texts.again}</p>`
  const made = deskPage(ctx, who, { title: texts.title, here: '/desk/cases', problem: problem ?? null, body }, status)
  const about = { ...(review.existingCaseRef && { caseRef: review.existingCaseRef }), subject: review.reviewId }
  return new ViewedAnswer(made, { act: 'CASE_VIEWED', about })
}

async function reviewOf({ db }: Context, reviewId: string): Promise<DedupeReview> {
  const review = await findReview(db, reviewId)
  if (!review) throw new Refusal('absent', 'there is no comparison with this number')
  return review
}

const show = deskRoute({
  ...common,
  method: 'GET',
  path: `${path}/{reviewId}`,
  params,
  summary: 'An applicant beside the borrower whom they resemble',
  handle: async ({ who, params: { reviewId } }, ctx) => page(ctx, who, { review: await reviewOf(ctx, reviewId) }),
})

const decide = deskRoute({
  ...common,
  auth: may('IDENTITY_DECIDED'),
  method: 'POST',
  path: `${path}/{reviewId}`,
  params,
  summary: 'Say whether an applicant is the borrower whom they resemble',
  accepts: 'raw',
  async handle({ who, params: { reviewId }, raw, at }, ctx) {
    await reviewOf(ctx, reviewId)
    const decided = { reviewId, ...decisionIn(formFrom(raw)), decidedBy: who.staffId, decidedAt: at }
    await ctx.db.tx(async (tx) => {
      if (!(await writeDecision(tx, decided))) throw new Refusal('wrong-state', compareTexts.decided)
      const about = { subject: `${reviewId} ${decided.decision}` }
      await noteAct(tx, { staffId: who.staffId, act: 'IDENTITY_DECIDED', about, at })
    })
    return goTo(path)
  },
  async again({ who, params: { reviewId }, raw }, refusal, ctx) {
    const review = await reviewOf(ctx, reviewId)
    const typed = typedIn(formFrom(raw))
    return page(ctx, who, { review, typed, problem: sentence(refusal.message), status: statusOf(refusal) })
  },
})

export const duplicateRoutes = [list, show, decide]
