// Submission of the profile: locks the profile, records the consents, and requests offers.

import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { isPersonPan } from '@lendloom/wire/identifier'
import type { TxContext } from '#platform/context.ts'
import { type ConsentOrigin, type GivenConsent, recordConsents } from '#platform/lending/borrower/consent.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { productOf } from '#platform/lending/product/products.ts'
import { readProfile } from './edit-profile.ts'
import { missingFields } from './required-fields.ts'
import { setSubmitted } from './store.ts'

export interface ProfileSubmission {
  consents: GivenConsent[]
  origin: ConsentOrigin
}

/**
 * Submits the profile. Throws `invalid` with `details.missingFields` for an incomplete profile, and `wrong-state` when
 * the search has started or the journey has advanced. After an UNANSWERED search the borrower may submit again.
 */
export async function submitProfile(
  ctx: TxContext,
  journey: Journey,
  { consents, origin }: ProfileSubmission,
): Promise<void> {
  const { tx, at } = ctx
  if (!journey.active || journey.status !== 'STARTED')
    throw new Refusal('wrong-state', `the journey is ${journey.status}: the profile was already sent`, {
      status: journey.status,
    })
  if (journey.search === 'OPEN' || journey.search === 'CLOSED')
    throw new Refusal('wrong-state', 'the search for offers has already started', { status: journey.status })
  const { person } = await readProfile(tx, ctx, journey)
  const missing = missingFields(journey.type, person, journey.endUse)
  const [firstMissing] = missing
  if (firstMissing !== undefined)
    throw new Refusal('invalid', `the profile is not complete: ${missing.join(', ')}`, {
      field: firstMissing,
      missingFields: missing,
    })
  // A prefilled PAN may come from a journey of another product, which also accepts PANs of companies.
  const { pan } = person.personal
  if (productOf(journey).needsPersonPan && !(pan !== undefined && isPersonPan(pan)))
    throw invalid({ path: 'profile.pan', message: 'must be the PAN of a person, whose fourth character is P' })
  await recordConsents(ctx, journey, { consents, requiredPurposes: ['bureau', 'data_sharing'], origin })
  await setSubmitted(tx, journey.tenantId, journey.journeyId, at)
  await updateJourney(tx, journey, { bureauConsent: true, search: 'OPEN', lastBorrowerActAt: at }, at)
  const request = { person, isRepeated: journey.search === 'UNANSWERED' }
  for (const channel of Object.values(ctx.channels)) await channel.requestOffers(ctx, journey, request)
}
