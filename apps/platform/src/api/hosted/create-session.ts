// POST /api/lab/sessions: creates or resumes a hosted journey and returns its embed URL (D1 §2.1, §2.2, §4).

import { cache, perDatabase } from '@lendloom/foundation/cache'
import { omitValue } from '@lendloom/foundation/record'
import { faultsOf } from '@lendloom/foundation/refusal'
import { fits } from '@lendloom/foundation/schema'
import { type Answer, answer } from '@lendloom/http/server'
import { groupCommit } from '@lendloom/postgres/shared-commit'
import type { Db } from '@lendloom/postgres/sql'
import {
  type CanonicalSession,
  canonicalSession,
  type GoldLoan,
  type JourneyLink,
  SessionReply,
  SessionRequest,
} from '@lendloom/wire/hosted/create-session'
import { gramsOf } from '@lendloom/wire/hosted/profile'
import { type Context, route, type TxContext } from '#platform/context.ts'
import { apiKey, type Integrator, requireProduct } from '#platform/integrators/access/api-key.ts'
import { issueEmbedToken, mintEmbedToken } from '#platform/integrators/access/embed-session.ts'
import type { BorrowerOfApplication } from '#platform/integrators/access/headless/authentication.ts'
import { idempotencyKey, runOnceForKey } from '#platform/integrators/access/idempotency.ts'
import { makeLink } from '#platform/integrators/access/journey-link.ts'
import { deliveryQueue } from '#platform/integrators/webhook/delivery.ts'
import { callbackFaults, deliveryPolicyOf, returnFaults } from '#platform/integrators/webhook/delivery-policy.ts'
import { type BorrowerDetails, detailsFrom, mergeDetails } from '#platform/lending/borrower/borrower.ts'
import { ensureBorrower, newBorrowerOf } from '#platform/lending/borrower/ensure-borrower.ts'
import { isUnsubmitted, type JourneyChange, sealCallbackUrl, sealReturnUrl } from '#platform/lending/journey/journey.ts'
import { type JourneyRequest, openingOf } from '#platform/lending/journey/open-journey.ts'
import {
  type BorrowerJourneysKey,
  findNewestJourney,
  lockActiveBorrowerJourney,
  updateJourney,
} from '#platform/lending/journey/store.ts'
import { mergePrefill } from '#platform/lending/profile/edit-profile.ts'
import { reusableDetails } from '#platform/lending/profile/last-application.ts'
import {
  insertOpening,
  type NewBorrowerOpening,
  openForNewBorrowers,
  openForOneNewBorrower,
} from '#platform/lending/profile/opening-store.ts'

/** How long a response is replayed for its Idempotency-Key. The response contains a short-lived token. */
const replaySeconds = 60

export const createSession = route({
  method: 'POST',
  path: '/api/lab/sessions',
  section: 'D1 §4',
  operationId: 'createSession',
  summary: 'Create or resume a hosted borrower journey',
  auth: apiKey('sessions'),
  body: SessionRequest,
  reply: { 200: SessionReply, 201: SessionReply },
  furtherFaults: (rest, { at }, ctx) => faultsOf(() => canonicalOf(rest, at, ctx)),
  async handle({ who, body, headers, at }, ctx) {
    const session = canonicalOf(body, at, ctx)
    const { linkTtlMs } = session
    const request = requestOf(session)
    const key = idempotencyKey(headers)
    if (key !== null) {
      const operation = {
        tenantId: who.tenantId,
        principal: who.keyId,
        operation: 'POST /api/lab/sessions',
        key,
        content: body,
        replaySeconds,
      }
      return runOnceForKey(ctx, operation, at, (tx, oldBody) =>
        openWithLink({ ...ctx, tx, at }, who, { request, linkTtlMs, oldLink: linkIn(oldBody) }),
      )
    }
    const opened = linkTtlMs === null ? await openForNewBorrower(ctx, who, request, at) : null
    if (opened) return reply(ctx, who, request, { opening: opened, link: null })
    return ctx.db.tx((tx) => openWithLink({ ...ctx, tx, at }, who, { request, linkTtlMs, oldLink: null }))
  },
})

/** The link of an old answer, whose embed URL has expired meanwhile. A repeated request gets the same link. */
const linkIn = (oldBody: unknown): JourneyLink | null => (fits(SessionReply, oldBody) ? (oldBody.link ?? null) : null)

interface LinkedRequest {
  request: JourneyRequest
  /** Null if the caller asked for no link. */
  linkTtlMs: number | null
  oldLink: JourneyLink | null
}

async function openWithLink(
  ctx: TxContext,
  who: Integrator,
  { request, linkTtlMs, oldLink }: LinkedRequest,
): Promise<Answer> {
  const opening = await openOrResume(ctx, who, request)
  const { journeyId } = opening
  const link =
    linkTtlMs === null ? null : (oldLink ?? (await makeLink(ctx, { ...who, journeyId, lifetimeMs: linkTtlMs })))
  return reply(ctx, who, request, { opening, link })
}

/** Opens a hosted journey for an integrator without an API call. Throws the refusals of the API call. */
export async function openHosted(
  ctx: TxContext,
  who: Integrator,
  body: SessionRequest,
): Promise<{ journeyId: string; embedUrl: string }> {
  const request = requestOf(canonicalOf(body, ctx.at, ctx))
  const opening = await openOrResume(ctx, who, request)
  return { journeyId: opening.journeyId, embedUrl: embedUrlOf(ctx, who, request, opening) }
}

const canonicalOf = (body: SessionRequest, at: Date, { config }: Context): CanonicalSession =>
  canonicalSession(body, at, [
    ...callbackFaults(body.callbackUrl, deliveryPolicyOf(config)),
    ...returnFaults(body.returnUrl, deliveryPolicyOf(config)),
    ...(body.linkTtl !== undefined && config.SMS_URL === null ? [noSmsProvider] : []),
  ])

const noSmsProvider = {
  path: 'linkTtl',
  message: 'cannot be used here: no SMS provider is configured (SMS_URL), and a link needs a code by SMS',
}

export const requestOf = (session: CanonicalSession): JourneyRequest => ({
  externalId: session.borrowerProviderID,
  type: session.journeyType,
  person: detailsOf(session),
  endUse: session.goldLoan?.endUse ?? null,
  bureauConsent: session.goldLoan?.bureauConsent ?? null,
  callbackUrl: session.callbackUrl,
  returnUrl: session.returnUrl,
})

function reply(
  ctx: Context,
  who: Integrator,
  request: JourneyRequest,
  { opening, link }: { opening: SessionOpening; link: JourneyLink | null },
): Answer {
  const body: SessionReply = { embedUrl: embedUrlOf(ctx, who, request, opening), ...(link && { link }) }
  return answer(opening.created ? 201 : 200, body, { 'cache-control': 'no-store' })
}

/** Omits absent fields, so that a merge keeps the existing values. */
const detailsOf = ({ goldLoan, ...session }: CanonicalSession): BorrowerDetails => ({
  ...detailsFrom(session),
  gold: goldLoan && goldFrom(goldLoan),
})

/** Omits the end use and the consent, because the journey stores them. */
function goldFrom({
  endUse: _,
  bureauConsent: __,
  aaID: aaId,
  jewelleryWeightGrams: grams,
  requestedAmount: amount,
  requestedTenureMonths: months,
  ...details
}: GoldLoan): BorrowerDetails['gold'] {
  return omitValue(
    {
      ...details,
      aaId,
      jewelleryWeightGrams: grams === undefined ? undefined : gramsOf(grams),
      requestedAmount: amount === undefined ? undefined : String(amount),
      requestedTenureMonths: months === undefined ? undefined : Number(months),
    },
    undefined,
  )
}

export interface SessionOpening {
  created: boolean
  journeyId: string
  token: string
  /** Whether the borrower has sent the form, so that the page shows no form while it loads. */
  hasApplied?: boolean
}

/** Fast path, because most borrowers are new. Returns null and writes nothing for an existing borrower. */
async function openForNewBorrower(
  ctx: Context,
  who: Integrator,
  request: JourneyRequest,
  at: Date,
): Promise<SessionOpening | null> {
  // Only the slow path resumes active journeys of a disabled product.
  if (!who.products.includes(request.type)) return null
  const { tenantId } = who
  const borrower = newBorrowerOf(ctx, { tenantId, externalId: request.externalId }, request.person, at)
  const { opening, token } = hostedOpening(ctx, { ...who, borrowerId: borrower.borrowerId }, request, at)
  if (!(await batchedOpener(ctx, tenantId)({ ...opening, borrower }))) return null
  ctx.db.wake(deliveryQueue)
  return { created: true, journeyId: opening.journey.journeyId, token }
}

/**
 * Slow path: locks the borrower, then resumes the active journey of the requested type or opens a new journey. Refusals
 * name `mobilePath` as the path of the mobile number, if the request is not a session request.
 */
export async function openOrResume(
  ctx: TxContext,
  who: Integrator,
  request: JourneyRequest,
  mobilePath?: string,
): Promise<SessionOpening> {
  const { tx, at } = ctx
  const { tenantId, applicationId } = who
  const { externalId, type, person, endUse, bureauConsent, callbackUrl, returnUrl } = request
  const { borrowerId } = await ensureBorrower(tx, newBorrowerOf(ctx, { tenantId, externalId }, person, at), mobilePath)
  const key = { tenantId, applicationId, borrowerId, type }
  const journey = await lockActiveBorrowerJourney(tx, key)
  if (!journey) {
    requireProduct(who, type)
    const completed = { ...request, person: await withEarlierDetails(ctx, key, person) }
    const { opening, token } = hostedOpening(ctx, { ...who, borrowerId }, completed, at)
    await insertOpening(tx, opening)
    tx.wake(deliveryQueue)
    return { created: true, journeyId: opening.journey.journeyId, token }
  }
  const merged = await mergePrefill(ctx, journey, person)
  const change: JourneyChange = {
    ...(merged && endUse !== null && { endUse }),
    ...(merged && bureauConsent !== null && { bureauConsent }),
    ...(returnUrl !== null && { returnUrlSealed: sealReturnUrl(ctx, journey, returnUrl) }),
    ...(callbackUrl !== null && { callbackUrlSealed: sealCallbackUrl(ctx, journey, callbackUrl) }),
  }
  if (merged || Object.keys(change).length > 0) await updateJourney(tx, journey, change, at)
  const token = await issueEmbedToken(ctx, journey)
  return { created: false, journeyId: journey.journeyId, token, hasApplied: !isUnsubmitted(journey) }
}

/** Completes the request's details by those of the borrower's last application, if it expired or lenders ended it. */
async function withEarlierDetails(
  ctx: TxContext,
  key: BorrowerJourneysKey,
  person: BorrowerDetails,
): Promise<BorrowerDetails> {
  const last = await findNewestJourney(ctx.tx, key)
  const earlier = last && (await reusableDetails(ctx.tx, ctx, last, ctx.at))
  // The request's mobile number, because an erased application has none.
  return earlier
    ? mergeDetails({ ...earlier, personal: { ...earlier.personal, mobile: person.personal.mobile } }, person)
    : person
}

function hostedOpening(ctx: Context, who: BorrowerOfApplication, request: JourneyRequest, at: Date) {
  const opening = openingOf(ctx, who, request, at)
  const { token, row } = mintEmbedToken(ctx, opening.journey, at)
  return { opening: { ...opening, token: row }, token }
}

type JourneyOpener = (opening: NewBorrowerOpening) => Promise<boolean>

/** Two concurrent commits keep the disk busy. A larger group would delay its first session too long. */
const groupLimits = { concurrency: 2, maxItems: 16 }

/** An evicted group still completes. The next session starts a new group. */
const groupCache = { name: 'session-groups', maxBytes: 4 << 20, lifetimeMs: 600_000, weigh: () => 2000 }

const groupsOfTenants = perDatabase((_: { db: Db }) => cache<JourneyOpener>(groupCache))

/** Combines concurrent openings of a tenant into one statement and commit, except in a distributed database. */
export function batchedOpener({ db }: { db: Db }, tenantId: string): JourneyOpener {
  if (db.isDistributed) return (opening) => openForOneNewBorrower(db, opening)
  const groups = groupsOfTenants({ db })
  const open =
    groups.get(tenantId) ?? groupCommit((openings: NewBorrowerOpening[]) => openSorted(db, openings), groupLimits)
  groups.set(tenantId, open)
  return open
}

/** Inserts borrowers in the order of their ids, so that concurrent statements cannot deadlock. */
async function openSorted(db: Db, openings: NewBorrowerOpening[]): Promise<boolean[]> {
  const sorted = openings.toSorted((a, b) => (a.borrower.externalId < b.borrower.externalId ? -1 : 1))
  const opened = await openForNewBorrowers(db, sorted)
  return openings.map(({ journey }) => opened.has(journey.journeyId))
}

export function embedUrlOf(
  { config }: Context,
  who: Pick<Integrator, 'tenantId' | 'applicationId'>,
  { externalId, type }: Pick<JourneyRequest, 'externalId' | 'type'>,
  { token, hasApplied }: Pick<SessionOpening, 'token' | 'hasApplied'>,
): string {
  const query = new URLSearchParams({
    tenant_id: who.tenantId,
    application_id: who.applicationId,
    borrower_provider_id: externalId,
    journey_type: type,
    ...(hasApplied && { form: 'sent' }),
  })
  return `${config.PUBLIC_URL}/lab/embed?${query}#token=${token}`
}
