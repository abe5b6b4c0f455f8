// Routes that read a journey's profile, merge fields into it, and submit it to the lenders (D2 §4).

import { invalid } from '@lendloom/foundation/refusal'
import { answer } from '@lendloom/http/server'
import type { Run } from '@lendloom/postgres/sql'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import { AsyncAcceptance } from '@lendloom/wire/headless/operation'
import { JourneyParams } from '@lendloom/wire/headless/path-parameters'
import { ProfileRequest, ProfileSnapshot, ProfileSubmitRequest } from '@lendloom/wire/headless/profile'
import { currentConsentVersion } from '@lendloom/wire/hosted/consent-text'
import { refuseAadhaar } from '@lendloom/wire/hosted/refused-text'
import type { Context } from '#platform/context.ts'
import { profileFieldsOf } from '#platform/lending/borrower/borrower.ts'
import type { GivenConsent } from '#platform/lending/borrower/consent.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { personFrom } from '#platform/lending/profile/details-from-wire.ts'
import { editProfile, readProfile } from '#platform/lending/profile/edit-profile.ts'
import { missingFields, requiredFields } from '#platform/lending/profile/required-fields.ts'
import { submitProfile } from '#platform/lending/profile/submit-profile.ts'
import { actRoute, lockActiveJourney, readJourney, readRoute } from './headless-route.ts'
import { mergeMetadata, metadataIn } from './metadata.ts'
import { findNote, insertOperation } from './store.ts'

const section = 'D2 §4'
const path = '/journeys/{journeyID}/profile'

/** Sent to lenders when the app gave no end use, which D2 does not require. */
const defaultEndUse = 'other'

/** Seconds until the next poll of the search for offers. */
export const pollAfterSeconds = 3

const getProfile = readRoute({
  path,
  section,
  operationId: 'getProfile',
  summary: 'Get the known profile and the fields that lenders require',
  params: JourneyParams,
  data: ProfileSnapshot,
  async read({ who, params }, ctx) {
    return snapshotOf(ctx.db, ctx, await readJourney(ctx.db, who, params.journeyID))
  },
})

const updateProfile = actRoute({
  method: 'PUT',
  path,
  section,
  operationId: 'updateProfile',
  summary: 'Merge fields into the profile',
  params: JourneyParams,
  body: ProfileRequest,
  data: ProfileSnapshot,
  async act(tx, { who, params, body, at }, ctx) {
    const { metadata, endUse, ...fields } = body
    const journey = await lockActiveJourney(tx, who, params.journeyID)
    const { person } = await readProfile(tx, ctx, journey)
    refuseAadhaar({ metadata })
    const details = personFrom(fields, person, journey.type, at)
    await editProfile({ ...ctx, tx, at }, journey, { details, change: endUse === undefined ? {} : { endUse } })
    if (metadata) await mergeMetadata({ ...ctx, tx, at }, journey, metadata)
    return snapshotOf(tx, ctx, { ...journey, endUse: endUse ?? journey.endUse })
  },
})

const submitRoute = actRoute({
  method: 'POST',
  path: `${path}/submit`,
  section,
  operationId: 'submitProfile',
  summary: 'Send the profile to all eligible lenders',
  params: JourneyParams,
  body: ProfileSubmitRequest,
  statuses: [202],
  data: AsyncAcceptance,
  async act(tx, { who, params, body, ip, at }, ctx) {
    if (!body.bureauConsent)
      throw invalid({ path: 'bureauConsent', message: 'must be true, because lenders query a credit bureau' })
    const journey = await lockActiveJourney(tx, who, params.journeyID)
    const endUse = journey.endUse ?? defaultEndUse
    if (journey.endUse === null) await updateJourney(tx, journey, { endUse }, at)
    await submitProfile({ ...ctx, tx, at }, { ...journey, endUse }, { consents, origin: { channel: 'headless', ip } })
    const operation = {
      operationId: uuidv7(at.getTime(), bucketOf(journey.journeyId)),
      kind: 'PROFILE_SUBMISSION' as const,
      startedAt: at,
    }
    await insertOperation(tx, journey, operation)
    return answer(
      202,
      { operationID: operation.operationId, status: 'ACCEPTED', pollAfterSeconds },
      { 'retry-after': String(pollAfterSeconds) },
    )
  },
})

export const profileRoutes = [getProfile, updateProfile, submitRoute]

/** The app shows our consent text and reports the bureau consent. The submission is the consent to data sharing. */
const consents: GivenConsent[] = (['bureau', 'data_sharing'] as const).map((purpose) => ({
  purpose,
  textVersion: currentConsentVersion,
  language: 'en',
}))

async function snapshotOf(db: Run, ctx: Context, journey: Journey): Promise<ProfileSnapshot> {
  const [{ person }, note] = await Promise.all([readProfile(db, ctx, journey), findNote(db, journey)])
  const isProfileField = (field: string): boolean => field !== 'endUse'
  return {
    ...profileFieldsOf(person),
    bankingInformation: person.bank ?? {},
    metadata: metadataIn(ctx, journey, note),
    ...(journey.endUse !== null && { endUse: journey.endUse }),
    requiredFields: requiredFields(journey.type).filter(isProfileField),
    missingFields: missingFields(journey.type, person, journey.endUse).filter(isProfileField),
  }
}
