// The console's requests and answers about alerts: when a tenant is told that a webhook endpoint fails, whom, and what was told.
import { Id, MaybeText } from '#contract/atoms.ts'
import { mailAddressPattern } from '#contract/identifier.ts'
import { Closed, OneOf, orNull, type Static, Type } from '#kit/http/schema.ts'

const Address = Type.String({
  pattern: mailAddressPattern,
  'x-says': 'must be an e-mail address',
})
const whole = (minimum: number, maximum: number) =>
  Type.Integer({ minimum, maximum, 'x-says': `must be a whole number from ${minimum} to ${maximum}` })

export const AlertSettingsRequest = Closed({
  isOn: Type.Boolean(),
  /** Tries that failed since the last success. */
  failures: whole(1, 1000),
  /** How long an update that was tried may wait. */
  waitingMinutes: whole(1, 10_080),
  /** Null for the admins and developers of the tenant. */
  emails: orNull(Type.Array(Address, { minItems: 1, maxItems: 20, 'x-says': 'must name one address to twenty' })),
  /** Endpoints that are told by a signed event. */
  endpointIds: Type.Array(Id, { maxItems: 20 }),
})
export type AlertSettingsRequest = Static<typeof AlertSettingsRequest>

export const Outage = Closed({
  outageId: Id,
  endpointId: Id,
  /** Null for an endpoint that was removed. */
  url: MaybeText,
  why: OneOf(['FAILURES', 'WAITING', 'DISABLED']),
  failures: Type.Integer(),
  waitingSince: MaybeText,
  lastAnswer: MaybeText,
  beganAt: Type.String(),
  endedAt: MaybeText,
})
export type Outage = Static<typeof Outage>

export const Alerts = Closed({
  settings: AlertSettingsRequest,
  /** The newest fifty. */
  outages: Type.Array(Outage),
})
export type Alerts = Static<typeof Alerts>
