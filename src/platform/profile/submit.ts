// The borrower submits the profile: it is locked, consents are recorded, and lenders are asked.

import { isPersonPan } from '#contract/identifier.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { type ConsentPlace, type GivenConsent, recordConsents } from '#platform/borrower/borrower.ts'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { updateJourney } from '#platform/journey/store.ts'
import { everyChannel } from '#platform/lender-channels.ts'
import { productOf } from '#platform/product/products.ts'
import { readProfile } from './edit.ts'
import { missingFields } from './profile.ts'
import { setSubmitted } from './store.ts'

interface ProfileSubmission {
  consents: GivenConsent[]
  place: ConsentPlace
}

/**
 * Submits a complete profile. Refused as `invalid` with `details.missingFields`, or as `wrong-state` when lenders are
 * already being asked or the journey is past this point. After UNANSWERED it may be sent again: nothing was decided then.
 */
export async function submitProfile(
  ctx: TxContext,
  journey: Journey,
  { consents, place }: ProfileSubmission,
): Promise<void> {
  const { tx, at } = ctx
  if (!journey.active || journey.status !== 'STARTED')
    throw new Refusal('wrong-state', `the journey is ${journey.status}: the profile was sent already`, {
      status: journey.status,
    })
  if (journey.search === 'OPEN' || journey.search === 'CLOSED')
    throw new Refusal('wrong-state', 'the lenders are being asked already', { status: journey.status })
  const { person } = await readProfile(tx, ctx, journey)
  const missing = missingFields(journey.type, person, journey.endUse)
  const [field] = missing
  if (field !== undefined)
    throw new Refusal('invalid', `the profile is not complete: ${missing.join(', ')}`, {
      field,
      missingFields: missing,
    })
  // A prefill of the borrower may be older than the kind of journey that it serves now.
  const { pan } = person.personal
  if (productOf(journey).needsPersonPan && !(pan !== undefined && isPersonPan(pan)))
    throw invalid({ path: 'profile.pan', message: 'must be the PAN of a person, whose fourth character is P' })
  await recordConsents(ctx, journey, { given: consents, needed: ['bureau', 'data_sharing'], place })
  await setSubmitted(tx, journey.tenantId, journey.journeyId, at)
  await updateJourney(tx, journey, { bureauConsent: true, search: 'OPEN', lastBorrowerActAt: at }, at)
  const request = { person, isRepeated: journey.search === 'UNANSWERED' }
  for (const channel of everyChannel) await channel.requestOffers(ctx, journey, request)
}
