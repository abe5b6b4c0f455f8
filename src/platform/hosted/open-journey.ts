// Opens a hosted journey: begins one for a new borrower in a single statement, or resumes the one that is active (D1 §1).
import type { SessionOrder } from '#contract/hosted/session.ts'
import { uuidv7 } from '#kit/id.ts'
import type { Tx } from '#kit/sql.ts'
import type { Integrator } from '#platform/access/api-key.ts'
import { embedToken } from '#platform/access/embed-session.ts'
import { knownBorrower, mobileDigest } from '#platform/borrower/known-borrower.ts'
import type { NewBorrower } from '#platform/borrower/store.ts'
import { newBorrower } from '#platform/borrower/store.ts'
import { type JourneyChange, sealedCallbackUrl } from '#platform/journey/journey.ts'
import { lockActive, updateJourney } from '#platform/journey/store.ts'
import { mergePrefill } from '#platform/profile/edit.ts'
import { openingOf } from '#platform/profile/open-journey.ts'
import { deliveries } from '#platform/webhook/send.ts'
import type { World } from '#platform/world.ts'
import { personOf } from './person-of.ts'
import { addToken, type HostedOpening, openForBorrower, openForNewBorrower } from './store.ts'

export interface Opened {
  created: boolean
  token: string
}

/** The way most sessions go: a borrower nobody has seen. Null, with nothing written, when the borrower is known. */
export async function openForStranger(
  world: World,
  who: Integrator,
  order: SessionOrder,
  at: Date,
): Promise<Opened | null> {
  const borrower = stranger(world, who, order, at)
  const { opening, token } = hostedOpening(world, who, order, borrower.borrowerId, at)
  if (!(await openForNewBorrower(world.db, borrower, opening))) return null
  world.db.wake(deliveries)
  return { created: true, token }
}

/** The careful way: the borrower is locked, an active journey of the type is resumed, otherwise one begins. */
export async function openOrResume(
  tx: Tx,
  world: World,
  who: Integrator,
  order: SessionOrder,
  at: Date,
): Promise<Opened> {
  const borrower = stranger(world, who, order, at)
  await tx`${newBorrower(borrower)}`
  const borrowerId = (await knownBorrower(
    tx,
    world,
    who.tenantId,
    order.borrowerProviderID,
    order.profile.contactNumber,
  ))!
  const journey = await lockActive(tx, who.tenantId, who.applicationId, borrowerId, order.journeyType)
  if (!journey) {
    const { opening, token } = hostedOpening(world, who, order, borrowerId, at)
    await openForBorrower(tx, borrowerId, opening)
    tx.wake(deliveries)
    return { created: true, token }
  }
  const merged = await mergePrefill(tx, world, journey, personOf(order), at)
  const change: JourneyChange = {
    ...(merged && order.goldLoan?.endUse && { endUse: order.goldLoan.endUse }),
    ...(order.callbackUrl !== null && { callbackUrlSealed: sealedCallbackUrl(world, journey, order.callbackUrl) }),
  }
  if (merged || Object.keys(change).length > 0) await updateJourney(tx, journey, change, at)
  const { token, row } = embedToken(world, who.tenantId, at)
  await addToken(tx, journey.journeyId, row)
  return { created: false, token }
}

const stranger = (world: World, { tenantId }: Integrator, order: SessionOrder, at: Date): NewBorrower => ({
  tenantId,
  borrowerId: uuidv7(at.getTime()),
  externalId: order.borrowerProviderID,
  mobileDigest: mobileDigest(world, order.profile.contactNumber),
  createdAt: at,
})

function hostedOpening(
  world: World,
  { tenantId, applicationId }: Integrator,
  order: SessionOrder,
  borrowerId: string,
  at: Date,
): { opening: HostedOpening; token: string } {
  const begun = openingOf(
    world,
    {
      tenantId,
      applicationId,
      borrowerId,
      externalId: order.borrowerProviderID,
      type: order.journeyType,
      person: personOf(order),
      endUse: order.goldLoan?.endUse ?? null,
      bureauConsent: order.goldLoan?.bureauConsent ?? false,
      callbackUrl: order.callbackUrl,
    },
    at,
  )
  const { token, row } = embedToken(world, tenantId, at)
  return { opening: { ...begun, token: row }, token }
}
