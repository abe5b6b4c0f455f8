// POST /sessions gives an app's server a pair of tokens for a borrower; POST /sessions/refresh replaces it (D2 §4).

import { type FieldError, invalid } from '@lendloom/foundation/refusal'
import { answer } from '@lendloom/http/server'
import { contractOf } from '@lendloom/lending/product/products'
import { NoBody } from '@lendloom/wire/basic-schemas'
import { enveloped } from '@lendloom/wire/headless/envelope'
import { HeadlessSession, RefreshResult, SessionRequest } from '@lendloom/wire/headless/session'
import { canonicalPersonal } from '@lendloom/wire/hosted/canonical-profile'
import { refuseAadhaar, refuseHiddenCharacters } from '@lendloom/wire/hosted/refused-text'
import { route, type TxContext } from '#platform/context.ts'
import { requireProduct } from '#platform/integrators/access/api-key.ts'
import {
  type BorrowerOfApplication,
  evictPair,
  headlessKey,
  sessionEnded,
  tokenPair,
} from '#platform/integrators/access/headless/authentication.ts'
import { revokeFamily } from '#platform/integrators/access/headless/store.ts'
import {
  beginFamily,
  replaySeconds,
  rotatePair,
  type TokenPair,
} from '#platform/integrators/access/headless/token-pair.ts'
import { type BorrowerDetails, mergeDetails, prefillContext } from '#platform/lending/borrower/borrower.ts'
import { ensureBorrower, newBorrowerOf } from '#platform/lending/borrower/ensure-borrower.ts'
import { setPrefill } from '#platform/lending/borrower/store.ts'
import { updateJourney } from '#platform/lending/journey/store.ts'
import { acceptsPrefill, mergeIntoProfile } from '#platform/lending/profile/edit-profile.ts'
import { headlessPrefix, onceFor } from './headless-route.ts'
import { journeyWire } from './journey-wire.ts'
import { findNewestActive, type HeadlessJourneyRow, lockUnsubmitted } from './store.ts'

export const createHeadlessSession = route({
  method: 'POST',
  path: `${headlessPrefix}/sessions`,
  section: 'D2 §4',
  operationId: 'createHeadlessSession',
  summary: "Create or resume a borrower's context",
  auth: headlessKey,
  body: SessionRequest,
  reply: { 201: enveloped(HeadlessSession) },
  handle(call, ctx) {
    const { who, body, at } = call
    const { tenantId, applicationId, keyId, apiVersion } = who
    const person = validatedPerson(body, at)
    const externalId = body.borrowerExternalID
    const operation = { tenantId, principal: keyId, operation: 'POST /sessions', replaySeconds }
    return onceFor(ctx, operation, call, async (tx) => {
      const { prefillSealed, borrowerId } = await ensureBorrower(
        tx,
        newBorrowerOf(ctx, { tenantId, externalId }, person, at),
      )
      const borrower = { tenantId, applicationId, borrowerId, prefillSealed, person, type: body.journeyType ?? null }
      // These statements share one round trip, because the borrower is locked until all have been answered.
      const [pair, active] = await Promise.all([
        beginFamily(tx, { ...borrower, keyId, apiVersion }, at),
        prefilledJourney({ ...ctx, tx, at }, borrower),
      ])
      if (body.journeyType && !active) requireProduct(who, body.journeyType)
      const data = {
        borrowerID: borrowerId,
        borrowerExternalID: externalId,
        ...pairWire(pair),
        activeJourney: active ? journeyWire(active) : null,
      }
      return answer(201, data, noStore)
    })
  },
})

/** Tokens must not be cached. */
const noStore = { 'cache-control': 'no-store' }

const pairWire = ({ sessionToken, refreshToken, sessionExpiresAt, refreshExpiresAt }: TokenPair) => ({
  sessionToken,
  refreshToken,
  sessionExpiresAt: sessionExpiresAt.toISOString(),
  refreshExpiresAt: refreshExpiresAt.toISOString(),
})

function validatedPerson(body: SessionRequest, at: Date): BorrowerDetails {
  refuseAadhaar(body)
  refuseHiddenCharacters(body)
  const faults: FieldError[] = []
  const { contactNumber, personalemail, ...otherFields } = canonicalPersonal(
    body.profile,
    { at, needsPersonPan: body.journeyType !== undefined && contractOf(body.journeyType).needsPersonPan },
    faults,
  )
  const [first, ...otherFaults] = faults
  if (first) throw invalid(first, ...otherFaults)
  const personal = {
    mobile: contactNumber,
    ...otherFields,
    ...(personalemail !== undefined && { personalEmail: personalemail }),
  }
  return { personal, work: {}, address: {}, gold: null }
}

interface PrefilledBorrower extends BorrowerOfApplication {
  prefillSealed: Buffer | null
  person: BorrowerDetails
  type: string | null
}

/**
 * Stores the prefill for the next journey, and merges it into the journeys whose profile is not submitted. Returns the
 * newest active journey.
 */
async function prefilledJourney(ctx: TxContext, borrower: PrefilledBorrower): Promise<HeadlessJourneyRow | undefined> {
  const { tx, at } = ctx
  const { person, type } = borrower
  const [unsubmitted, newest] = await Promise.all([
    lockUnsubmitted(tx, borrower),
    findNewestActive(tx, borrower, type),
    savePrefill(ctx, borrower),
  ])
  const prefillable = unsubmitted.filter(acceptsPrefill)
  if (prefillable.length === 0) return newest
  const merging = prefillable.flatMap((journey) => [
    mergeIntoProfile(ctx, journey, person),
    updateJourney(tx, journey, {}, at),
  ])
  // The query returns the `updated_at` that the merging sets, because the merging statements are sent first.
  const [updated] = await Promise.all([findNewestActive(tx, borrower, type), ...merging])
  return updated
}

function savePrefill(
  ctx: TxContext,
  { tenantId, borrowerId, prefillSealed, person }: PrefilledBorrower,
): Promise<void> {
  const context = prefillContext(tenantId, borrowerId)
  const prefill = prefillSealed
    ? mergeDetails(ctx.seal.openJson<BorrowerDetails>(prefillSealed, context), person)
    : person
  return setPrefill(ctx.tx, tenantId, borrowerId, ctx.seal.json(prefill, context))
}

/** Exchanges a pair of tokens once. A later use of the refresh token means that it was copied (D2 §5). */
export const refreshSession = route({
  method: 'POST',
  path: `${headlessPrefix}/sessions/refresh`,
  section: 'D2 §5',
  operationId: 'refreshHeadlessSession',
  summary: 'Exchange a pair of tokens for a new one, with either token',
  auth: tokenPair,
  body: NoBody,
  reply: { 200: enveloped(RefreshResult) },
  async handle(call, ctx) {
    const { who, at } = call
    const { tenantId, familyId, sessionId, kind, rotatedAt } = who
    const operation = { tenantId, principal: `family:${familyId}`, operation: 'POST /sessions/refresh', replaySeconds }
    let isCopiedToken = false
    try {
      return await onceFor(ctx, { ...operation, furtherContent: { sessionId, kind } }, call, async (tx) => {
        const pair = await rotatePair(tx, who, at)
        if (pair) return answer(200, pairWire(pair), noStore)
        // `rotatedAt` is null in a concurrent refresh, which read the pair before its rotation.
        isCopiedToken = kind === 'refresh' && rotatedAt !== null
        throw sessionEnded()
      })
    } catch (error) {
      if (isCopiedToken) await revokeFamily(ctx.db, tenantId, familyId, at)
      throw error
    } finally {
      evictPair(ctx, tenantId, familyId)
    }
  },
})
