// Schemas of dialect 2.0.3; unknown keys are accepted on receipt and rejected in our own messages (FIS12 §7, §8, §3.3).

import { markPersonal, NonEmpty, type Static, Type } from '@lendloom/foundation/schema'
import { Rfc3339 } from '#wire/network/context.ts'
import { schemasOf } from '#wire/network/judge.ts'
import { Scalar, TagGroup } from '#wire/network/tags.ts'

export const Text = Type.String({ minLength: 1 })
export const Url = markPersonal(Type.String({ pattern: '^https?://\\S+$', 'x-says': 'must be an http(s) URL' }))
export const PersonalText = markPersonal(Type.String())
export const maybe = Type.Optional

export const Tags = maybe(Type.Array(TagGroup))
export const Coded = Type.Object({ descriptor: Type.Object({ code: Text }) })

export const Descriptor = Type.Object({
  code: maybe(Type.String()),
  name: maybe(Type.String()),
  short_desc: maybe(Type.String()),
  long_desc: maybe(Type.String()),
  images: maybe(Type.Array(Type.Object({ url: maybe(PersonalText), size_type: maybe(Type.String()) }))),
})

/** @public with the whole module. */
export const Price = Type.Object({ currency: maybe(Type.String()), value: Scalar })

export const Form = Type.Object({
  id: Text,
  mime_type: maybe(Type.String()),
  url: maybe(Url),
  resubmit: maybe(Type.Boolean()),
  // The official spelling.
  multiple_sumbissions: maybe(Type.Boolean()),
})

export const XInput = Type.Object({
  head: maybe(
    Type.Object({
      descriptor: maybe(Type.Object({ name: maybe(Type.String()) })),
      index: maybe(Type.Object({ min: Type.Integer(), cur: Type.Integer(), max: Type.Integer() })),
      headings: maybe(Type.Array(Text)),
    }),
  ),
  form: maybe(Form),
  form_response: maybe(Type.Object({ status: Text, submission_id: maybe(Type.String()) })),
  required: maybe(Type.Boolean()),
})

/** @public with the whole module. */
export const Location = Type.Object({
  id: Text,
  gps: maybe(PersonalText),
  descriptor: maybe(Type.Object({ name: maybe(Type.String()) })),
  address: maybe(PersonalText),
  area_code: maybe(Type.String()),
})

export const Item = Type.Object({
  id: Text,
  descriptor: maybe(Type.Object({ code: maybe(Type.String()), name: maybe(Type.String()) })),
  price: maybe(Price),
  category_ids: maybe(Type.Array(Text)),
  location_ids: maybe(Type.Array(Text)),
  matched: maybe(Type.Boolean()),
  recommended: maybe(Type.Boolean()),
  tags: Tags,
  xinput: maybe(XInput),
})

export const Provider = Type.Object({
  id: Text,
  descriptor: maybe(Descriptor),
  locations: maybe(Type.Array(Location)),
  tags: Tags,
})

export const Quote = Type.Object({
  id: maybe(Type.String()),
  price: Price,
  breakup: Type.Array(Type.Object({ title: Text, price: Price }), { minItems: 1 }),
  ttl: maybe(Type.String()),
})

/** Read only where it is valid: a visit without a readable time is still a visit. */
export const Stops = Type.Array(
  Type.Object({
    time: maybe(
      Type.Object({
        timestamp: maybe(Rfc3339),
        range: maybe(Type.Object({ start: maybe(Rfc3339), end: maybe(Rfc3339) })),
      }),
    ),
  }),
)

export const Fulfillment = Type.Object({
  type: maybe(Type.String()),
  customer: maybe(
    Type.Object({
      person: maybe(Type.Object({ name: maybe(PersonalText) })),
      contact: maybe(Type.Object({ phone: maybe(PersonalText), email: maybe(PersonalText) })),
    }),
  ),
  agent: maybe(
    Type.Object({
      person: maybe(Type.Object({ name: maybe(PersonalText) })),
      contact: maybe(Type.Object({ phone: maybe(PersonalText) })),
    }),
  ),
  stops: maybe(Type.Unknown()),
  state: maybe(Type.Object({ descriptor: Type.Object({ code: Text, name: maybe(Type.String()) }) })),
})

export const Payment = Type.Object({
  id: maybe(Text),
  type: maybe(Text),
  status: maybe(Text),
  collected_by: maybe(Text),
  url: maybe(Url),
  params: maybe(
    Type.Object({
      amount: maybe(Scalar),
      currency: maybe(Type.String()),
      bank_code: maybe(PersonalText),
      bank_account_number: maybe(PersonalText),
      virtual_payment_address: maybe(PersonalText),
      transaction_id: maybe(PersonalText),
    }),
  ),
  time: maybe(
    Type.Object({
      label: maybe(Text),
      range: maybe(Type.Object({ start: maybe(Rfc3339), end: maybe(Rfc3339) })),
    }),
  ),
  tags: Tags,
})

/** @public with the whole module. */
export const CancellationTerm = Type.Object({
  fulfillment_state: maybe(Coded),
  cancellation_fee: maybe(Type.Object({ percentage: maybe(Scalar) })),
  external_ref: maybe(Type.Object({ mimetype: maybe(Type.String()), url: maybe(Url) })),
})

/** @public with the whole module. */
export const LoanPaper = Type.Object({
  descriptor: maybe(
    Type.Object({
      ...Descriptor.properties,
      name: maybe(PersonalText),
      short_desc: maybe(PersonalText),
      long_desc: maybe(PersonalText),
    }),
  ),
  mime_type: maybe(Type.String()),
  url: maybe(Url),
})

const items = NonEmpty(Item)

/** A lender's content of every `on_*` except `on_search`. */
export const Order = Type.Object({
  id: maybe(Text),
  status: maybe(Text),
  provider: Provider,
  items,
  quote: maybe(Quote),
  fulfillments: maybe(Type.Array(Fulfillment)),
  payments: maybe(Type.Array(Payment)),
  cancellation_terms: maybe(Type.Array(CancellationTerm)),
  documents: maybe(Type.Array(LoanPaper)),
  created_at: maybe(Rfc3339),
  updated_at: maybe(Rfc3339),
})
export type Order = Static<typeof Order>

/** A confirmed order; as of `on_confirm` it has an id. */
const PlacedOrder = Type.Object({ ...Order.properties, id: Text })

const BuyerOrder = Type.Object({
  provider: Type.Object({ id: Text }),
  items,
  payments: maybe(Type.Array(Payment)),
})

const CatalogProvider = Type.Object({
  ...Provider.properties,
  descriptor: Type.Object({ ...Descriptor.properties, name: Text }),
  categories: maybe(
    Type.Array(
      Type.Object({
        id: Text,
        parent_category_id: maybe(Type.String()),
        descriptor: Type.Object({ code: Text, name: maybe(Type.String()) }),
      }),
    ),
  ),
  items: Type.Array(Item),
  payments: maybe(Type.Array(Payment)),
})

export const SearchMessage = Type.Object({
  intent: Type.Object({
    category: Type.Object({ descriptor: Type.Object({ code: Text }) }),
    payment: maybe(Type.Object({ collected_by: maybe(Text), tags: Tags })),
  }),
})

export const OnSearchMessage = Type.Object({
  catalog: Type.Object({
    descriptor: maybe(Type.Object({ name: maybe(Type.String()) })),
    providers: Type.Array(CatalogProvider),
  }),
})

export const BuyerMessage = Type.Object({ order: BuyerOrder })
export const LenderMessage = Type.Object({ order: Order })
/** @public with the whole module. */
export const PlacedMessage = Type.Object({ order: PlacedOrder })

export const StatusMessage = Type.Object({ order_id: maybe(Text), ref_id: maybe(Text) })

export const UpdateMessage = Type.Object({
  update_target: Text,
  order: Type.Object({
    id: Text,
    fulfillments: maybe(Type.Array(Fulfillment)),
    payments: maybe(Type.Array(Payment)),
  }),
})

/** The shape of each action's `message`. */
export const messageSchemas = schemasOf({
  SearchMessage,
  OnSearchMessage,
  BuyerMessage,
  LenderMessage,
  PlacedMessage,
  StatusMessage,
  UpdateMessage,
})
