// Plays the borrower, one act at a time, through the same acts that a person does; lenders and providers play themselves.

import { currentConsentVersion, type Purpose } from '#contract/hosted/consent-text.ts'
import type { LifecycleStatus } from '#contract/hosted/lifecycle.ts'
import type { Tx } from '#kit/db/sql.ts'
import { enqueue, type Job, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { schedule } from '#kit/messaging/schedule.ts'
import { isTerminal, leadsTo } from '#kit/runtime/machine.ts'
import type { ConsentPlace } from '#platform/borrower/consent.ts'
import type { Context } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { lifecycle } from '#platform/journey/lifecycle.ts'
import { lockJourney } from '#platform/journey/store.ts'
import { acceptOffer } from '#platform/offer/decide.ts'
import { isSelected } from '#platform/offer/offer.ts'
import { selectOffer } from '#platform/offer/select.ts'
import { listOffers } from '#platform/offer/store.ts'
import { type GivenPortfolio, keepPortfolio } from '#platform/portfolio/keep.ts'
import { loanPreferencesOf, portfolioOf, preferredProduct } from '#platform/portfolio/portfolio.ts'
import { fewFunds, sandboxFunds } from '#platform/portfolio/sandbox-funds.ts'
import { productOf } from '#platform/product/products.ts'
import { editProfile, readProfile } from '#platform/profile/edit.ts'
import { submitProfile } from '#platform/profile/submit.ts'
import { submitBankAccount } from '#platform/step/bank-account.ts'
import { openStep } from '#platform/step/open.ts'
import { allSteps, dueOf, type Step } from '#platform/step/step.ts'
import { listSteps } from '#platform/step/store.ts'
import { applicant, bankAccount } from './applicant.ts'
import { answerPage } from './lender-page.ts'

const kind = 'autopilot'
const secondsBetweenPolls = 0.25
const mostPolls = 1200

interface Drive {
  journeyId: string
  to: LifecycleStatus
}

export const startDrive = (tx: Tx, { tenantId, journeyId }: Journey, to: LifecycleStatus, at: Date): Promise<void> =>
  enqueue(tx, { tenantId, kind, payload: { journeyId, to } satisfies Drive, dueAt: at })

export const driving = (ctx: Context): Worker =>
  work<Drive>({
    kind,
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    handle: (job) => drive(ctx, job),
    schedule: schedule(['PT1S'], 'repeat'),
  })

/** One look and at most one act; comes back until the journey is where it was to go, or can no longer get there. */
async function drive(ctx: Context, job: Job<Drive>): Promise<void> {
  const { journeyId, to } = job.payload
  const page = await ctx.db.tx(async (tx) => {
    const journey = await lockJourney(tx, job.tenantId, journeyId)
    if (!journey || isOver(journey, to)) return 'over'
    return act(tx, ctx, journey, { to, at: ctx.clock() })
  })
  if (page === 'over' || job.attempt >= mostPolls) return
  if (page) await answerPage(page, to === 'REJECTED' ? 'decline' : 'approve')
  throw new RetryLater(secondsBetweenPolls, 'the journey goes on')
}

/** A journey that is on the lender's page goes no further by itself when that is where it was to be. */
const isOver = (journey: Journey, to: LifecycleStatus): boolean =>
  !journey.active ||
  journey.status === to ||
  isTerminal(lifecycle, journey.status) ||
  !leadsTo(lifecycle, journey.status, to)

const place: ConsentPlace = { channel: 'sandbox', ip: null }
const consents = (...purposes: Purpose[]) =>
  purposes.map((purpose) => ({ purpose, textVersion: currentConsentVersion, language: 'en' as const }))

/** Does what is due, if anything is, and gives the address of a lender's page that is to be answered. */
/** Where the journey is to go, and when this is done for it. */
interface DriveTurn {
  to: LifecycleStatus
  at: Date
}

async function act(tx: Tx, ctx: Context, journey: Journey, { to, at }: DriveTurn): Promise<string | undefined> {
  switch (journey.status) {
    case 'STARTED':
      if (journey.search === 'NONE' || journey.search === 'UNANSWERED') await apply(tx, ctx, journey, { to, at })
      return
    case 'OFFERED':
      return choose(tx, ctx, journey, { to, at })
    case 'OFFER_SELECTED': {
      const chosen = (await listOffers(tx, journey)).find(isSelected)
      if (chosen?.finalTerms) await acceptOffer(tx, ctx, journey, chosen.offerId, consents('key_facts'), place, at)
      else await isAccountDue(tx, ctx, journey, at)
      return
    }
    case 'OFFER_ACCEPTED':
    case 'LENDER_REDIRECTED':
      return step(tx, ctx, journey, { to, at })
  }
}

async function apply(tx: Tx, ctx: Context, journey: Journey, { to, at }: DriveTurn): Promise<void> {
  const { person } = await readProfile(tx, ctx, journey)
  const endUse = journey.endUse ?? 'other'
  const refused = to === 'NOT_OFFERED'
  await editProfile(tx, ctx, journey, { said: applicant(person, refused), change: { endUse }, at })
  if (productOf(journey).pledgesFunds && !(await portfolioOf(tx, ctx, journey)))
    await keepPortfolio(tx, ctx, journey, { ...statement(refused), at })
  await submitProfile(tx, ctx, { ...journey, endUse }, { consents: consents('bureau', 'data_sharing'), place, at })
}

/** What the integrator would have said of the funds. A term loan, where none is to be had: a line may wait for bank data. */
const statement = (refused: boolean): GivenPortfolio =>
  refused ? { mfc: fewFunds, loanPreferences: { productType: 'TERM_LOAN' } } : { mfc: sandboxFunds }

/**
 * The first offer in the order in which they came, as it was offered. A line pays out only what is drawn, so it is taken to
 * the money where the integrator asked for a line, or where nothing else can come any more.
 */
async function choose(tx: Tx, ctx: Context, journey: Journey, { to, at }: DriveTurn): Promise<undefined> {
  const all = await listOffers(tx, journey)
  const open = all.filter(
    ({ status, validUntil }) => status === 'OFFER_RECEIVED' && (validUntil === null || validUntil > at),
  )
  const isLineWanted =
    to !== 'DISBURSED' ||
    preferredProduct(await loanPreferencesOf(tx, journey)) === 'CREDIT_LINE' ||
    all.every(({ status }) => status !== 'OFFER_AWAITED')
  const offer = open.find(({ creditLine }) => !creditLine) ?? (isLineWanted ? open[0] : undefined)
  if (!offer?.terms) return
  const branchId = offer.branches[0]?.id ?? null
  const choice = { amount: BigInt(offer.limits.mostAmount), months: offer.terms.termMonths, branchId, place }
  await selectOffer(tx, ctx, journey, offer.offerId, choice, at)
}

async function step(tx: Tx, ctx: Context, journey: Journey, { to, at }: DriveTurn): Promise<string | undefined> {
  const due = dueOf(allSteps(await listSteps(tx, journey)), journey.type)
  if (!due || due.status === 'PENDING') return
  if (due.name === 'bankMandate') return account(tx, ctx, journey, { due, at })
  if (due.status === 'IN_PROGRESS' || due.name === 'disbursal') return
  const { url } = await openStep(tx, ctx, journey, { name: due.name, at })
  return to === 'LENDER_REDIRECTED' ? undefined : url
}

/** A lender may want to know the account before it gives its final terms. */
async function isAccountDue(tx: Tx, ctx: Context, journey: Journey, at: Date): Promise<void> {
  const due = (await listSteps(tx, journey)).find(({ name }) => name === 'bankMandate')
  if (due) await account(tx, ctx, journey, { due, at })
}

interface DueAccount {
  due: Step
  at: Date
}

async function account(tx: Tx, ctx: Context, journey: Journey, { due, at }: DueAccount): Promise<undefined> {
  if (due.status === 'READY' || due.status === 'FAILURE')
    await submitBankAccount(tx, ctx, journey, { account: bankAccount, at })
}
