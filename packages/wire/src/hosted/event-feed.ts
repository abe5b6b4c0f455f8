// The feed of lifecycle updates, for receivers that ask for them (D1 §6).

import { Closed, type Static, Type } from '@lendloom/foundation/schema'
import { Instant, Text } from '#wire/basic-schemas.ts'
import { pageQuery } from '#wire/headless/paging.ts'
import { LifecycleStatus, LifecycleUpdate } from './lifecycle.ts'

/** `after` is the `next` of an earlier answer, which the receiver keeps. */
export const EventQuery = Closed({
  limit: pageQuery.limit,
  after: Type.Optional(Type.String({ minLength: 1, maxLength: 200, pattern: '^[A-Za-z0-9_-]+$' })),
})

export const FeedEvent = Closed({
  /** The `webhook-id` that every endpoint receives with this update. */
  id: Text,
  /** The version of the payload, as the header `lendloom-event-version` has it. */
  version: Text,
  journeyID: Text,
  /** The position among the updates of the journey, from 1. */
  sequence: Type.Integer(),
  status: LifecycleStatus,
  createdAt: Instant,
  /** The body that every endpoint receives. */
  payload: LifecycleUpdate,
})
export type FeedEvent = Static<typeof FeedEvent>

/** `next` is the place after the last update: keep it, and send it as `after`. */
export const EventList = Closed({
  data: Closed({ items: Type.Array(FeedEvent), next: Text, hasMore: Type.Boolean() }),
})
