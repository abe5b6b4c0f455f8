// Opens a journey for a hosted page: begins one for a new borrower in a single statement, or resumes the one that is active (D1 §1).

import type { EndUse } from '#contract/hosted/profile.ts'
import type { ProductId } from '#contract/product/product.ts'
import { uuidv7 } from '#kit/crypto/id.ts'
import { type Integrator, needProduct } from '#platform/access/api-key.ts'
import { embedToken } from '#platform/access/embed-session.ts'
import { type BorrowerDetails, ensureBorrower, mobileDigest } from '#platform/borrower/borrower.ts'
import { borrowerBucket, type NewBorrower } from '#platform/borrower/store.ts'
import type { Context, TxContext } from '#platform/context.ts'
import { type JourneyChange, sealedCallbackUrl, sealedReturnUrl } from '#platform/journey/journey.ts'
import { lockActive, updateJourney } from '#platform/journey/store.ts'
import { mergePrefill } from '#platform/profile/edit.ts'
import { openingOf } from '#platform/profile/open-journey.ts'
import { deliveries } from '#platform/webhook/delivery.ts'
import { addToken, type HostedOpening, openForBorrower, openTogether } from './store.ts'

/** What an integrator's server says of a borrower and the journey that is wanted. */
export interface JourneyRequest {
  borrowerProviderID: string
  journeyType: ProductId
  person: BorrowerDetails
  endUse: EndUse | null
  /** Null where nothing was said of it. */
  bureauConsent: boolean | null
  /** Null leaves the one that is known. */
  callbackUrl: string | null
  /** Where the page leads back to at the end; null leaves what is known. */
  returnUrl: string | null
  /** Where the mobile number was sent, if not in the session body's place. */
  mobilePath?: string
}

export interface Opened {
  created: boolean
  journeyId: string
  token: string
}

/** The way most sessions go: a borrower nobody has seen. Null, with nothing written, when the borrower is known. */
export async function openForNewBorrower(
  ctx: Context,
  who: Integrator,
  wanted: JourneyRequest,
  at: Date,
): Promise<Opened | null> {
  // For a product that is switched off only a journey under way is opened: the careful way finds it.
  if (!who.products.includes(wanted.journeyType)) return null
  const borrower = newBorrowerOf(ctx, who, wanted, at)
  const { opening, token } = hostedOpening(ctx, who, { wanted, borrowerId: borrower.borrowerId, at })
  if (!(await openTogether(ctx, who.tenantId)({ borrower, opening }))) return null
  ctx.db.wake(deliveries)
  return { created: true, journeyId: opening.journey.journeyId, token }
}

/** The careful way: the borrower is locked, an active journey of the type is resumed, otherwise one begins. */
export async function openOrResume(ctx: TxContext, who: Integrator, wanted: JourneyRequest): Promise<Opened> {
  const { tx, at } = ctx
  const borrower = newBorrowerOf(ctx, who, wanted, at)
  const { borrowerId } = await ensureBorrower(tx, borrower, wanted.mobilePath)
  const journey = await lockActive(tx, {
    tenantId: who.tenantId,
    applicationId: who.applicationId,
    borrowerId,
    type: wanted.journeyType,
  })
  if (!journey) {
    needProduct(who, wanted.journeyType)
    const { opening, token } = hostedOpening(ctx, who, { wanted, borrowerId, at })
    await openForBorrower(tx, opening)
    const begun = { tenantId: who.tenantId, journeyId: opening.journey.journeyId }
    if (wanted.returnUrl !== null) await updateJourney(tx, begun, returning(ctx, begun, wanted.returnUrl), at)
    tx.wake(deliveries)
    return { created: true, journeyId: opening.journey.journeyId, token }
  }
  const merged = await mergePrefill(ctx, journey, wanted.person)
  const change: JourneyChange = {
    ...(merged && wanted.endUse !== null && { endUse: wanted.endUse }),
    ...(merged && wanted.bureauConsent !== null && { bureauConsent: wanted.bureauConsent }),
    ...(wanted.returnUrl !== null && returning(ctx, journey, wanted.returnUrl)),
    ...(wanted.callbackUrl !== null && { callbackUrlSealed: sealedCallbackUrl(ctx, journey, wanted.callbackUrl) }),
  }
  if (merged || Object.keys(change).length > 0) await updateJourney(tx, journey, change, at)
  const { token, row } = embedToken(ctx, journey, at)
  await addToken(tx, row)
  return { created: false, journeyId: journey.journeyId, token }
}

const returning = (ctx: Context, journey: { tenantId: string; journeyId: string }, url: string): JourneyChange => ({
  returnUrlSealed: sealedReturnUrl(ctx, journey, url),
})

const newBorrowerOf = (ctx: Context, { tenantId }: Integrator, wanted: JourneyRequest, at: Date): NewBorrower => ({
  tenantId,
  borrowerId: uuidv7(at.getTime(), borrowerBucket(tenantId, wanted.borrowerProviderID)),
  externalId: wanted.borrowerProviderID,
  mobileDigest: mobileDigest(ctx, wanted.person.personal.mobile),
  createdAt: at,
})

interface OrderedOpening {
  wanted: JourneyRequest
  borrowerId: string
  at: Date
}

function hostedOpening(
  ctx: Context,
  { tenantId, applicationId }: Integrator,
  { wanted, borrowerId, at }: OrderedOpening,
): { opening: HostedOpening; token: string } {
  const begun = openingOf(
    ctx,
    {
      tenantId,
      applicationId,
      borrowerId,
      externalId: wanted.borrowerProviderID,
      type: wanted.journeyType,
      person: wanted.person,
      endUse: wanted.endUse,
      bureauConsent: wanted.bureauConsent ?? false,
      callbackUrl: wanted.callbackUrl,
    },
    at,
  )
  const { token, row } = embedToken(ctx, begun.journey, at)
  return { opening: { ...begun, token: row }, token }
}

export function embedUrl(
  { config }: Context,
  who: Pick<Integrator, 'tenantId' | 'applicationId'>,
  { borrowerProviderID, journeyType }: Pick<JourneyRequest, 'borrowerProviderID' | 'journeyType'>,
  token: string,
): string {
  const query = new URLSearchParams({
    tenant_id: who.tenantId,
    application_id: who.applicationId,
    borrower_provider_id: borrowerProviderID,
    journey_type: journeyType,
  })
  return `${config.PUBLIC_URL}/lab/embed?${query}#token=${token}`
}
