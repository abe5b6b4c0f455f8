// Proves who sent these bytes: the header's claim, the key that the directory holds for it, and the signature (FIS12 §5).
import { checkClaim, type SignatureFault, verifySignature } from '#contract/network/signing.ts'
import type { Run } from '#kit/db/sql.ts'
import { isCurrent, networkDomain, type Participant, type Role } from './participant.ts'
import { findParticipants } from './store.ts'

export interface Claim {
  raw: Buffer
  header: string | string[] | undefined
  at: Date
  /** The sender that the context names; left out where the message has none. */
  sender?: string
  /** The role it must hold. */
  role?: Role
}

export type Sender = { participant: Participant } | { fault: SignatureFault | 'unknown-sender' }

/** Steps 1 to 6. The directory is this program's own table, so a changed key counts at once and none is cached. */
export async function verifySender(db: Run, { raw, header, at, sender, role }: Claim): Promise<Sender> {
  const arrival = { header: typeof header === 'string' ? header : undefined, at, ...(sender && { sender }) }
  const claim = checkClaim(arrival)
  if (!claim.ok) return { fault: claim.fault }
  const { subscriberId, uniqueKeyId } = claim.signature
  const known = await findParticipants(db, {
    subscriberId,
    uniqueKeyId,
    domain: networkDomain,
    ...(role && { type: role }),
  })
  const participant = known.find((each) => isCurrent(each, at))
  if (!participant) return { fault: 'unknown-sender' }
  const decision = verifySignature(raw, participant.signingPublicKey, arrival)
  return decision.ok ? { participant } : { fault: decision.fault }
}
