// Schemas of dialect 2.0.3; unknown keys are accepted on receipt and rejected in our own messages (FIS12 §7, §8, §3.3).

import { markPersonal, NonEmpty, type Static, Type } from '@lendloom/foundation/schema'
import { Rfc3339 } from '#wire/network/context.ts'
import { schemasOf } from '#wire/network/message-validators.ts'
import { Scalar, TagGroup } from '#wire/network/tags.ts'

export const Text = Type.String({ minLength: 1 })
export const Url = markPersonal(Type.String({ pattern: '^https?://\\S+$', 'x-says': 'must be an http(s) URL' }))
export const PersonalText = markPersonal(Type.String())

export const Tags = Type.Optional(Type.Array(TagGroup))
export const Coded = Type.Object({ descriptor: Type.Object({ code: Text }) })

export const Descriptor = Type.Object({
  code: Type.Optional(Type.String()),
  name: Type.Optional(Type.String()),
  short_desc: Type.Optional(Type.String()),
  long_desc: Type.Optional(Type.String()),
  images: Type.Optional(
    Type.Array(Type.Object({ url: Type.Optional(PersonalText), size_type: Type.Optional(Type.String()) })),
  ),
})

/** @public with the whole module. */
export const Price = Type.Object({ currency: Type.Optional(Type.String()), value: Scalar })

export const Form = Type.Object({
  id: Text,
  mime_type: Type.Optional(Type.String()),
  url: Type.Optional(Url),
  resubmit: Type.Optional(Type.Boolean()),
  // The official spelling.
  multiple_sumbissions: Type.Optional(Type.Boolean()),
  /** The spelling of lenders with stops (FIS12 §27). */
  multiple_submissions: Type.Optional(Type.Boolean()),
})

export const XInput = Type.Object({
  head: Type.Optional(
    Type.Object({
      descriptor: Type.Optional(Type.Object({ name: Type.Optional(Type.String()) })),
      index: Type.Optional(Type.Object({ min: Type.Integer(), cur: Type.Integer(), max: Type.Integer() })),
      headings: Type.Optional(Type.Array(Text)),
    }),
  ),
  form: Type.Optional(Form),
  form_response: Type.Optional(Type.Object({ status: Text, submission_id: Type.Optional(Type.String()) })),
  required: Type.Optional(Type.Boolean()),
})

/** @public with the whole module. */
export const Location = Type.Object({
  id: Text,
  gps: Type.Optional(PersonalText),
  descriptor: Type.Optional(Type.Object({ name: Type.Optional(Type.String()) })),
  address: Type.Optional(PersonalText),
  area_code: Type.Optional(Type.String()),
})

export const Item = Type.Object({
  id: Text,
  descriptor: Type.Optional(Type.Object({ code: Type.Optional(Type.String()), name: Type.Optional(Type.String()) })),
  price: Type.Optional(Price),
  category_ids: Type.Optional(Type.Array(Text)),
  location_ids: Type.Optional(Type.Array(Text)),
  fulfillment_ids: Type.Optional(Type.Array(Text)),
  matched: Type.Optional(Type.Boolean()),
  recommended: Type.Optional(Type.Boolean()),
  tags: Tags,
  xinput: Type.Optional(XInput),
})

export const Provider = Type.Object({
  id: Text,
  descriptor: Type.Optional(Descriptor),
  locations: Type.Optional(Type.Array(Location)),
  tags: Tags,
})

export const Quote = Type.Object({
  id: Type.Optional(Type.String()),
  price: Price,
  breakup: Type.Array(Type.Object({ title: Text, price: Price }), { minItems: 1 }),
  ttl: Type.Optional(Type.String()),
})

/** Read only where it is valid: a visit without a readable time is still a visit. */
export const Stops = Type.Array(
  Type.Object({
    time: Type.Optional(
      Type.Object({
        timestamp: Type.Optional(Rfc3339),
        range: Type.Optional(Type.Object({ start: Type.Optional(Rfc3339), end: Type.Optional(Rfc3339) })),
      }),
    ),
  }),
)

export const Fulfillment = Type.Object({
  id: Type.Optional(Text),
  type: Type.Optional(Type.String()),
  customer: Type.Optional(
    Type.Object({
      person: Type.Optional(
        Type.Object({
          name: Type.Optional(PersonalText),
          dob: Type.Optional(PersonalText),
          creds: Type.Optional(
            Type.Array(Type.Object({ id: Type.Optional(PersonalText), type: Type.Optional(Type.String()) })),
          ),
        }),
      ),
      contact: Type.Optional(Type.Object({ phone: Type.Optional(PersonalText), email: Type.Optional(PersonalText) })),
    }),
  ),
  agent: Type.Optional(
    Type.Object({
      person: Type.Optional(Type.Object({ name: Type.Optional(PersonalText) })),
      contact: Type.Optional(Type.Object({ phone: Type.Optional(PersonalText) })),
    }),
  ),
  stops: Type.Optional(Type.Unknown()),
  state: Type.Optional(Type.Object({ descriptor: Type.Object({ code: Text, name: Type.Optional(Type.String()) }) })),
})

export const Payment = Type.Object({
  id: Type.Optional(Text),
  type: Type.Optional(Text),
  status: Type.Optional(Text),
  collected_by: Type.Optional(Text),
  url: Type.Optional(Url),
  params: Type.Optional(
    Type.Object({
      amount: Type.Optional(Scalar),
      currency: Type.Optional(Type.String()),
      bank_code: Type.Optional(PersonalText),
      bank_account_number: Type.Optional(PersonalText),
      virtual_payment_address: Type.Optional(PersonalText),
      transaction_id: Type.Optional(PersonalText),
    }),
  ),
  time: Type.Optional(
    Type.Object({
      label: Type.Optional(Text),
      timestamp: Type.Optional(Rfc3339),
      range: Type.Optional(Type.Object({ start: Type.Optional(Rfc3339), end: Type.Optional(Rfc3339) })),
    }),
  ),
  tags: Tags,
})

/** @public with the whole module. */
export const CancellationTerm = Type.Object({
  fulfillment_state: Type.Optional(Coded),
  cancellation_fee: Type.Optional(Type.Object({ percentage: Type.Optional(Scalar) })),
  external_ref: Type.Optional(Type.Object({ mimetype: Type.Optional(Type.String()), url: Type.Optional(Url) })),
})

/** @public with the whole module. */
export const LoanPaper = Type.Object({
  descriptor: Type.Optional(
    Type.Object({
      ...Descriptor.properties,
      name: Type.Optional(PersonalText),
      short_desc: Type.Optional(PersonalText),
      long_desc: Type.Optional(PersonalText),
    }),
  ),
  mime_type: Type.Optional(Type.String()),
  url: Type.Optional(Url),
})

const items = NonEmpty(Item)

/** A lender's content of every `on_*` except `on_search`. */
export const Order = Type.Object({
  id: Type.Optional(Text),
  status: Type.Optional(Text),
  provider: Provider,
  items,
  quote: Type.Optional(Quote),
  fulfillments: Type.Optional(Type.Array(Fulfillment)),
  payments: Type.Optional(Type.Array(Payment)),
  cancellation_terms: Type.Optional(Type.Array(CancellationTerm)),
  documents: Type.Optional(Type.Array(LoanPaper)),
  tags: Tags,
  created_at: Type.Optional(Rfc3339),
  updated_at: Type.Optional(Rfc3339),
})
export type Order = Static<typeof Order>

/** A confirmed order; as of `on_confirm` it has an id. */
const PlacedOrder = Type.Object({ ...Order.properties, id: Text })

const BuyerOrder = Type.Object({
  provider: Type.Object({ id: Text }),
  items,
  fulfillments: Type.Optional(Type.Array(Fulfillment)),
  payments: Type.Optional(Type.Array(Payment)),
  tags: Tags,
})

const CatalogProvider = Type.Object({
  ...Provider.properties,
  descriptor: Type.Object({ ...Descriptor.properties, name: Text }),
  categories: Type.Optional(
    Type.Array(
      Type.Object({
        id: Text,
        parent_category_id: Type.Optional(Type.String()),
        descriptor: Type.Object({ code: Text, name: Type.Optional(Type.String()) }),
      }),
    ),
  ),
  items: Type.Array(Item),
  fulfillments: Type.Optional(Type.Array(Fulfillment)),
  payments: Type.Optional(Type.Array(Payment)),
})

export const SearchMessage = Type.Object({
  intent: Type.Object({
    category: Type.Object({ descriptor: Type.Object({ code: Text }) }),
    payment: Type.Optional(Type.Object({ collected_by: Type.Optional(Text), tags: Tags })),
    tags: Tags,
  }),
})

export const OnSearchMessage = Type.Object({
  catalog: Type.Object({
    descriptor: Type.Optional(Type.Object({ name: Type.Optional(Type.String()) })),
    providers: Type.Array(CatalogProvider),
    tags: Tags,
  }),
})

export const BuyerMessage = Type.Object({ order: BuyerOrder })
export const LenderMessage = Type.Object({ order: Order })
/** @public with the whole module. */
export const PlacedMessage = Type.Object({ order: PlacedOrder })

export const StatusMessage = Type.Object({ order_id: Type.Optional(Text), ref_id: Type.Optional(Text) })

export const UpdateMessage = Type.Object({
  update_target: Text,
  order: Type.Object({
    id: Text,
    fulfillments: Type.Optional(Type.Array(Fulfillment)),
    payments: Type.Optional(Type.Array(Payment)),
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
