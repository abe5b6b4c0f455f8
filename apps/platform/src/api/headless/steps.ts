// Routes that return the steps of an offer, and accept the bank account and the return from a page (D2 §4).

import { isTerminal } from '@lendloom/foundation/machine'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Run, Tx } from '@lendloom/postgres/sql'
import { NoBody } from '@lendloom/wire/basic-schemas'
import { BankMandateRequest, canonicalAccountType } from '@lendloom/wire/headless/bank-mandate'
import { OfferParams } from '@lendloom/wire/headless/path-parameters'
import { StepState, Steps, StepView } from '@lendloom/wire/headless/step'
import { refuseAadhaar, refuseHiddenCharacters } from '@lendloom/wire/hosted/refused-text'
import type { Context } from '#platform/context.ts'
import type { BorrowerOfApplication } from '#platform/integrators/access/headless/authentication.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lifecycle } from '#platform/lending/journey/lifecycle.ts'
import { isSelected, type Offer } from '#platform/lending/offer/offer.ts'
import { lockedToOtherOffer } from '#platform/lending/offer/select-offer.ts'
import { findOffer, findSelected } from '#platform/lending/offer/store.ts'
import { submitBankAccount } from '#platform/lending/step/bank-account.ts'
import { returnFromStep } from '#platform/lending/step/open-step.ts'
import type { StepName, JourneyStep as StoredStep } from '#platform/lending/step/step.ts'
import { listSteps } from '#platform/lending/step/store.ts'
import { actRoute, lockActiveJourney, readJourney, readRoute } from './headless-route.ts'
import { stepLink } from './step-link.ts'
import { toWireSteps } from './step-wire.ts'

const stepsPath = '/journeys/{journeyID}/offers/{offerID}/steps'
const section = 'D2 §4'

type StepCall = { who: BorrowerOfApplication; params: { journeyID: string; offerID: string }; at: Date }

/** Returns the steps of an offer. The steps of an offer that was never selected are PENDING and require no action. */
async function stepsOf({ who, params, at }: StepCall, ctx: Context): Promise<Steps> {
  const { journey, offer, stored } = await ctx.db.snapshot(async (db) => {
    const journey = await readJourney(db, who, params.journeyID)
    const offer = await requireOffer(db, journey, params.offerID)
    return { journey, offer, stored: offer.selectedAt === null ? [] : await listSteps(db, journey) }
  })
  const isLive = isSelected(offer) && journey.active && !isTerminal(lifecycle, journey.status)
  return toWireSteps(stored, isLive, linkOf(ctx, journey, at))
}

const linkOf =
  ({ config, seal }: Context, { tenantId, journeyId }: Journey, at: Date) =>
  ({ name: step }: Pick<StoredStep, 'name'>): string =>
    `${config.PUBLIC_URL}/go/${stepLink(seal, { tenantId, journeyId, step }, at)}`

async function requireOffer(db: Run, journey: Journey, offerId: string): Promise<Offer> {
  const offer = await findOffer(db, journey, offerId)
  if (!offer) throw new Refusal('absent', 'there is no such offer in this journey')
  return offer
}

const stepsRoute = readRoute({
  path: stepsPath,
  section,
  operationId: 'getSteps',
  summary: 'Get the five steps between an offer and disbursal',
  params: OfferParams,
  data: Steps,
  read: stepsOf,
})

const stepRoute = (path: string, name: StepName, { operationId, summary }: { operationId: string; summary: string }) =>
  readRoute({
    path: `${stepsPath}/${path}`,
    section,
    operationId,
    summary,
    params: OfferParams,
    data: StepView,
    read: async (call, ctx) => (await stepsOf(call, ctx))[name],
  })

const kycStatusRoute = readRoute({
  path: `${stepsPath}/kyc/status`,
  section,
  operationId: 'getKycStatus',
  summary: "Get the KYC status, based on the provider's proof",
  params: OfferParams,
  data: StepState,
  async read(call, ctx) {
    const { status, actionRequired, diagnostics } = (await stepsOf(call, ctx)).kyc
    return { status, actionRequired, diagnostics }
  },
})

const bankMandateRoute = actRoute({
  method: 'POST',
  path: `${stepsPath}/bank-mandate`,
  section,
  operationId: 'submitBankMandate',
  summary: 'Send the account for disbursal and instalments, which the lender verifies',
  params: OfferParams,
  body: BankMandateRequest,
  data: StepView,
  async act(tx, { who, params, body, at }, ctx) {
    refuseAadhaar(body)
    refuseHiddenCharacters(body)
    const journey = await lockJourneyOfSelected(tx, who, params)
    const account = { ...body, accountType: canonicalAccountType(body.accountType) }
    await submitBankAccount({ ...ctx, tx, at }, journey, account)
    return toWireSteps(await listSteps(tx, journey), true, () => '').bankMandate
  },
})

/** Locks the journey of a selected offer. Throws `locked` for another offer, `wrong-state` without a selected one. */
async function lockJourneyOfSelected(tx: Tx, who: BorrowerOfApplication, params: StepCall['params']): Promise<Journey> {
  const journey = await lockActiveJourney(tx, who, params.journeyID)
  if (isSelected(await requireOffer(tx, journey, params.offerID))) return journey
  const selected = await findSelected(tx, journey)
  if (selected) throw lockedToOtherOffer(params.offerID, selected)
  throw new Refusal('wrong-state', 'no offer is chosen yet', { status: journey.status })
}

/** We added these routes to D2, because some lenders never report that a page is done (FIS12 §19.3, §24). */
const returnRoute = (
  path: string,
  name: 'kyc' | 'eMandate' | 'loanAgreement',
  { operationId, summary }: { operationId: string; summary: string },
) =>
  actRoute({
    method: 'POST',
    path: `${stepsPath}/${path}/return`,
    section,
    operationId,
    summary,
    params: OfferParams,
    body: NoBody,
    data: StepView,
    async act(tx, { who, params, at }, ctx) {
      const journey = await lockJourneyOfSelected(tx, who, params)
      await returnFromStep({ ...ctx, tx, at }, journey, name)
      return toWireSteps(await listSteps(tx, journey), true, linkOf(ctx, journey, at))[name]
    },
  })

export const stepRoutes = [
  stepsRoute,
  stepRoute('kyc', 'kyc', { operationId: 'getKyc', summary: "Get the KYC step, done on the lender's page" }),
  kycStatusRoute,
  returnRoute('kyc', 'kyc', {
    operationId: 'returnFromKyc',
    summary: "Report that the borrower is back from the lender's KYC page",
  }),
  stepRoute('bank-mandate', 'bankMandate', {
    operationId: 'getBankMandate',
    summary: 'Get the step of the bank account for disbursal and instalments',
  }),
  bankMandateRoute,
  stepRoute('e-mandate', 'eMandate', {
    operationId: 'getEMandate',
    summary: "Get the repayment mandate, set up on the lender's page",
  }),
  returnRoute('e-mandate', 'eMandate', {
    operationId: 'returnFromEMandate',
    summary: "Report that the borrower is back from the lender's mandate page",
  }),
  stepRoute('loan-agreement', 'loanAgreement', {
    operationId: 'getLoanAgreement',
    summary: "Get the loan agreement, signed on the lender's page",
  }),
  returnRoute('loan-agreement', 'loanAgreement', {
    operationId: 'returnFromLoanAgreement',
    summary: "Report that the borrower is back from the lender's agreement page",
  }),
]
