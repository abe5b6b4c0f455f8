// The autopilot of sandbox journeys: acts for the borrower with the functions of the borrower's page.

import { isTerminal, leadsTo } from '@lendloom/foundation/machine'
import { required } from '@lendloom/foundation/required'
import { schedule } from '@lendloom/foundation/schedule'
import type { Tx } from '@lendloom/postgres/sql'
import { enqueue, type Job, RetryLater, type Worker, work } from '@lendloom/queue/queue'
import { type ConsentPurpose, currentConsentVersion } from '@lendloom/wire/hosted/consent-text'
import type { LifecycleStatus } from '@lendloom/wire/hosted/lifecycle'
import type { Context, TxContext } from '#platform/context.ts'
import type { BorrowerDetails } from '#platform/lending/borrower/borrower.ts'
import type { ConsentOrigin } from '#platform/lending/borrower/consent.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lifecycle } from '#platform/lending/journey/lifecycle.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { acceptOffer } from '#platform/lending/offer/decide-on-offer.ts'
import { isSelected, quoteOf } from '#platform/lending/offer/offer.ts'
import { selectOffer } from '#platform/lending/offer/select-offer.ts'
import { listOffers } from '#platform/lending/offer/store.ts'
import { preferredProduct } from '#platform/lending/portfolio/loan-preferences.ts'
import { sandboxFunds, tooSmallHolding } from '#platform/lending/portfolio/sandbox-funds.ts'
import {
  loanPreferencesOf,
  type PortfolioInput,
  portfolioOf,
  storePortfolio,
} from '#platform/lending/portfolio/store.ts'
import { productOf } from '#platform/lending/product/products.ts'
import { editProfile, readProfile } from '#platform/lending/profile/edit-profile.ts'
import { submitProfile } from '#platform/lending/profile/submit-profile.ts'
import { submitBankAccount } from '#platform/lending/step/bank-account.ts'
import { openStep } from '#platform/lending/step/open-step.ts'
import { allSteps, isDoneOnPage, type JourneyStep, nextStepOf, pageUrlOf } from '#platform/lending/step/step.ts'
import { listSteps } from '#platform/lending/step/store.ts'
import { completeLenderPage } from './lender-page.ts'

const kind = 'autopilot'
const secondsBetweenPolls = 0.25
const maxPolls = 1200
/** Number of polls from one visit of an open page to the next. In these three seconds the result can arrive. */
const pollsBetweenPages = 12

interface AutopilotJob {
  journeyId: string
  to: LifecycleStatus
}

export const startAutopilot = (
  tx: Tx,
  { tenantId, journeyId }: Journey,
  to: LifecycleStatus,
  at: Date,
): Promise<void> => enqueue(tx, { tenantId, kind, payload: { journeyId, to } satisfies AutopilotJob, dueAt: at })

export const autopilotWorker = (ctx: Context): Worker =>
  work<AutopilotJob>({ kind, ...ctx, handle: (job) => pollJourney(ctx, job), schedule: schedule(['PT1S'], 'repeat') })

/** Performs at most one act. Polls again until the journey reaches its target or can no longer reach it. */
async function pollJourney(ctx: Context, job: Job<AutopilotJob>): Promise<void> {
  const { journeyId, to } = job.payload
  const isPageDue = job.attempt % pollsBetweenPages === 0
  const page = await ctx.db.tx(async (tx) => {
    const journey = await lockJourney(tx, job.tenantId, journeyId)
    if (!journey || hasEnded(journey, to)) return 'ended'
    const actContext = { ...ctx, tx, at: ctx.clock() }
    return (
      (await performNextAct(actContext, journey, to)) ?? (isPageDue ? findOpenPage(actContext, journey, to) : undefined)
    )
  })
  if (page === 'ended' || job.attempt >= maxPolls) return
  if (page) await completeLenderPage(page, to === 'REJECTED' ? 'decline' : 'approve')
  throw new RetryLater(secondsBetweenPolls, 'the journey has not reached its target')
}

const hasEnded = (journey: Journey, to: LifecycleStatus): boolean =>
  !journey.active ||
  journey.status === to ||
  isTerminal(lifecycle, journey.status) ||
  !leadsTo(lifecycle, journey.status, to)

/**
 * Returns the lender's page of a step in progress, for example if a process crashed before the page was complete.
 * Completing a page twice has no effect.
 */
async function findOpenPage(
  { tx, seal }: TxContext,
  journey: Journey,
  to: LifecycleStatus,
): Promise<string | undefined> {
  const steps = await listSteps(tx, journey)
  const step = journey.status === 'OFFER_SELECTED' ? accountStepOf(steps) : nextStepOf(allSteps(steps), journey.type)
  return step?.status === 'IN_PROGRESS' && to !== 'LENDER_REDIRECTED'
    ? (pageUrlOf(seal, journey, step) ?? undefined)
    : undefined
}

const consentOrigin: ConsentOrigin = { channel: 'sandbox', ip: null }
const consents = (...purposes: ConsentPurpose[]) =>
  purposes.map((purpose) => ({ purpose, textVersion: currentConsentVersion, language: 'en' as const }))

/** Performs the next due act; returns the URL of a lender's page that the borrower must complete. */
async function performNextAct(ctx: TxContext, journey: Journey, to: LifecycleStatus): Promise<string | undefined> {
  const { tx } = ctx
  switch (journey.status) {
    case 'STARTED':
      if (journey.search === 'NONE' || journey.search === 'UNANSWERED') await submitApplication(ctx, journey, to)
      return
    case 'OFFERED':
      return chooseOffer(ctx, journey, to)
    case 'OFFER_SELECTED': {
      const chosen = (await listOffers(tx, journey)).find(isSelected)
      if (chosen?.finalTerms)
        await acceptOffer(ctx, journey, {
          offerId: chosen.offerId,
          quote: required(quoteOf(chosen), 'the quote of a chosen offer'),
          consents: consents('key_facts'),
          origin: consentOrigin,
        })
      else return submitEarlyAccount(ctx, journey)
      return
    }
    case 'OFFER_ACCEPTED':
    case 'LENDER_REDIRECTED':
      return performStep(ctx, journey, to)
  }
}

async function submitApplication(ctx: TxContext, journey: Journey, to: LifecycleStatus): Promise<void> {
  const { tx } = ctx
  const { person } = await readProfile(tx, ctx, journey)
  const endUse = journey.endUse ?? 'other'
  const mustBeRefused = to === 'NOT_OFFERED'
  await editProfile(ctx, journey, { details: withMissingDetails(person, mustBeRefused), change: { endUse } })
  if (productOf(journey).pledgesFunds && !(await portfolioOf(tx, ctx, journey)))
    await storePortfolio(ctx, journey, { ...portfolioToSubmit(mustBeRefused) })
  await submitProfile(
    ctx,
    { ...journey, endUse },
    { consents: consents('bureau', 'data_sharing'), origin: consentOrigin },
  )
}

/**
 * The portfolio that the autopilot submits. A portfolio that lenders must refuse requests a term loan, because a credit
 * line might wait for bank data.
 */
const portfolioToSubmit = (mustBeRefused: boolean): PortfolioInput =>
  mustBeRefused ? { mfc: tooSmallHolding, loanPreferences: { productType: 'TERM_LOAN' } } : { mfc: sandboxFunds }

/**
 * Selects the oldest open offer unchanged. Prefers a term loan, because a credit line disburses only what is drawn.
 * Selects a credit line only if the target is not DISBURSED, lines are preferred or no offer is awaited.
 */
async function chooseOffer(ctx: TxContext, journey: Journey, to: LifecycleStatus): Promise<undefined> {
  const { tx, at } = ctx
  const offers = await listOffers(tx, journey)
  const openOffers = offers.filter(
    ({ status, validUntil }) => status === 'OFFER_RECEIVED' && (validUntil === null || validUntil > at),
  )
  const mayChooseCreditLine =
    to !== 'DISBURSED' ||
    preferredProduct(await loanPreferencesOf(tx, journey)) === 'CREDIT_LINE' ||
    offers.every(({ status }) => status !== 'OFFER_AWAITED')
  const offer = openOffers.find(({ creditLine }) => !creditLine) ?? (mayChooseCreditLine ? openOffers[0] : undefined)
  if (!offer?.terms) return
  const branchId = offer.branches[0]?.id ?? null
  const choice = {
    amount: BigInt(offer.limits.mostAmount),
    months: offer.terms.termMonths,
    branchId,
    origin: consentOrigin,
  }
  await selectOffer(ctx, journey, offer.offerId, choice)
}

async function performStep(ctx: TxContext, journey: Journey, to: LifecycleStatus): Promise<string | undefined> {
  const { tx } = ctx
  const step = nextStepOf(allSteps(await listSteps(tx, journey)), journey.type)
  if (!step || step.status === 'PENDING') return
  if (step.name === 'bankMandate') return submitAccount(ctx, journey, step)
  if (step.status === 'IN_PROGRESS' || step.name === 'disbursal') return
  const { url } = await openStep(ctx, journey, step.name)
  return to === 'LENDER_REDIRECTED' ? undefined : url
}

/** Submits the bank account before the final terms, if the lender requires that. */
async function submitEarlyAccount(ctx: TxContext, journey: Journey): Promise<string | undefined> {
  const step = accountStepOf(await listSteps(ctx.tx, journey))
  return step && submitAccount(ctx, journey, step)
}

/** The only step that a lender may ask for before its final terms. */
const accountStepOf = (steps: JourneyStep[]): JourneyStep | undefined =>
  steps.find(({ name }) => name === 'bankMandate')

/** Submits the account details, or returns the page of the lender on which the borrower completes the step. */
async function submitAccount(ctx: TxContext, journey: Journey, step: JourneyStep): Promise<string | undefined> {
  if (isDoneOnPage(step))
    return step.status === 'READY' || step.status === 'FAILURE'
      ? (await openStep(ctx, journey, step.name)).url
      : undefined
  if (step.status === 'READY' || step.status === 'FAILURE') await submitBankAccount(ctx, journey, bankAccount)
  return undefined
}

/** Adds missing details. With `mustBeRefused`, lowers income and gold below the minimum of every lender. */
function withMissingDetails(known: BorrowerDetails, mustBeRefused: boolean): BorrowerDetails {
  const { personal, work, address, gold } = known
  return {
    personal: {
      pan: 'ABCPE1234F',
      panName: 'Asha Kulkarni',
      dob: '1992-02-29',
      gender: 'female',
      personalEmail: 'asha@mail.example',
      ...personal,
    },
    work: {
      employmentType: 'salaried',
      companyName: 'Example Industries',
      income: 85_000,
      ...work,
      ...(mustBeRefused && { income: 1000 }),
    },
    address: { addressL1: '7 Fort Road', city: 'Mumbai', state: 'Maharashtra', pincode: '400001', ...address },
    gold: gold && {
      jewelleryWeightGrams: 40,
      purity: '22K',
      ...gold,
      ...(mustBeRefused && { jewelleryWeightGrams: 0.1 }),
    },
  }
}

const bankAccount = {
  accountHolderName: 'Asha Kulkarni',
  accountNumber: '50100123456789',
  ifsc: 'HDFC0000001',
  accountType: 'saving',
} as const
