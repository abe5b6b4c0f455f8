// The steps of an offer: all five, single ones, and the borrower's account for the mandate (D2 §4).
import { NoBody, OfferParams } from '#contract/headless/fields.ts'
import { BankMandateRequest, canonicalAccountType, StepState, Steps, StepView } from '#contract/headless/step.ts'
import { refuseAadhaar } from '#contract/hosted/profile.ts'
import type { Run, Tx } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { isTerminal } from '#kit/runtime/machine.ts'
import type { BorrowerOfApplication } from '#platform/access/headless/caller.ts'
import type { Context } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { lifecycle } from '#platform/journey/lifecycle-payload.ts'
import { isSelected, type Offer } from '#platform/offer/offer.ts'
import { lockedElsewhere } from '#platform/offer/select.ts'
import { findOffer, findSelected } from '#platform/offer/store.ts'
import { submitBankAccount } from '#platform/step/bank-account.ts'
import { returnFromAgreement } from '#platform/step/open.ts'
import { listSteps, type StepName, type JourneyStep as StoredStep } from '#platform/step/store.ts'
import { acting, activeJourneyOf, journeySeen, reading } from './route.ts'
import { stepLink, stepsWire } from './step-wire.ts'

const stepsPath = '/journeys/{journeyID}/offers/{offerID}/steps'
const section = 'D2 §4'

type StepCall = { who: BorrowerOfApplication; params: { journeyID: string; offerID: string }; at: Date }

/** The steps in their current state. An offer that is not chosen has none started, and no action. */
async function stepsOf({ who, params, at }: StepCall, ctx: Context): Promise<Steps> {
  const { journey, offer, stored } = await ctx.db.snapshot(async (db) => {
    const journey = await journeySeen(db, who, params.journeyID)
    const offer = await offerOf(db, journey, params.offerID)
    return { journey, offer, stored: offer.selectedAt === null ? [] : await listSteps(db, journey) }
  })
  const live = isSelected(offer) && journey.active && !isTerminal(lifecycle, journey.status)
  return stepsWire(stored, live, linkOf(ctx, journey, at))
}

const linkOf =
  ({ config, seal }: Context, { tenantId, journeyId }: Journey, at: Date) =>
  ({ name: step }: Pick<StoredStep, 'name'>): string =>
    `${config.PUBLIC_URL}/go/${stepLink(seal, { tenantId, journeyId, step }, at)}`

async function offerOf(db: Run, journey: Journey, offerId: string): Promise<Offer> {
  const offer = await findOffer(db, journey, offerId)
  if (!offer) throw new Refusal('absent', 'there is no such offer in this journey')
  return offer
}

const allSteps = reading({
  path: stepsPath,
  section,
  summary: 'The five steps between an offer and the money',
  params: OfferParams,
  data: Steps,
  read: stepsOf,
})

const stepRoute = (path: string, name: StepName, summary: string) =>
  reading({
    path: `${stepsPath}/${path}`,
    section,
    summary,
    params: OfferParams,
    data: StepView,
    read: async (call, ctx) => (await stepsOf(call, ctx))[name],
  })

const kycStatus = reading({
  path: `${stepsPath}/kyc/status`,
  section,
  summary: "How KYC stands, by the provider's proof and not by the browser's return",
  params: OfferParams,
  data: StepState,
  async read(call, ctx) {
    const { status, actionRequired, diagnostics } = (await stepsOf(call, ctx)).kyc
    return { status, actionRequired, diagnostics }
  },
})

const bankMandate = acting({
  method: 'POST',
  path: `${stepsPath}/bank-mandate`,
  section,
  summary: 'Name the account for the disbursal and the instalments; the lender verifies it',
  params: OfferParams,
  body: BankMandateRequest,
  data: StepView,
  async act(tx, { who, params, body, at }, ctx) {
    refuseAadhaar(body)
    const journey = await journeyWithChosen(tx, who, params)
    const account = { ...body, accountType: canonicalAccountType(body.accountType) }
    await submitBankAccount({ ...ctx, tx, at }, journey, account)
    return stepsWire(await listSteps(tx, journey), true, () => '').bankMandate
  },
})

/** The journey whose chosen offer this is. Refused as `locked` for another offer, as `wrong-state` before the choice. */
async function journeyWithChosen(tx: Tx, who: BorrowerOfApplication, params: StepCall['params']): Promise<Journey> {
  const journey = await activeJourneyOf(tx, who, params.journeyID)
  if (isSelected(await offerOf(tx, journey, params.offerID))) return journey
  const held = await findSelected(tx, journey)
  if (held) throw lockedElsewhere(params.offerID, held)
  throw new Refusal('wrong-state', 'no offer was chosen yet', { status: journey.status })
}

/** Ours: only the app knows that its borrower is back, and some lenders never report the signature (FIS12 §19.3). */
const agreementReturn = acting({
  method: 'POST',
  path: `${stepsPath}/loan-agreement/return`,
  section,
  summary: "Say that the borrower is back from the lender's page of the agreement",
  params: OfferParams,
  body: NoBody,
  data: StepView,
  async act(tx, { who, params, at }, ctx) {
    const journey = await journeyWithChosen(tx, who, params)
    await returnFromAgreement({ ...ctx, tx, at }, journey)
    return stepsWire(await listSteps(tx, journey), true, linkOf(ctx, journey, at)).loanAgreement
  },
})

export const stepRoutes = [
  allSteps,
  stepRoute('kyc', 'kyc', 'KYC at the lender, on its own page'),
  kycStatus,
  stepRoute('bank-mandate', 'bankMandate', 'The account for the disbursal and the instalments'),
  bankMandate,
  stepRoute('e-mandate', 'eMandate', 'The repayment mandate, on the page of the lender'),
  stepRoute('loan-agreement', 'loanAgreement', 'The loan agreement, signed on the page of the lender'),
  agreementReturn,
]
