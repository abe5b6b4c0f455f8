// POST …/journey: opens or resumes a hybrid journey, stores the prefill, and asks lenders once it is complete (D1 §4).

import { ownValue } from '@lendloom/foundation/record'
import { type FieldError, faultsOf, invalid } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import type { Answer, Call } from '@lendloom/http/server'
import { contractOf } from '@lendloom/lending/product/products'
import type { Tx } from '@lendloom/postgres/sql'
import type { BankMandateRequest } from '@lendloom/wire/headless/bank-mandate'
import { canonicalPersonal, canonicalWork } from '@lendloom/wire/hosted/canonical-profile'
import { currentConsentVersion } from '@lendloom/wire/hosted/consent-text'
import { checkHybrid, HybridParams, HybridRequest, HybridStarted, hybridProducts } from '@lendloom/wire/hosted/hybrid'
import { refuseAadhaar, refuseHiddenCharacters } from '@lendloom/wire/hosted/refused-text'
import { tenDigits } from '@lendloom/wire/identifier'
import { embedUrlOf, openOrResume } from '#platform/api/hosted/create-session.ts'
import { runOncePerKey } from '#platform/api/hosted/once-per-key.ts'
import { type Context, route, type TxContext } from '#platform/context.ts'
import { apiKey, type Integrator } from '#platform/integrators/access/api-key.ts'
import { deliveryPolicyOf, returnFaults } from '#platform/integrators/webhook/delivery-policy.ts'
import type { BorrowerDetails } from '#platform/lending/borrower/borrower.ts'
import type { ConsentOrigin, GivenConsent } from '#platform/lending/borrower/consent.ts'
import { isUnsubmitted, type Journey } from '#platform/lending/journey/journey.ts'
import type { JourneyRequest } from '#platform/lending/journey/open-journey.ts'
import { lockJourney, updateJourney } from '#platform/lending/journey/store.ts'
import { storePortfolio } from '#platform/lending/portfolio/store.ts'
import { productOf } from '#platform/lending/product/products.ts'
import { personFrom } from '#platform/lending/profile/details-from-wire.ts'
import { readProfile } from '#platform/lending/profile/edit-profile.ts'
import { missingFields } from '#platform/lending/profile/required-fields.ts'
import { submitProfile } from '#platform/lending/profile/submit-profile.ts'
import { hybridAnswer, replaySeconds } from './envelope.ts'
import { savePrefill } from './store.ts'

export const startRoute = route({
  method: 'POST',
  path: '/api/v1/hybrid/{product}/borrowers/{borrowerProviderID}/journey',
  section: 'D1 §4',
  operationId: 'startHybridJourney',
  summary: 'Open or resume a hybrid journey with a prefill, and ask lenders as soon as the profile is complete',
  auth: apiKey('sessions'),
  params: HybridParams,
  body: HybridRequest,
  furtherFaults: (rest, { params, at }, ctx) => findFaults(params, rest, at, ctx),
  reply: { 200: HybridStarted, 201: HybridStarted },
  async handle(call, ctx) {
    const { who, params, body, ip, at } = call
    const request = requestOf(params, body, at, ctx)
    const act = (tx: Tx) => startJourney({ ...ctx, tx, at }, call, { who, request, body, ip })
    return runOncePerKey(ctx, { operation: 'POST hybrid journey', replaySeconds }, call, act)
  },
})

interface HybridStart {
  who: Integrator
  request: JourneyRequest
  body: HybridRequest
  ip: string
}

async function startJourney(
  ctx: TxContext,
  ids: Pick<Call<unknown, unknown, unknown, unknown>, 'requestId' | 'correlationId' | 'at'>,
  { who, request, body, ip }: HybridStart,
): Promise<Answer> {
  const { tx } = ctx
  const { created, journeyId, token } = await openOrResume(ctx, who, request, 'personal.contactNumber')
  const journey = required(await lockJourney(tx, who.tenantId, journeyId), 'the journey that was just opened')
  if (isUnsubmitted(journey)) await saveExtraData(ctx, journey, body)
  const origin = { channel: 'hybrid', ip } as const
  const missing = await submitIfComplete(ctx, journey, { isConsentGiven: hasBureauConsent(journey, body), origin })
  return hybridAnswer(created ? 201 : 200, ids, {
    journey_id: journeyId,
    borrower_id: journey.borrowerId,
    status: journey.status,
    resumed: !created,
    embed_url: embedUrlOf(ctx, who, request, { token, hasApplied: missing.length === 0 }),
    missing_fields: missing,
  })
}

/** Returns the faults that the schema cannot detect, with the path of each field as sent. */
function findFaults(
  { borrowerProviderID, product }: HybridParams,
  body: HybridRequest,
  at: Date,
  { config }: Context,
): FieldError[] {
  const texts = { borrowerProviderID, ...body }
  const wrong = [
    ...faultsOf(() => checkHybrid(body, product)),
    ...faultsOf(() => refuseAadhaar(texts)),
    // Registrars wrote the mutual-fund data.
    ...faultsOf(() => refuseHiddenCharacters({ ...texts, mfc: undefined })),
  ]
  const { needsPersonPan, minIncomeDigits } = contractOf(hybridProducts[product])
  canonicalPersonal(body.personal ?? {}, { at, needsPersonPan, path: 'personal' }, wrong)
  canonicalWork(body.work ?? {}, { minDigits: minIncomeDigits, path: 'work' }, wrong)
  return [...wrong, ...returnFaults(body.returnUrl, deliveryPolicyOf(config))]
}

/** Throws `invalid` with every faulty field. */
function requestOf(params: HybridParams, body: HybridRequest, at: Date, ctx: Context): JourneyRequest {
  const { borrowerProviderID, product } = params
  const [first, ...more] = findFaults(params, body, at, ctx)
  if (first) throw invalid(first, ...more)
  const type = hybridProducts[product]
  const mobile = tenDigits(body.personal.contactNumber)
  return {
    externalId: borrowerProviderID,
    type,
    person: personOf(body, { bank: checkHybrid(body, product), mobile, type, at }),
    endUse: body.journey?.endUse ?? null,
    bureauConsent: body.journey?.bureauConsent ?? null,
    callbackUrl: null,
    returnUrl: body.returnUrl ?? null,
  }
}

interface HybridApplicant {
  bank: BankMandateRequest | undefined
  mobile: string
  type: JourneyRequest['type']
  at: Date
}

function personOf(
  { personal, work, address, goldLoan }: HybridRequest,
  { bank, mobile, type, at }: HybridApplicant,
): BorrowerDetails {
  const { aaID, ...goldDetails } = goldLoan ?? {}
  const request = {
    profile: personal,
    ...(work && { workProfile: work }),
    ...(address && { address }),
    ...(bank && { bankingInformation: bank }),
    ...(goldLoan && { goldLoan: goldDetails }),
  }
  const person = personFrom(request, { personal: { mobile }, work: {}, address: {}, gold: null }, type, at)
  const gold = contractOf(type).pledgesGold ? { ...person.gold, ...(aaID !== undefined && { aaId: aaID }) } : null
  return { ...person, gold }
}

/** Stores the fields of the request that the profile does not contain. A null removes the stored value. */
async function saveExtraData(
  ctx: TxContext,
  journey: Journey,
  { mfc, bureau, loanPreferences }: HybridRequest,
): Promise<void> {
  const { tx, at } = ctx
  if (productOf(journey).pledgesFunds) await storePortfolio(ctx, journey, { mfc, loanPreferences })
  if (bureau !== undefined) await savePrefill(tx, journey, ctx.seal.json({ bureau }, prefillContext(journey)), at)
}

const prefillContext = ({ tenantId, journeyId }: Journey): string => `hybrid_prefill:${tenantId}:${journeyId}`

/** Sent to lenders when the integrator gave no end use, which is optional in D1. */
const defaultEndUse = 'other'

/** A consent of an earlier call is valid for the first submission. A resubmission needs a new consent. */
const hasBureauConsent = ({ search, bureauConsent }: Journey, { journey }: HybridRequest): boolean =>
  journey?.bureauConsent ?? (search === 'NONE' && bureauConsent)

interface HybridSubmission {
  isConsentGiven: boolean
  origin: ConsentOrigin
}

/** Submits the profile if it is complete and the consent is given. Otherwise returns the missing fields. */
async function submitIfComplete(
  ctx: TxContext,
  stored: Journey,
  { isConsentGiven, origin }: HybridSubmission,
): Promise<string[]> {
  const { tx, at } = ctx
  if (!isUnsubmitted(stored)) return []
  const journey = { ...stored, endUse: stored.endUse ?? defaultEndUse }
  const { person } = await readProfile(tx, ctx, journey)
  const missing = missingFields(journey.type, person, journey.endUse).map(requestPath)
  if (!isConsentGiven) missing.push('journey.bureauConsent')
  if (missing.length > 0) return missing
  if (stored.endUse === null) await updateJourney(tx, journey, { endUse: defaultEndUse }, at)
  await submitProfile(ctx, journey, { consents, origin })
  return []
}

const requestNames: Record<string, string> = { profile: 'personal', workProfile: 'work' }
const requestPath = (path: string): string =>
  path.includes('.') ? path.replace(/^\w+/, (group) => ownValue(requestNames, group) ?? group) : `journey.${path}`

/** The integrator shows our consent text and reports the bureau consent. The call is the consent to data sharing. */
const consents: GivenConsent[] = (['bureau', 'data_sharing'] as const).map((purpose) => ({
  purpose,
  textVersion: currentConsentVersion,
  language: 'en',
}))
