// A client begins a verification: the same request under its reference again is the one it began.

import { uuidv7 } from '#kit/crypto/id.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { required } from '#kit/runtime/record.ts'
import { requestDigest } from '#sandbox/core/secret-link.ts'
import { awaitNext } from './move.ts'
import { providers } from './providers.ts'
import { keepVerification, uploadOf, verificationUnder } from './store.ts'
import {
  fileIdOf,
  type ProviderVerification,
  pageSecondsOf,
  scenarioFor,
  type VerificationKind,
  type VerificationRequest,
} from './verification.ts'
import type { VerificationContext } from './verification-settings.ts'

/** Refused: `reused-key` another request has the reference · `invalid` a file that was not handed in. */
export async function begin(
  ctx: VerificationContext,
  kind: VerificationKind,
  body: VerificationRequest,
  at: Date,
): Promise<{ verification: ProviderVerification; isNew: boolean }> {
  const { db, seal } = ctx
  const request = await withUpload(ctx, body)
  const contentDigest = requestDigest(seal, request, `verification ${kind}`)
  const scenario = scenarioFor(request.person.pan)
  const fresh: ProviderVerification = {
    verificationId: uuidv7(at.getTime()),
    kind,
    clientReference: request.client_reference,
    request,
    state: providers[kind].initial,
    reasonCode: null,
    facts: {},
    attempt: 0,
    scenario,
    pageExpiresAt: secondsAfter(at, pageSecondsOf(kind, request, scenario)),
    createdAt: at,
    updatedAt: at,
  }
  const isNew = await db.tx(async (tx) => {
    const free = await keepVerification(tx, seal, fresh, contentDigest)
    if (free) await awaitNext(tx, ctx, fresh, at)
    return free
  })
  if (isNew) return { verification: fresh, isNew }
  const known = required(await verificationUnder(db, seal, kind, request.client_reference), 'what has the reference')
  if (!known.contentDigest.equals(contentDigest))
    throw new Refusal('reused-key', 'another request has this client_reference')
  return { verification: known.verification, isNew }
}

/** A document to sign is identified by its bytes, not by its upload name. */
async function withUpload({ db, seal }: VerificationContext, body: VerificationRequest): Promise<VerificationRequest> {
  const fileId = fileIdOf(body)
  if (fileId === null) return body
  const upload = await uploadOf(db, seal, fileId)
  if (!upload) throw invalid({ path: 'file_id', message: 'was not handed in' })
  const known = { ...body, file_sha256: upload.sha256 }
  return known
}
