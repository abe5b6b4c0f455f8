// Replaces a credential without interruption: for a while both the old and the new credential are valid (D3 §5).
import { randomBytes } from 'node:crypto'
import { secondsAfter } from '@lendloom/foundation/clock'
import { type FieldError, invalid, Refusal } from '@lendloom/foundation/refusal'
import type { RotateRequest } from '@lendloom/wire/console/lending-partners'
import {
  type IncomingCredential,
  incomingAt,
  type OutgoingCredential,
  outgoingAt,
  type Partner,
  type PartnerCredential,
} from './lending-partner.ts'

/** Returns a random credential. `owner` is part of the key id, so that logs show the owner. */
export const newCredential = (owner: string): PartnerCredential => ({
  bearer: newSecret(),
  keyId: `${owner.toLowerCase()}-${randomBytes(4).toString('hex')}`,
  secret: newSecret(),
})

const newSecret = (): string => randomBytes(32).toString('base64url')

/** The partner after the change, and the new credential, which is shown once. */
export interface RotationResult {
  partner: Partner
  outgoing: OutgoingCredential | null
  incoming: IncomingCredential | null
}

/**
 * Rotates a credential. The old incoming credential stays valid for `overlapHours`; a new outgoing credential is used
 * after `overlapHours`, and the old one until then. Without an overlap, the new credential replaces the old one at once.
 * Throws `wrong-state` while a rotation in this direction is running, unless the new one has no overlap.
 */
export function withRotatedCredential(partner: Partner, request: RotateRequest, at: Date): RotationResult {
  return request.direction === 'incoming' ? rotateIncoming(partner, request, at) : rotateOutgoing(partner, request, at)
}

function rotateIncoming(partner: Partner, request: RotateRequest, at: Date): RotationResult {
  const { overlapHours } = request
  const valid = incomingAt(partner, at)
  const newest = valid.at(-1) ?? partner.credentials.incoming.at(-1)
  if (overlapHours > 0 && valid.length > 1)
    throw rotationRunning(
      `the older credential is valid until ${valid[0]?.until ?? 'it is replaced without an overlap'}`,
    )
  const until = secondsAfter(at, overlapHours * 3600).toISOString()
  const incoming = { ...credentialFor(partner.sender, newest, request), until: null }
  const remaining = overlapHours === 0 ? [] : valid.map((each) => ({ ...each, until }))
  return { partner: withCredentials(partner, { incoming: [...remaining, incoming] }), outgoing: null, incoming }
}

function rotateOutgoing(partner: Partner, request: RotateRequest, at: Date): RotationResult {
  const { overlapHours } = request
  const current = outgoingAt(partner, at)
  const next = partner.credentials.outgoing.find(({ from }) => new Date(from) > at)
  if (overlapHours > 0 && next) throw rotationRunning(`the new credential is used from ${next.from}`)
  const from = secondsAfter(at, overlapHours * 3600).toISOString()
  const outgoing = { ...credentialFor(partner.credentials.ourSender, current, request), from }
  const remaining = overlapHours === 0 ? [] : [current]
  return { partner: withCredentials(partner, { outgoing: [...remaining, outgoing] }), outgoing, incoming: null }
}

const rotationRunning = (why: string): Refusal =>
  new Refusal('wrong-state', `a rotation in this direction is already running: ${why}`)

/** Returns a new credential, with the same bearer unless `withBearer`. */
function credentialFor(
  owner: string,
  before: PartnerCredential | undefined,
  { withBearer, given }: Pick<RotateRequest, 'withBearer' | 'given'>,
): PartnerCredential {
  const random = newCredential(owner)
  const bearer = withBearer || !before ? random.bearer : before.bearer
  return given ? { bearer, ...given } : { ...random, bearer }
}

const withCredentials = (partner: Partner, change: Partial<Partner['credentials']>): Partner => ({
  ...partner,
  credentials: { ...partner.credentials, ...change },
})

/**
 * Throws `invalid` for ambiguous credentials: a bearer used in both directions or by two partners, or a key ID with two
 * secrets.
 */
export function requireDistinctCredentials(partner: Partner, others: Partner[]): void {
  const { incoming, outgoing, ourSender } = partner.credentials
  const incomingBearers = new Set(incoming.map(({ bearer }) => bearer))
  const othersCredentials = others.flatMap(({ credentials }) => [...credentials.incoming, ...credentials.outgoing])
  const isIncoming = ({ bearer }: PartnerCredential): boolean => incomingBearers.has(bearer)
  const faults: FieldError[] = []
  if (ourSender.toLowerCase() === partner.sender.toLowerCase())
    faults.push({ path: 'ourSender', message: 'must differ from the sender of the partner' })
  if (outgoing.some(isIncoming))
    faults.push({ path: 'incoming.bearer', message: 'must differ from the platform’s own bearer' })
  if (othersCredentials.some(isIncoming))
    faults.push({ path: 'incoming.bearer', message: 'is in use with another partner' })
  if (hasRepeatedKeyId(incoming)) faults.push({ path: 'incoming.keyId', message: 'names a key that is still valid' })
  if (hasRepeatedKeyId(outgoing)) faults.push({ path: 'outgoing.keyId', message: 'names a key that is still valid' })
  const [first, ...furtherFaults] = faults
  if (first) throw invalid(first, ...furtherFaults)
}

const hasRepeatedKeyId = (credentials: PartnerCredential[]): boolean =>
  new Set(credentials.map(({ keyId }) => keyId)).size < credentials.length
