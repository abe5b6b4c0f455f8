// Schemas and codes of IGM 1.0.0. Unknown keys are faults only in our own messages (FIS12 §20, §3.1, §3.3).

import { markPersonal, type TSchema, Type } from '@lendloom/foundation/schema'
import { Rfc3339 } from '#wire/network/context.ts'
import type { IgmAction } from '#wire/network/igm/actions.ts'
import { maxActions } from '#wire/network/igm/codes.ts'
import { maybe, PersonalText, Text, Url } from '#wire/network/v203/schema.ts'

const Contact = Type.Object({ phone: maybe(markPersonal(Text)), email: maybe(markPersonal(Text)) })
const Person = Type.Object({ name: markPersonal(Text) })
const Organization = Type.Object({
  org: Type.Object({ name: Text }),
  contact: maybe(Contact),
  person: maybe(Person),
})

const ComplainantAction = Type.Object({
  complainant_action: Text,
  short_desc: maybe(PersonalText),
  updated_at: Rfc3339,
  updated_by: maybe(Organization),
})

const RespondentAction = Type.Object({
  respondent_action: Text,
  short_desc: maybe(PersonalText),
  updated_at: Rfc3339,
  updated_by: maybe(Organization),
  cascaded_level: maybe(Type.Integer()),
})

export const Duration = Type.Object({
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
  short_desc: PersonalText,
  long_desc: maybe(PersonalText),
  additional_desc: maybe(Type.Object({ url: Url, content_type: maybe(Type.String()) })),
  images: maybe(Type.Array(Url)),
})

const listSize = { minItems: 1, maxItems: maxActions }

/** Most fields are optional, because a closing message omits them. The rules check other messages. */
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
    issue_actions: Type.Object({ complainant_actions: Type.Array(ComplainantAction, listSize) }),
    created_at: Rfc3339,
    updated_at: Rfc3339,
  }),
})

const respondentList = Type.Object({ respondent_actions: Type.Array(RespondentAction, listSize) })

export const OnIssueMessage = Type.Object({
  issue: Type.Object({ id: Text, issue_actions: respondentList, created_at: Rfc3339, updated_at: Rfc3339 }),
})

const Officer = Type.Object({ person: maybe(Person), contact: maybe(Contact), gro_type: maybe(Type.String()) })

const ResolutionProvider = Type.Object({
  respondent_info: Type.Object({
    type: maybe(Type.String()),
    organization: maybe(Organization),
    resolution_support: maybe(
      Type.Object({
        chat_link: maybe(PersonalText),
        contact: maybe(Contact),
        gros: maybe(Type.Array(Officer)),
      }),
    ),
  }),
})

const Resolution = Type.Object({
  short_desc: PersonalText,
  long_desc: maybe(PersonalText),
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
