// Proves who sent these bytes: the header's claim, the registry's key for it, the signature (FIS12 §5, verification).
import { checkClaim, type SignatureFault, verifySignature } from '#contract/network/signing.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Context } from '#platform/context.ts'
import { findParticipants, type KeyName, type Participant } from './registry.ts'

/**
 * The subscriber id of the lender that signed the raw bytes. Refused as `bad-credential`, with the fault in `details`,
 * when the proof fails; as `upstream` when the registry cannot be asked, so that the sender tries again.
 */
export async function verifySender(ctx: Context, raw: Buffer, header: string | undefined, at: Date): Promise<string> {
  const skewSeconds = ctx.config.NETWORK_CLOCK_SKEW_SECONDS
  const claim = checkClaim({ header, at, skewSeconds })
  if (!claim.ok) throw refused(claim.fault)
  const { subscriberId } = claim.signature
  const signed = { raw, header, at, skewSeconds }
  const fault = await faultOf(ctx, signed, claim.signature)
  // Its key may have been changed since we asked: asked once more, tried once more (step 7).
  const still = fault === null ? null : await faultOf(ctx, signed, claim.signature, true)
  if (still !== null) throw refused(still)
  return subscriberId
}

type Fault = SignatureFault | 'unknown-sender'

/** The bytes, the signature that they came with, and when they came. */
interface Signed {
  raw: Buffer
  header: string | undefined
  at: Date
  skewSeconds: number
}

async function faultOf(ctx: Context, signed: Signed, key: KeyName, fresh = false): Promise<Fault | null> {
  const known = await findParticipants(ctx, key, fresh)
  const lenders = known.filter((each) => isCurrentLender(each, key, signed.at))
  const results = lenders.map(({ signing_public_key }) => verified(signed, signing_public_key))
  return results.includes(null) ? null : (results[0] ?? 'unknown-sender')
}

function verified({ raw, ...arrival }: Signed, publicKey: string): Fault | null {
  try {
    const result = verifySignature(raw, publicKey, arrival)
    return result.ok ? null : result.fault
  } catch {
    // The registry's text is no key at all.
    return 'bad-signature'
  }
}

/** Step 5: of this very name, a lender of this domain, subscribed, and within the life of its key. */
const isCurrentLender = (each: Participant, { subscriberId, uniqueKeyId }: KeyName, at: Date): boolean =>
  each.subscriber_id === subscriberId &&
  each.ukId === uniqueKeyId &&
  each.type === 'BPP' &&
  each.status === 'SUBSCRIBED' &&
  (each.domain === undefined || each.domain === 'ONDC:FIS12') &&
  new Date(each.valid_from) <= at &&
  at < new Date(each.valid_until)

const refused = (fault: Fault): Refusal =>
  new Refusal('bad-credential', `the signature is not valid: ${fault}`, { fault })
