// The schemas of dialect 2.3.0 that differ from 2.0.3 (FIS12 §7, §10.3).

import { fieldsOf } from '@lendloom/foundation/record'
import { markPersonal, NonEmpty, type Static, type TSchema, Type } from '@lendloom/foundation/schema'
import { schemasOf } from '#wire/network/message-validators.ts'
import type { Action } from '#wire/network/sequence.ts'
import * as common from '#wire/network/v203/schema.ts'

const { Tags, Text } = common

/** A form field: with a type in a request, with a value in an answer. */
const FieldObject = Type.Object({
  type: Type.Optional(Type.String()),
  value: Type.Optional(Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] })),
  format: Type.Optional(Type.String()),
  validity: Type.Optional(Type.String()),
})
/** A consent handle is a plain string (FIS12 §17.3); some lenders write other fields the same way. */
const Field = markPersonal(
  Type.Unsafe<Static<typeof FieldObject> | string>({ ...FieldObject, type: ['object', 'string'] }),
)
export type Field = Static<typeof Field>

export const XInput = Type.Object({
  head: Type.Optional(
    Type.Object({
      descriptor: Type.Optional(
        Type.Object({ code: Type.Optional(Type.String()), name: Type.Optional(Type.String()) }),
      ),
      headings: Type.Optional(Type.Array(Text)),
    }),
  ),
  form: Type.Optional(
    Type.Object({ ...common.Form.properties, data: Type.Optional(Type.Record(Type.String(), Field)) }),
  ),
  form_response: Type.Optional(Type.Object({ status: Text, submission_id: Type.Optional(Type.String()) })),
  required: Type.Optional(Type.Boolean()),
})

/** In a search, the answer to a consent has a submission id but no status (FIS12 §17.3). */
const SearchXInput = Type.Object({
  ...XInput.properties,
  form_response: Type.Optional(
    Type.Object({ status: Type.Optional(Text), submission_id: Type.Optional(common.PersonalText) }),
  ),
})

const { location_ids: _, ...itemOf203 } = common.Item.properties
export const Item = Type.Object({
  ...itemOf203,
  parent_item_id: Type.Optional(Text),
  fulfillment_ids: Type.Optional(Type.Array(Text)),
  xinput: Type.Optional(XInput),
})
export type Item = Static<typeof Item>

const { agent: __, ...fulfillmentOf203 } = common.Fulfillment.properties
export const Fulfillment = Type.Object({ ...fulfillmentOf203, tags: Tags })

const { virtual_payment_address: ___, ...paramsOf203 } = common.Payment.properties.params.properties
export const Payment = Type.Object({
  ...common.Payment.properties,
  params: Type.Optional(Type.Object(paramsOf203)),
  time: Type.Optional(
    Type.Object({ ...common.Payment.properties.time.properties, duration: Type.Optional(Type.String()) }),
  ),
})
export type Payment = Static<typeof Payment>

const items = NonEmpty(Item)

/** A lender's content of every `on_*` except `on_search`. */
export const Order = Type.Object({
  ...common.Order.properties,
  status: Type.Optional(Text),
  provider: Type.Object({ id: Text, descriptor: Type.Optional(common.Descriptor), tags: Tags }),
  items,
  fulfillments: Type.Optional(Type.Array(Fulfillment)),
  payments: Type.Optional(Type.Array(Payment)),
  /** Only of a drawdown: the order of its credit line (FIS12 §27.5). */
  ref_order_ids: Type.Optional(NonEmpty(Text)),
  tags: Tags,
})
export type Order = Static<typeof Order>

export const SearchMessage = Type.Object({
  intent: Type.Object({
    category: Type.Optional(common.Coded),
    /** Only in a search directed at one lender. */
    provider: Type.Optional(
      Type.Object({
        id: Text,
        items: NonEmpty(Type.Object({ id: Text, xinput: Type.Optional(SearchXInput) })),
      }),
    ),
    payment: Type.Optional(Type.Object({ collected_by: Type.Optional(Text) })),
    tags: Tags,
  }),
})

export const OnSearchMessage = Type.Object({
  catalog: Type.Object({
    descriptor: Type.Optional(Type.Object({ name: Type.Optional(Type.String()) })),
    providers: Type.Array(
      Type.Object({
        id: Text,
        descriptor: Type.Object({ ...common.Descriptor.properties, name: Text }),
        categories: common.OnSearchMessage.properties.catalog.properties.providers.items.properties.categories,
        items: Type.Array(Item),
        fulfillments: Type.Optional(Type.Array(Fulfillment)),
        payments: Type.Optional(Type.Array(Payment)),
        tags: Tags,
      }),
    ),
    tags: Tags,
  }),
})
export type Catalog = Static<typeof OnSearchMessage>['catalog']

export const BuyerMessage = Type.Object({
  order: Type.Object({
    provider: Type.Object({ id: Text }),
    items,
    fulfillments: Type.Optional(Type.Array(Type.Object({ id: Text }))),
    payments: Type.Optional(Type.Array(Payment)),
    tags: Tags,
  }),
})
/** Exactly one: a drawdown is from one credit line. */
const LineOrderIds = Type.Unsafe<[string]>({ type: 'array', items: Text, minItems: 1, maxItems: 1 })

/** A drawdown has no item before the lender has answered (FIS12 §27.5). */
export const DrawdownInitMessage = Type.Object({
  order: Type.Object({
    provider: Type.Object({ id: Text }),
    ref_order_ids: LineOrderIds,
    payments: NonEmpty(Payment),
  }),
})

/** The stops of a drawdown; more than a published one has are no progress that a borrower could read. */
export const DrawdownStops = Type.Array(
  Type.Object({
    id: Type.Optional(Type.String({ maxLength: 60 })),
    parent_stop_id: Type.Optional(Type.String({ maxLength: 60 })),
    type: Type.String({ minLength: 1, maxLength: 60 }),
    instructions: Type.Object({
      name: Type.Optional(Type.String({ maxLength: 200 })),
      short_desc: Type.Optional(Type.String()),
      code: Type.String({ minLength: 1, maxLength: 60 }),
    }),
  }),
  { maxItems: 20 },
)

/** Only of a drawdown does the borrower's agreement stand in a stop (FIS12 §27.5). */
export const DrawdownConfirmMessage = Type.Object({
  order: Type.Object({
    provider: Type.Object({ id: Text }),
    ref_order_ids: LineOrderIds,
    items: NonEmpty(Type.Object({ id: Text, parent_item_id: Type.Optional(Text) })),
    fulfillments: NonEmpty(
      Type.Object({ id: Type.Optional(Text), type: Type.Optional(Type.String()), stops: DrawdownStops }),
    ),
  }),
})
export type DrawdownRequest = Static<typeof DrawdownInitMessage> | Static<typeof DrawdownConfirmMessage>

/** Whether a buyer's `init` or `confirm` is of a drawdown: it refers to another order. */
export const isDrawdownRequest = (message: unknown): message is DrawdownRequest =>
  fieldsOf(fieldsOf(message).order).ref_order_ids !== undefined
export const LenderMessage = Type.Object({ order: Order })
export const PlacedMessage = Type.Object({ order: Type.Object({ ...Order.properties, id: Text }) })

export const { StatusMessage } = common
/** Unofficial: the network publishes no message after disbursal for this product (FIS12 §10.3). */
export const UpdateMessage = Type.Object({
  update_target: Text,
  order: Type.Object({ id: Text, payments: Type.Optional(Type.Array(Payment)) }),
})

export const messageSchemas = schemasOf({
  SearchMessage,
  OnSearchMessage,
  BuyerMessage,
  LenderMessage,
  PlacedMessage,
  StatusMessage,
  UpdateMessage,
})

/** The shape of a message of the action: that of a drawdown's requests follows from what they refer to. */
export function schemaOf(action: Action, message: unknown): TSchema {
  if (action === 'init' && isDrawdownRequest(message)) return DrawdownInitMessage
  if (action === 'confirm' && isDrawdownRequest(message)) return DrawdownConfirmMessage
  return messageSchemas[action]
}
