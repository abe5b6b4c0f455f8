// API schemas of webhook endpoints and deliveries. D1 §6.7 does not define these schemas.

import { Closed, Nullable, OneOf, type Static, Type } from '@lendloom/foundation/schema'
import { Id, Instant, Text } from '#wire/basic-schemas.ts'
import { Page, pageQuery } from '#wire/headless/paging.ts'
import { deliveryStates } from '#wire/webhook/delivery-state.ts'
import { accessFields, shownAccessFields } from './endpoint-access.ts'
import { LifecycleStatus } from './lifecycle.ts'
import { LoanEventType } from './loan-event.ts'

/** The events of loans to deliver, beside the lifecycle updates; null for none, which is the default. */
const loanEvents = Type.Optional(Nullable(Type.Array(LoanEventType, { minItems: 1, uniqueItems: true })))

export const WebhookEndpointRequest = Closed({
  url: Type.String({ minLength: 1, maxLength: 2000, 'x-says': 'must be an https URL of at most 2000 characters' }),
  /** The lifecycle statuses to deliver; all by default. */
  statuses: Type.Optional(Type.Array(LifecycleStatus, { minItems: 1, uniqueItems: true })),
  loanEvents,
  ...accessFields,
})
export type WebhookEndpointRequest = Static<typeof WebhookEndpointRequest>

/** What is left out stays; null for `statuses` delivers all. */
export const WebhookEndpointChange = Closed({
  url: Type.Optional(WebhookEndpointRequest.properties.url),
  statuses: Type.Optional(Nullable(Type.Array(LifecycleStatus, { minItems: 1, uniqueItems: true }))),
  loanEvents,
  ...accessFields,
})
export type WebhookEndpointChange = Static<typeof WebhookEndpointChange>

const endpointFields = {
  id: Text,
  url: Text,
  statuses: Nullable(Type.Array(LifecycleStatus)),
  createdAt: Instant,
  /** The time of a 410 response, after which the endpoint receives no updates. */
  disabledAt: Nullable(Instant),
  disabledBecause: Nullable(Text),
  loanEvents: Nullable(Type.Array(LoanEventType)),
  ...shownAccessFields,
}
export const WebhookEndpoint = Closed(endpointFields)
export type WebhookEndpoint = Static<typeof WebhookEndpoint>

/** The only response that contains the secret, `whsec_…`. */
export const WebhookEndpointCreated = Closed({ ...endpointFields, secret: Text })

export const WebhookSecretRotated = Closed({ id: Text, secret: Text, oldSecretValidUntil: Instant })

export const WebhookDelivery = Closed({
  id: Text,
  /** Null if the update goes to the `callbackUrl` of the journey. */
  endpointID: Nullable(Text),
  /** The `webhook-id` header, the same in every attempt. */
  webhookID: Text,
  journeyID: Text,
  sequence: Type.Integer(),
  status: LifecycleStatus,
  state: OneOf(deliveryStates),
  attempts: Type.Integer(),
  /** The status code of the last attempt, or why the attempt got no response. */
  lastAnswer: Nullable(Text),
  lastAttemptAt: Nullable(Instant),
  nextAttemptAt: Nullable(Instant),
  deliveredAt: Nullable(Instant),
  createdAt: Instant,
})
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const PageQuery = Closed(pageQuery)
export type PageQuery = Static<typeof PageQuery>

export const WebhookDeliveryQuery = Closed({
  ...pageQuery,
  journeyID: Type.Optional(Id),
  endpointID: Type.Optional(Id),
  status: Type.Optional(LifecycleStatus),
  state: Type.Optional(WebhookDelivery.properties.state),
  missing: Type.Optional(OneOf(['true'])),
})

export const WebhookEndpointList = Closed({ data: Closed({ items: Type.Array(WebhookEndpoint), page: Page }) })
export const WebhookDeliveryList = Closed({ data: Closed({ items: Type.Array(WebhookDelivery), page: Page }) })

/** A delivery of an event of a loan, as `WebhookDelivery` is one of a lifecycle update. */
const { status: _status, ...ofBoth } = WebhookDelivery.properties
export const LoanEventDelivery = Closed({ ...ofBoth, type: LoanEventType })
export type LoanEventDelivery = Static<typeof LoanEventDelivery>

const { status: _listed, ...listedBy } = WebhookDeliveryQuery.properties
export const LoanEventDeliveryQuery = Closed({ ...listedBy, type: Type.Optional(LoanEventType) })
export const LoanEventDeliveryList = Closed({ data: Closed({ items: Type.Array(LoanEventDelivery), page: Page }) })

export const ById = Closed({ id: Text })
