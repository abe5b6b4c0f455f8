// The shapes of the four messages of IGM 1.0.0: open on receipt, closed when we check what we send (FIS12 §20, §3.3).
import type { IgmAction } from '#contract/network/igm/actions.ts'
import { Instant, maybe, Text, Url } from '#contract/network/v203/schema.ts'
import { type TSchema, Type } from '#kit/http/schema.ts'

const Contact = Type.Object({ phone: maybe(Text), email: maybe(Text) })
const Person = Type.Object({ name: Text })
const Organization = Type.Object({
  org: Type.Object({ name: Text }),
  contact: maybe(Contact),
  person: maybe(Person),
})

const ComplainantAction = Type.Object({
  complainant_action: Text,
  short_desc: maybe(Type.String()),
  updated_at: Instant,
  updated_by: maybe(Organization),
})

const RespondentAction = Type.Object({
  respondent_action: Text,
  short_desc: maybe(Type.String()),
  updated_at: Instant,
  updated_by: maybe(Organization),
  cascaded_level: maybe(Type.Integer()),
})

const Duration = Type.Object({
  duration: Type.String({ pattern: '^P(?=.)[0-9YMWDTHS.]+$', 'x-says': 'must be an ISO 8601 duration' }),
})

const OrderDetails = Type.Object({
  id: Text,
  state: maybe(Type.String()),
  items: Type.Array(Type.Object({ id: Text, quantity: maybe(Type.Integer()) })),
  fulfillments: maybe(Type.Array(Type.Object({ id: Text, state: maybe(Type.String()) }))),
  provider_id: Text,
  merchant_order_id: maybe(Type.String()),
})

const Description = Type.Object({
  short_desc: Type.String(),
  long_desc: maybe(Type.String()),
  additional_desc: maybe(Type.Object({ url: Url, content_type: maybe(Type.String()) })),
  images: maybe(Type.Array(Url)),
})

/** A close carries only what has changed, so what an opening needs beside it is a matter of the rules. */
export const IssueMessage = Type.Object({
  issue: Type.Object({
    id: Text,
    category: maybe(Text),
    sub_category: maybe(Text),
    complainant_info: maybe(Type.Object({ person: Person, contact: Contact })),
    order_details: maybe(OrderDetails),
    description: maybe(Description),
    source: maybe(Type.Object({ network_participant_id: Text, type: Text })),
    expected_response_time: maybe(Duration),
    expected_resolution_time: maybe(Duration),
    status: Text,
    issue_type: maybe(Text),
    rating: maybe(Text),
    issue_actions: Type.Object({ complainant_actions: Type.Array(ComplainantAction, { minItems: 1 }) }),
    created_at: Instant,
    updated_at: Instant,
  }),
})

const respondentList = Type.Object({ respondent_actions: Type.Array(RespondentAction, { minItems: 1 }) })

export const OnIssueMessage = Type.Object({
  issue: Type.Object({ id: Text, issue_actions: respondentList, created_at: Instant, updated_at: Instant }),
})

const Officer = Type.Object({ person: maybe(Person), contact: maybe(Contact), gro_type: maybe(Type.String()) })

const ResolutionProvider = Type.Object({
  respondent_info: Type.Object({
    type: maybe(Type.String()),
    organization: maybe(Organization),
    resolution_support: maybe(
      Type.Object({
        chat_link: maybe(Type.String()),
        contact: maybe(Contact),
        gros: maybe(Type.Array(Officer)),
      }),
    ),
  }),
})

const Resolution = Type.Object({
  short_desc: Type.String(),
  long_desc: maybe(Type.String()),
  action_triggered: maybe(Type.String()),
  refund_amount: maybe(Type.String()),
})

export const OnIssueStatusMessage = Type.Object({
  issue: Type.Object({
    ...OnIssueMessage.properties.issue.properties,
    resolution_provider: maybe(ResolutionProvider),
    resolution: maybe(Resolution),
  }),
})

export const IssueStatusMessage = Type.Object({ issue_id: Text })

export const igmSchemas = {
  issue: IssueMessage,
  issue_status: IssueStatusMessage,
  on_issue: OnIssueMessage,
  on_issue_status: OnIssueStatusMessage,
} satisfies Record<IgmAction, TSchema>
