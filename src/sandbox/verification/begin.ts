// A client begins a verification: the same request under its reference again is the one it began.
import { secondsAfter } from '#kit/clock.ts'
import { uuidv7 } from '#kit/id.ts'
import { invalid, Refusal } from '#kit/refusal.ts'
import { requestDigest } from '#sandbox/same-request.ts'
import type { EsignAsked } from './esign.ts'
import type { VerificationWorld } from './manner.ts'
import { awaitNext } from './move.ts'
import { providers } from './providers.ts'
import { twistFor } from './rules.ts'
import { keepVerification, uploadOf, verificationUnder } from './store.ts'
import { type AskedBody, type Kind, pageSecondsOf, type Verification } from './verification.ts'

/** Refused: `reused-key` another request has the reference · `invalid` a file that was not handed in. */
export async function begin(
  world: VerificationWorld,
  kind: Kind,
  body: AskedBody,
  at: Date,
): Promise<{ verification: Verification; isNew: boolean }> {
  const { db, seal } = world
  const asked = await withUpload(world, body)
  const askedDigest = requestDigest(seal, asked, `verification ${kind}`)
  const twist = twistFor(asked.person.pan)
  const fresh: Verification = {
    verificationId: uuidv7(at.getTime()),
    kind,
    clientReference: asked.client_reference,
    asked,
    state: providers[kind].initial,
    reasonCode: null,
    facts: {},
    attempt: 0,
    twist,
    pageExpiresAt: secondsAfter(at, pageSecondsOf(kind, asked, twist)),
    createdAt: at,
    updatedAt: at,
  }
  const isNew = await db.tx(async (tx) => {
    const free = await keepVerification(tx, seal, fresh, askedDigest)
    if (free) await awaitNext(tx, world, fresh, at)
    return free
  })
  if (isNew) return { verification: fresh, isNew }
  const known = (await verificationUnder(db, seal, kind, asked.client_reference))!
  if (!known.askedDigest.equals(askedDigest))
    throw new Refusal('reused-key', 'another request has this client_reference')
  return { verification: known.verification, isNew }
}

/** What is to be signed is known by its bytes, not by the name that it got when it was handed in. */
async function withUpload({ db, seal }: VerificationWorld, body: AskedBody): Promise<AskedBody> {
  if (!('file_id' in body)) return body
  const upload = await uploadOf(db, seal, (body as EsignAsked).file_id)
  if (!upload) throw invalid({ path: 'file_id', message: 'was not handed in' })
  return { ...body, file_sha256: upload.sha256 } as AskedBody
}
