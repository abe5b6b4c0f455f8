// Replaces a credential without interruption: both are valid for a while (D3 §5). A secret is shown once.
import { randomBytes } from 'node:crypto'
import type { RotateRequest } from '#contract/console/lending-partners.ts'
import { type FieldError, invalid, Refusal } from '#kit/http/refusal.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import {
  type IncomingCredential,
  incomingAt,
  type OutgoingCredential,
  outgoingAt,
  type Partner,
  type PartnerCredential,
} from './store.ts'

/** Random credentials. `owner` is part of the key's name, so that a log shows whose it is. */
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
 * Rotates a credential. The partner's old one stays valid for `overlapHours` beside the new one; ours is used that long
 * before the new one takes over. Without an overlap only the new one is valid at once. Refused as `wrong-state` while
 * two are valid: the first one must end or be ended.
 */
export function rotated(partner: Partner, request: RotateRequest, at: Date): RotationResult {
  return request.direction === 'incoming'
    ? incomingRotated(partner, request, at)
    : outgoingRotated(partner, request, at)
}

function incomingRotated(partner: Partner, request: RotateRequest, at: Date): RotationResult {
  const { overlapHours } = request
  const good = incomingAt(partner, at)
  const newest = good.at(-1) ?? partner.credentials.incoming.at(-1)
  if (overlapHours > 0 && good.length > 1)
    throw underWay(`the older one is good until ${good[0]?.until ?? 'it is replaced without an overlap'}`)
  const until = secondsAfter(at, overlapHours * 3600).toISOString()
  const incoming = { ...credentialFor(partner.sender, newest, request), until: null }
  const kept = overlapHours === 0 ? [] : good.map((each) => ({ ...each, until }))
  return { partner: withCredentials(partner, { incoming: [...kept, incoming] }), outgoing: null, incoming }
}

function outgoingRotated(partner: Partner, request: RotateRequest, at: Date): RotationResult {
  const { overlapHours } = request
  const current = outgoingAt(partner, at)
  const next = partner.credentials.outgoing.find(({ from }) => new Date(from) > at)
  if (overlapHours > 0 && next) throw underWay(`the new one is used from ${next.from}`)
  const from = secondsAfter(at, overlapHours * 3600).toISOString()
  const outgoing = { ...credentialFor(partner.credentials.ourSender, current, request), from }
  const kept = overlapHours === 0 ? [] : [current]
  return { partner: withCredentials(partner, { outgoing: [...kept, outgoing] }), outgoing, incoming: null }
}

const underWay = (why: string): Refusal =>
  new Refusal('wrong-state', `a credential of this direction is being replaced already: ${why}`)

/** The bearer stays where it is not to be replaced. */
function credentialFor(
  owner: string,
  before: PartnerCredential | undefined,
  { withBearer, given }: Pick<RotateRequest, 'withBearer' | 'given'>,
): PartnerCredential {
  const made = newCredential(owner)
  const bearer = withBearer || !before ? made.bearer : before.bearer
  return given ? { bearer, ...given } : { ...made, bearer }
}

const withCredentials = (partner: Partner, change: Partial<Partner['credentials']>): Partner => ({
  ...partner,
  credentials: { ...partner.credentials, ...change },
})

/**
 * Refuses as `invalid` ambiguous credentials: a bearer used in both directions or by two partners, a key ID with two
 * secrets.
 */
export function requireApart(partner: Partner, others: Partner[]): void {
  const { incoming, outgoing, ourSender } = partner.credentials
  const mine = new Set(incoming.map(({ bearer }) => bearer))
  const theirs = others.flatMap(({ credentials }) => [...credentials.incoming, ...credentials.outgoing])
  const faults: FieldError[] = [
    ...(ourSender.toLowerCase() === partner.sender.toLowerCase()
      ? [{ path: 'ourSender', message: 'must differ from the sender of the partner' }]
      : []),
    ...(outgoing.some(({ bearer }) => mine.has(bearer))
      ? [{ path: 'incoming.bearer', message: 'must differ from what the platform presents' }]
      : []),
    ...(theirs.some(({ bearer }) => mine.has(bearer))
      ? [{ path: 'incoming.bearer', message: 'is in use with another partner' }]
      : []),
    ...[incoming, outgoing].flatMap((each, i) =>
      new Set(each.map(({ keyId }) => keyId)).size < each.length
        ? [{ path: i === 0 ? 'incoming.keyId' : 'outgoing.keyId', message: 'names a key that is still good' }]
        : [],
    ),
  ]
  const [first, ...more] = faults
  if (first) throw invalid(first, ...more)
}
