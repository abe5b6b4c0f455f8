// Opens a journey for a hosted page: begins one for a new borrower in a single statement, or resumes the one that is active (D1 §1).
import { uuidv7 } from '#kit/id.ts'
import type { Tx } from '#kit/sql.ts'
import type { Integrator } from '#platform/access/api-key.ts'
import { embedToken } from '#platform/access/embed-session.ts'
import { needProduct } from '#platform/access/product.ts'
import { knownBorrower, mobileDigest } from '#platform/borrower/known-borrower.ts'
import type { Person } from '#platform/borrower/person.ts'
import type { NewBorrower } from '#platform/borrower/store.ts'
import { newBorrower } from '#platform/borrower/store.ts'
import { type JourneyChange, type JourneyType, sealedCallbackUrl, sealedReturnUrl } from '#platform/journey/journey.ts'
import { lockActive, updateJourney } from '#platform/journey/store.ts'
import { mergePrefill } from '#platform/profile/edit.ts'
import { openingOf } from '#platform/profile/open-journey.ts'
import { deliveries } from '#platform/webhook/send.ts'
import type { World } from '#platform/world.ts'
import { openTogether } from './open-together.ts'
import { addToken, type HostedOpening, openForBorrower } from './store.ts'

/** What an integrator's server says of a borrower and the journey that is wanted. */
export interface Wanted {
  borrowerProviderID: string
  journeyType: JourneyType
  person: Person
  endUse: string | null
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
export async function openForStranger(world: World, who: Integrator, wanted: Wanted, at: Date): Promise<Opened | null> {
  // Of a product that is switched off only a journey under way is opened: the careful way finds it.
  if (!who.products.includes(wanted.journeyType)) return null
  const borrower = stranger(world, who, wanted, at)
  const { opening, token } = hostedOpening(world, who, wanted, borrower.borrowerId, at)
  if (!(await openTogether(world.db, who.tenantId)({ borrower, opening }))) return null
  world.db.wake(deliveries)
  return { created: true, journeyId: opening.journey.journeyId, token }
}

/** The careful way: the borrower is locked, an active journey of the type is resumed, otherwise one begins. */
export async function openOrResume(tx: Tx, world: World, who: Integrator, wanted: Wanted, at: Date): Promise<Opened> {
  const borrower = stranger(world, who, wanted, at)
  await tx`${newBorrower(borrower)}`
  const borrowerId = (await knownBorrower(
    tx,
    world,
    who.tenantId,
    wanted.borrowerProviderID,
    wanted.person.personal.mobile,
    wanted.mobilePath,
  ))!
  const journey = await lockActive(tx, who.tenantId, who.applicationId, borrowerId, wanted.journeyType)
  if (!journey) {
    needProduct(who, wanted.journeyType)
    const { opening, token } = hostedOpening(world, who, wanted, borrowerId, at)
    await openForBorrower(tx, borrowerId, opening)
    const begun = { tenantId: who.tenantId, journeyId: opening.journey.journeyId }
    if (wanted.returnUrl !== null) await updateJourney(tx, begun, returning(world, begun, wanted.returnUrl), at)
    tx.wake(deliveries)
    return { created: true, journeyId: opening.journey.journeyId, token }
  }
  const merged = await mergePrefill(tx, world, journey, wanted.person, at)
  const change: JourneyChange = {
    ...(merged && wanted.endUse !== null && { endUse: wanted.endUse }),
    ...(merged && wanted.bureauConsent !== null && { bureauConsent: wanted.bureauConsent }),
    ...(wanted.returnUrl !== null && returning(world, journey, wanted.returnUrl)),
    ...(wanted.callbackUrl !== null && { callbackUrlSealed: sealedCallbackUrl(world, journey, wanted.callbackUrl) }),
  }
  if (merged || Object.keys(change).length > 0) await updateJourney(tx, journey, change, at)
  const { token, row } = embedToken(world, who.tenantId, at)
  await addToken(tx, journey.journeyId, row)
  return { created: false, journeyId: journey.journeyId, token }
}

const returning = (world: World, journey: { tenantId: string; journeyId: string }, url: string): JourneyChange => ({
  returnUrlSealed: sealedReturnUrl(world, journey, url),
})

const stranger = (world: World, { tenantId }: Integrator, wanted: Wanted, at: Date): NewBorrower => ({
  tenantId,
  borrowerId: uuidv7(at.getTime()),
  externalId: wanted.borrowerProviderID,
  mobileDigest: mobileDigest(world, wanted.person.personal.mobile),
  createdAt: at,
})

function hostedOpening(
  world: World,
  { tenantId, applicationId }: Integrator,
  wanted: Wanted,
  borrowerId: string,
  at: Date,
): { opening: HostedOpening; token: string } {
  const begun = openingOf(
    world,
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
  const { token, row } = embedToken(world, tenantId, at)
  return { opening: { ...begun, token: row }, token }
}
