// Schemas and codes of IGM 1.0.0. Unknown keys are faults only in our own messages (FIS12 §20, §3.1, §3.3).

import { markPersonal, type TSchema, Type } from '@lendloom/foundation/schema'
import { Rfc3339 } from '#wire/network/context.ts'
import type { IgmAction } from '#wire/network/igm/actions.ts'
import { maxActions } from '#wire/network/igm/codes.ts'
import { PersonalText, Text, Url } from '#wire/network/v203/schema.ts'

const Contact = Type.Object({ phone: Type.Optional(markPersonal(Text)), email: Type.Optional(markPersonal(Text)) })
const Person = Type.Object({ name: markPersonal(Text) })
const Organization = Type.Object({
  org: Type.Object({ name: Text }),
  contact: Type.Optional(Contact),
  person: Type.Optional(Person),
})

const ComplainantAction = Type.Object({
  complainant_action: Text,
  short_desc: Type.Optional(PersonalText),
  updated_at: Rfc3339,
  updated_by: Type.Optional(Organization),
})

const RespondentAction = Type.Object({
  respondent_action: Text,
  short_desc: Type.Optional(PersonalText),
  updated_at: Rfc3339,
  updated_by: Type.Optional(Organization),
  cascaded_level: Type.Optional(Type.Integer()),
})

export const Duration = Type.Object({
  duration: Type.String({ pattern: '^P(?=.)[0-9YMWDTHS.]+$', 'x-says': 'must be an ISO 8601 duration' }),
})

const OrderDetails = Type.Object({
  id: Text,
  state: Type.Optional(Type.String()),
  items: Type.Array(Type.Object({ id: Text, quantity: Type.Optional(Type.Integer()) })),
  fulfillments: Type.Optional(Type.Array(Type.Object({ id: Text, state: Type.Optional(Type.String()) }))),
  provider_id: Text,
  merchant_order_id: Type.Optional(Type.String()),
})

const Description = Type.Object({
  short_desc: PersonalText,
  long_desc: Type.Optional(PersonalText),
  additional_desc: Type.Optional(Type.Object({ url: Url, content_type: Type.Optional(Type.String()) })),
  images: Type.Optional(Type.Array(Url)),
})

const listSize = { minItems: 1, maxItems: maxActions }

/** Most fields are optional, because a closing message omits them. The rules check other messages. */
export const IssueMessage = Type.Object({
  issue: Type.Object({
    id: Text,
    category: Type.Optional(Text),
    sub_category: Type.Optional(Text),
    complainant_info: Type.Optional(Type.Object({ person: Person, contact: Contact })),
    order_details: Type.Optional(OrderDetails),
    description: Type.Optional(Description),
    source: Type.Optional(Type.Object({ network_participant_id: Text, type: Text })),
    expected_response_time: Type.Optional(Duration),
    expected_resolution_time: Type.Optional(Duration),
    status: Text,
    issue_type: Type.Optional(Text),
    rating: Type.Optional(Text),
    issue_actions: Type.Object({ complainant_actions: Type.Array(ComplainantAction, listSize) }),
    created_at: Rfc3339,
    updated_at: Rfc3339,
  }),
})

const respondentList = Type.Object({ respondent_actions: Type.Array(RespondentAction, listSize) })

export const OnIssueMessage = Type.Object({
  issue: Type.Object({ id: Text, issue_actions: respondentList, created_at: Rfc3339, updated_at: Rfc3339 }),
})

const Officer = Type.Object({
  person: Type.Optional(Person),
  contact: Type.Optional(Contact),
  gro_type: Type.Optional(Type.String()),
})

const ResolutionProvider = Type.Object({
  respondent_info: Type.Object({
    type: Type.Optional(Type.String()),
    organization: Type.Optional(Organization),
    resolution_support: Type.Optional(
      Type.Object({
        chat_link: Type.Optional(PersonalText),
        contact: Type.Optional(Contact),
        gros: Type.Optional(Type.Array(Officer)),
      }),
    ),
  }),
})

const Resolution = Type.Object({
  short_desc: PersonalText,
  long_desc: Type.Optional(PersonalText),
  action_triggered: Type.Optional(Type.String()),
  refund_amount: Type.Optional(Type.String()),
})

export const OnIssueStatusMessage = Type.Object({
  issue: Type.Object({
    ...OnIssueMessage.properties.issue.properties,
    resolution_provider: Type.Optional(ResolutionProvider),
    resolution: Type.Optional(Resolution),
  }),
})

export const IssueStatusMessage = Type.Object({ issue_id: Text })

export const igmSchemas = {
  issue: IssueMessage,
  issue_status: IssueStatusMessage,
  on_issue: OnIssueMessage,
  on_issue_status: OnIssueStatusMessage,
} satisfies Record<IgmAction, TSchema>

/** INFO_PROVIDED appears only in the network's schema. */
export const issueStatuses = ['OPEN', 'CLOSED', 'INFO_PROVIDED'] as const

export const participantTypes = ['INTERFACING-NP', 'TRANSACTION-COUNTERPARTY-NP', 'CASCADED-COUNTERPARTY-NP'] as const

/** The official list misspells INTERFACING without R; both spellings are accepted. */
export const officerTypes = [
  'INTEFACING-NP-GRO',
  'INTERFACING-NP-GRO',
  'TRANSACTION-COUNTERPARTY-NP-GRO',
  'CASCADED-COUNTERPARTY-NP-GRO',
] as const
