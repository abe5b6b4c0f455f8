// The extra messages, the same in every version. Their shapes follow other published flows, or Beckn 1.1 (FIS12 §25).

import type { FieldError } from '@lendloom/foundation/refusal'
import { markPersonal, NonEmpty, OneOf, parse, Type } from '@lendloom/foundation/schema'
import type { Dialect } from '#wire/network/context.ts'
import { bodyFaultsOf, oneSchemaEach, outgoingFaultsOf } from '#wire/network/message-validators.ts'
import { type MessageRule, present, requiredCode } from '#wire/network/rule-combinators.ts'
import type { ExtraAction } from '#wire/network/sequence.ts'
import { PersonalText } from '#wire/network/v203/schema.ts'
import { type CancelCode, cancelCodes } from '#wire/network/v203/update-and-status.ts'

const Id = Type.String({ minLength: 1, maxLength: 255 })
const Phone = markPersonal(Type.String({ pattern: '^\\+?\\d[\\d ()-]{2,24}$', 'x-says': 'must be a telephone number' }))
const Email = markPersonal(
  Type.String({
    maxLength: 254,
    pattern: '^[A-Za-z0-9.!_+-]{1,64}@[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)+$',
    'x-says': 'must be an email address',
  }),
)
/** A host name, then printable ASCII without quotes, brackets and backslashes. */
const PageUrl = markPersonal(
  Type.String({
    maxLength: 2000,
    pattern: '^https?://[A-Za-z0-9.-]+(?::\\d{1,5})?(?:[/?#][!#-&(-;=?-\\[\\]-~]*)?$',
    'x-says': 'must be the URL of a page',
  }),
)

const CancelMessage = Type.Object({
  order_id: Id,
  cancellation_reason_id: Id,
  descriptor: Type.Object({ name: Type.Optional(Type.String()), code: OneOf([...cancelCodes]) }),
})
const SupportMessage = Type.Object({
  support: Type.Object({ order_id: Id, phone: Type.Optional(PersonalText), email: Type.Optional(PersonalText) }),
})
const OnSupportMessage = Type.Object({
  support: Type.Object({
    order_id: Type.Optional(Id),
    phone: Type.Optional(Phone),
    email: Type.Optional(Email),
    url: Type.Optional(PageUrl),
  }),
})
const TrackMessage = Type.Object({ order_id: Id })
const OnTrackMessage = Type.Object({
  tracking: Type.Object({ id: Type.Optional(Id), url: Type.Optional(PageUrl), status: OneOf(['active', 'inactive']) }),
})
const RatingMessage = Type.Object({
  ratings: NonEmpty(Type.Object({ id: Id, rating_category: Type.String(), value: Type.String() })),
})
const OnRatingMessage = Type.Object({
  feedback_form: Type.Optional(
    Type.Object({
      form: Type.Optional(Type.Object({ url: Type.Optional(PageUrl), mime_type: Type.Optional(Type.String()) })),
      required: Type.Optional(Type.Boolean()),
    }),
  ),
})

export const extraSchemas = {
  cancel: CancelMessage,
  support: SupportMessage,
  track: TrackMessage,
  rating: RatingMessage,
  on_support: OnSupportMessage,
  on_track: OnTrackMessage,
  on_rating: OnRatingMessage,
}

const ratingValues = ['1', '2', '3', '4', '5'] as const

const rules: Record<ExtraAction, MessageRule[]> = {
  cancel: [present('descriptor.name')],
  support: [present('support.phone')],
  track: [],
  rating: [requiredCode('ratings[*].rating_category', ['Order']), requiredCode('ratings[*].value', ratingValues)],
  on_support: [present('support.order_id')],
  on_track: [],
  on_rating: [],
}

export const extraMessageFaults = outgoingFaultsOf<ExtraAction>('FIS12 §25', rules, oneSchemaEach(extraSchemas))

export const extraBodyFaults = (action: ExtraAction, body: unknown, dialect: Dialect): FieldError[] =>
  bodyFaultsOf<ExtraAction>(dialect, oneSchemaEach(extraSchemas))(action, body)

export const rating = (orderId: string, value: number) => ({
  ratings: [{ id: orderId, rating_category: 'Order', value: String(value) }],
})

/** Where the lender helps; a value that it did not state is null. */
export interface SupportContact {
  phone: string | null
  email: string | null
  url: string | null
}

/** Throws `invalid` with the path, as `readOnTrack` does. The order is null if the lender did not repeat it. */
export function readOnSupport(message: unknown): { orderId: string | null; contact: SupportContact } {
  const {
    order_id: orderId = null,
    phone = null,
    email = null,
    url = null,
  } = parse(OnSupportMessage, message, 'message').support
  return { orderId, contact: { phone, email, url } }
}

export function readOnTrack(message: unknown): string | null {
  const { url = null, status } = parse(OnTrackMessage, message, 'message').tracking
  return status === 'active' ? url : null
}

export const readCancel = (message: unknown): { orderId: string; code: CancelCode } => {
  const { order_id: orderId, descriptor } = parse(CancelMessage, message, 'message')
  return { orderId, code: descriptor.code }
}
