// POST /registry/v2.0/lookup: the participants of the network, for callers that are participants (FIS12 §6.1).

import { parse, type Static, Type } from '@lendloom/foundation/schema'
import { readJson } from '@lendloom/http/body'
import { answer } from '@lendloom/http/server'
import type { Run } from '@lendloom/postgres/sql'
import { type NetworkDomain, nack } from '@lendloom/wire/network/context'
import { checkClaim, type SignatureFault, verifySignature } from '@lendloom/wire/network/signing'
import { route } from '#sandbox/core/context.ts'
import { findParticipants, isCurrent, type ParticipantRole, type ParticipantRow, participantToWire } from './store.ts'

const Lookup = Type.Object({
  subscriber_id: Type.Optional(Type.String()),
  ukId: Type.Optional(Type.String()),
  domain: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  country: Type.Optional(Type.String()),
  city: Type.Optional(Type.String()),
})

export const lookup = route({
  method: 'POST',
  path: '/registry/v2.0/lookup',
  section: 'FIS12 §6.1',
  summary: 'Finds participants by at least two criteria; the request must be signed',
  accepts: 'raw',
  async handle({ raw, headers, at }, { db }) {
    const sender = await verifySender(db, { raw, header: headers.authorization, at })
    if ('fault' in sender)
      return answer(401, nack({ code: '1020', message: `the authorization is not valid: ${sender.fault}` }))
    const searchCriteria = criteriaOf(parse(Lookup, readJson(raw)))
    if (Object.values(searchCriteria).filter((value) => value !== undefined).length < 2)
      return answer(400, nack({ code: '400', message: 'at least two criteria are required' }))
    return (await findParticipants(db, searchCriteria)).map(participantToWire)
  },
})

const criteriaOf = ({ subscriber_id, ukId, ...rest }: Static<typeof Lookup>) => ({
  ...rest,
  ...(subscriber_id !== undefined && { subscriberId: subscriber_id }),
  ...(ukId !== undefined && { uniqueKeyId: ukId }),
})

interface LookupRequest {
  raw: Buffer
  header: string | string[] | undefined
  at: Date
  /** The sender in the message's context, if there is one. */
  sender?: string
  /** The role that the sender must have, and the domain of its message, in which it must be subscribed. */
  role?: ParticipantRole
  domain?: NetworkDomain
}

type Sender = { participant: ParticipantRow } | { fault: SignatureFault | 'unknown-sender' }

/**
 * Authenticates the sender of these bytes by the header's claim, the key in the directory, and the signature (FIS12 §5,
 * steps 1 to 6). The directory is a table of this program, so a changed key takes effect at once.
 */
export async function verifySender(db: Run, { raw, header, at, sender, role, domain }: LookupRequest): Promise<Sender> {
  const claimInput = { header: typeof header === 'string' ? header : undefined, at, ...(sender && { sender }) }
  const claim = checkClaim(claimInput)
  if (!claim.ok) return { fault: claim.fault }
  const { subscriberId, uniqueKeyId } = claim.signature
  const candidates = await findParticipants(db, {
    subscriberId,
    uniqueKeyId,
    ...(domain && { domain }),
    ...(role && { type: role }),
  })
  const participant = candidates.find((each) => isCurrent(each, at))
  if (!participant) return { fault: 'unknown-sender' }
  const decision = verifySignature(raw, participant.signingPublicKey, claimInput)
  return decision.ok ? { participant } : { fault: decision.fault }
}
