// POST /sessions: a server opens or resumes the context of a borrower, and hands the borrower's runtime a pair of tokens (D2 §4).

import { enveloped } from '#contract/headless/envelope.ts'
import { Session, SessionRequest } from '#contract/headless/session.ts'
import { canonicalPersonal, refuseAadhaar } from '#contract/hosted/profile.ts'
import { contractOf } from '#contract/product/products.ts'
import { uuidv7 } from '#kit/crypto/id.ts'
import { type FieldError, invalid } from '#kit/http/refusal.ts'
import { answer } from '#kit/http/server.ts'
import { required } from '#kit/runtime/required.ts'
import { needProduct } from '#platform/access/api-key.ts'
import { type BorrowerOfApplication, headlessKey } from '#platform/access/headless/caller.ts'
import { beginFamily, replaySeconds, type TokenPair } from '#platform/access/headless/pair.ts'
import {
  type BorrowerDetails,
  knownBorrower,
  merged,
  mobileDigest,
  prefillContext,
} from '#platform/borrower/borrower.ts'
import { borrowerBucket, keepBorrower, lockById, setPrefill } from '#platform/borrower/store.ts'
import type { TxContext } from '#platform/context.ts'
import { route } from '#platform/context.ts'
import { updateJourney } from '#platform/journey/store.ts'
import { mergePrefill } from '#platform/profile/edit.ts'
import { journeyWire } from './journey-wire.ts'
import { base, onceFor } from './route.ts'
import { findNewestActive, lockUnsent } from './store.ts'

export const createSession = route({
  method: 'POST',
  path: `${base}/sessions`,
  section: 'D2 §4',
  summary: 'Create or resume the context of a borrower',
  auth: headlessKey,
  body: SessionRequest,
  reply: { 201: enveloped(Session) },
  handle(call, ctx) {
    const { who, body, at } = call
    const { tenantId, applicationId, apiVersion } = who
    const person = personOf(body, at)
    const operation = { tenantId, principal: who.keyId, operation: 'POST /sessions', replaySeconds }
    return onceFor(ctx, operation, call, async (tx) => {
      const borrowerId = await borrowerOf({ ...ctx, tx, at }, { tenantId, externalId: body.borrowerExternalID, person })
      const borrower = { tenantId, applicationId, borrowerId }
      await prefill({ ...ctx, tx, at }, borrower, person)
      const pair = await beginFamily(tx, { ...borrower, apiVersion }, at)
      const active = await findNewestActive(tx, borrower, body.journeyType ?? null)
      if (body.journeyType && !active) needProduct(who, body.journeyType)
      const data = {
        borrowerID: borrowerId,
        borrowerExternalID: body.borrowerExternalID,
        ...pairWire(pair),
        activeJourney: active ? journeyWire(active) : null,
      }
      return answer(201, data, noStore)
    })
  },
})

/** A pair of tokens is for one pair of eyes. */
export const noStore = { 'cache-control': 'no-store' }

export const pairWire = ({ sessionToken, refreshToken, sessionExpiresAt, refreshExpiresAt }: TokenPair) => ({
  sessionToken,
  refreshToken,
  sessionExpiresAt: sessionExpiresAt.toISOString(),
  refreshExpiresAt: refreshExpiresAt.toISOString(),
})

function personOf(body: SessionRequest, at: Date): BorrowerDetails {
  refuseAadhaar(body)
  const faults: FieldError[] = []
  const { contactNumber, personalemail, ...rest } = canonicalPersonal(
    body.profile,
    { at, needsPersonPan: body.journeyType !== undefined && contractOf(body.journeyType).needsPersonPan },
    faults,
  )
  const [first, ...more] = faults
  if (first) throw invalid(first, ...more)
  const personal = {
    mobile: contactNumber,
    ...rest,
    ...(personalemail !== undefined && { personalEmail: personalemail }),
  }
  return { personal, work: {}, address: {}, gold: null }
}

/** Finds or makes the borrower, and locks it; the identifier is the one that the hosted API calls borrowerProviderID. */
interface SessionBorrower {
  tenantId: string
  externalId: string
  person: BorrowerDetails
}

async function borrowerOf(
  ctx: TxContext,
  {
    tenantId,
    externalId,
    person: {
      personal: { mobile },
    },
  }: SessionBorrower,
): Promise<string> {
  const { tx, at } = ctx
  const row = {
    tenantId,
    externalId,
    borrowerId: uuidv7(at.getTime(), borrowerBucket(tenantId, externalId)),
    createdAt: at,
  }
  await keepBorrower(tx, { ...row, mobileDigest: mobileDigest(ctx, mobile) })
  const known = await knownBorrower(tx, ctx, { tenantId, externalId, mobile })
  return required(known, 'a borrower who was there or was just made')
}

/** What the server says is kept for the next journey, and merged into one whose profile the borrower has not sent. */
async function prefill(ctx: TxContext, borrower: BorrowerOfApplication, given: BorrowerDetails): Promise<void> {
  const { tx, at } = ctx
  const { tenantId, borrowerId } = borrower
  const context = prefillContext(tenantId, borrowerId)
  const kept = (await lockById(tx, tenantId, borrowerId))?.prefillSealed
  const known = kept ? merged(ctx.seal.openJson<BorrowerDetails>(kept, context), given) : given
  await setPrefill(tx, tenantId, borrowerId, ctx.seal.json(known, context))
  for (const journey of await lockUnsent(tx, borrower))
    if (await mergePrefill(ctx, journey, given)) await updateJourney(tx, journey, {}, at)
}
