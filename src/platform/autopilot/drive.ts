// Performs the borrower's acts one at a time, with the same functions as the borrower's page.

import { type ConsentPurpose, currentConsentVersion } from '#contract/hosted/consent-text.ts'
import type { LifecycleStatus } from '#contract/hosted/lifecycle.ts'
import type { Tx } from '#kit/db/sql.ts'
import { enqueue, type Job, RetryLater, type Worker, work } from '#kit/messaging/queue.ts'
import { isTerminal, leadsTo } from '#kit/runtime/machine.ts'
import { schedule } from '#kit/runtime/schedule.ts'
import type { BorrowerDetails, ConsentOrigin } from '#platform/borrower/borrower.ts'
import type { Context, TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { lifecycle } from '#platform/journey/lifecycle-payload.ts'
import { lockJourney } from '#platform/journey/store.ts'
import { acceptOffer } from '#platform/offer/decide.ts'
import { isSelected } from '#platform/offer/offer.ts'
import { selectOffer } from '#platform/offer/select.ts'
import { listOffers } from '#platform/offer/store.ts'
import { sandboxFunds, tooSmallHolding } from '#platform/portfolio/sandbox-funds.ts'
import {
  loanPreferencesOf,
  type PortfolioInput,
  portfolioOf,
  preferredProduct,
  storePortfolio,
} from '#platform/portfolio/store.ts'
import { productOf } from '#platform/product/products.ts'
import { editProfile, readProfile } from '#platform/profile/edit.ts'
import { submitProfile } from '#platform/profile/submit.ts'
import { submitBankAccount } from '#platform/step/bank-account.ts'
import { openStep } from '#platform/step/open.ts'
import { allSteps, isDoneOnPage, type JourneyStep, listSteps, nextStepOf } from '#platform/step/store.ts'
import { answerPage } from './lender-page.ts'

const kind = 'autopilot'
const secondsBetweenPolls = 0.25
const maxPolls = 1200
/** Polls between two visits of an open page: three seconds, enough for the result of a visit to arrive. */
const pollsBetweenPages = 12

interface Drive {
  journeyId: string
  to: LifecycleStatus
}

export const startDrive = (tx: Tx, { tenantId, journeyId }: Journey, to: LifecycleStatus, at: Date): Promise<void> =>
  enqueue(tx, { tenantId, kind, payload: { journeyId, to } satisfies Drive, dueAt: at })

export const autopilotWorker = (ctx: Context): Worker =>
  work<Drive>({ kind, ...ctx, handle: (job) => drive(ctx, job), schedule: schedule(['PT1S'], 'repeat') })

/** One poll with at most one act; retries until the journey reaches its target or can no longer reach it. */
async function drive(ctx: Context, job: Job<Drive>): Promise<void> {
  const { journeyId, to } = job.payload
  const isPageDue = job.attempt % pollsBetweenPages === 0
  const page = await ctx.db.tx(async (tx) => {
    const journey = await lockJourney(tx, job.tenantId, journeyId)
    if (!journey || hasEnded(journey, to)) return 'ended'
    const actContext = { ...ctx, tx, at: ctx.clock() }
    return (await performNextAct(actContext, journey, to)) ?? (isPageDue ? findOpenPage(tx, journey, to) : undefined)
  })
  if (page === 'ended' || job.attempt >= maxPolls) return
  if (page) await answerPage(page, to === 'REJECTED' ? 'decline' : 'approve')
  throw new RetryLater(secondsBetweenPolls, 'the journey has not reached its target')
}

const hasEnded = (journey: Journey, to: LifecycleStatus): boolean =>
  !journey.active ||
  journey.status === to ||
  isTerminal(lifecycle, journey.status) ||
  !leadsTo(lifecycle, journey.status, to)

/**
 * The lender's page that is still open, for example because a process ended before it completed the page. Completing a
 * page twice has no effect.
 */
async function findOpenPage(tx: Tx, journey: Journey, to: LifecycleStatus): Promise<string | undefined> {
  const due = nextStepOf(allSteps(await listSteps(tx, journey)), journey.type)
  return due?.status === 'IN_PROGRESS' && to !== 'LENDER_REDIRECTED' ? (due.resourceUrl ?? undefined) : undefined
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
  const isRefused = to === 'NOT_OFFERED'
  await editProfile(ctx, journey, { details: applicant(person, isRefused), change: { endUse } })
  if (productOf(journey).pledgesFunds && !(await portfolioOf(tx, ctx, journey)))
    await storePortfolio(ctx, journey, { ...portfolioToSubmit(isRefused) })
  await submitProfile(
    ctx,
    { ...journey, endUse },
    { consents: consents('bureau', 'data_sharing'), origin: consentOrigin },
  )
}

/**
 * The portfolio as an integrator submits it. A portfolio to be refused asks for a term loan, because a credit line
 * might wait for bank data.
 */
const portfolioToSubmit = (isRefused: boolean): PortfolioInput =>
  isRefused ? { mfc: tooSmallHolding, loanPreferences: { productType: 'TERM_LOAN' } } : { mfc: sandboxFunds }

/**
 * Selects the oldest open offer unchanged. A credit line disburses only what is drawn, so the autopilot selects a line
 * only if the integrator prefers one, the target is not DISBURSED or no other offer is pending.
 */
async function chooseOffer(ctx: TxContext, journey: Journey, to: LifecycleStatus): Promise<undefined> {
  const { tx, at } = ctx
  const all = await listOffers(tx, journey)
  const open = all.filter(
    ({ status, validUntil }) => status === 'OFFER_RECEIVED' && (validUntil === null || validUntil > at),
  )
  const mayChooseLine =
    to !== 'DISBURSED' ||
    preferredProduct(await loanPreferencesOf(tx, journey)) === 'CREDIT_LINE' ||
    all.every(({ status }) => status !== 'OFFER_AWAITED')
  const offer = open.find(({ creditLine }) => !creditLine) ?? (mayChooseLine ? open[0] : undefined)
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
  const due = nextStepOf(allSteps(await listSteps(tx, journey)), journey.type)
  if (!due || due.status === 'PENDING') return
  if (due.name === 'bankMandate') return submitAccount(ctx, journey, due)
  if (due.status === 'IN_PROGRESS' || due.name === 'disbursal') return
  const { url } = await openStep(ctx, journey, due.name)
  return to === 'LENDER_REDIRECTED' ? undefined : url
}

/** Submits the bank account before the final terms, if the lender requires that. */
async function submitEarlyAccount(ctx: TxContext, journey: Journey): Promise<string | undefined> {
  const { tx } = ctx
  const due = (await listSteps(tx, journey)).find(({ name }) => name === 'bankMandate')
  return due && submitAccount(ctx, journey, due)
}

/** Submits the account details; if the lender requires a statement, returns the page where the borrower shares it. */
async function submitAccount(ctx: TxContext, journey: Journey, due: JourneyStep): Promise<string | undefined> {
  if (isDoneOnPage(due))
    return due.status === 'READY' || due.status === 'FAILURE' ? (await openStep(ctx, journey, due.name)).url : undefined
  if (due.status === 'READY' || due.status === 'FAILURE') await submitBankAccount(ctx, journey, bankAccount)
  return undefined
}

/** Adds missing details. With `isRefused` the income and the gold are below the minimum of every lender. */
function applicant(known: BorrowerDetails, isRefused: boolean): BorrowerDetails {
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
      ...(isRefused && { income: 1000 }),
    },
    address: { addressL1: '7 Fort Road', city: 'Mumbai', state: 'Maharashtra', pincode: '400001', ...address },
    gold: gold && { jewelleryWeightGrams: 40, purity: '22K', ...gold, ...(isRefused && { jewelleryWeightGrams: 0.1 }) },
  }
}

const bankAccount = {
  accountHolderName: 'Asha Kulkarni',
  accountNumber: '50100123456789',
  ifsc: 'HDFC0000001',
  accountType: 'saving',
} as const
