// Starts a verification for a client; idempotent by client reference.

import { secondsAfter } from '@lendloom/foundation/clock'
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { required } from '@lendloom/foundation/required'
import { uuidv7 } from '@lendloom/seal/id'
import { requestDigest } from '#sandbox/core/request-digest.ts'
import { scenarioFor } from './fault-rules.ts'
import { scheduleNext } from './move-verification.ts'
import {
  fileIdOf,
  type ProviderVerification,
  pageSecondsOf,
  type VerificationKind,
  type VerificationRequest,
} from './provider.ts'
import { providers } from './providers.ts'
import { storeVerification, uploadOf, verificationByReference } from './store.ts'
import type { VerificationContext } from './verification-settings.ts'

/** Throws `reused-key` when another request has the reference, or `invalid` when the named file was not uploaded. */
export async function begin(
  ctx: VerificationContext,
  kind: VerificationKind,
  body: VerificationRequest,
  at: Date,
): Promise<{ verification: ProviderVerification; isNew: boolean }> {
  const { db, seal } = ctx
  const request = await withFileDigest(ctx, body)
  const contentDigest = requestDigest(seal, request, `verification ${kind}`)
  const scenario = scenarioFor(request.person.pan)
  const newVerification: ProviderVerification = {
    verificationId: uuidv7(at.getTime()),
    kind,
    clientReference: request.client_reference,
    request,
    state: providers[kind].initialState,
    reasonCode: null,
    facts: {},
    attempt: 0,
    scenario,
    pageExpiresAt: secondsAfter(at, pageSecondsOf(kind, request, scenario)),
    createdAt: at,
    updatedAt: at,
  }
  const isNew = await db.tx(async (tx) => {
    const isStored = await storeVerification(tx, seal, newVerification, contentDigest)
    if (isStored) await scheduleNext(tx, ctx, newVerification, at)
    return isStored
  })
  if (scenario === 'reference-taken') throw referenceTaken()
  if (isNew) return { verification: newVerification, isNew }
  const stored = required(
    await verificationByReference(db, seal, kind, request.client_reference),
    'verification with the reference',
  )
  if (!stored.contentDigest.equals(contentDigest)) throw referenceTaken()
  return { verification: stored.verification, isNew }
}

const referenceTaken = () => new Refusal('reused-key', 'another request has this client_reference')

/** Adds the digest of the document to sign, because a repeated request may have a new upload id. */
async function withFileDigest(
  { db, seal }: VerificationContext,
  body: VerificationRequest,
): Promise<VerificationRequest> {
  const fileId = fileIdOf(body)
  if (fileId === null) return body
  const upload = await uploadOf(db, seal, fileId)
  if (!upload) throw invalid({ path: 'file_id', message: 'was not uploaded' })
  const withDigest = { ...body, file_sha256: upload.sha256 }
  return withDigest
}
