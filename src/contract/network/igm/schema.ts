// Schemas and codes of IGM 1.0.0. Unknown keys are faults only in our own messages (FIS12 §20, §3.1, §3.3).
import { dialectIn, Rfc3339 } from '#contract/network/context.ts'
import type { IgmAction } from '#contract/network/igm/actions.ts'
import { bodyFaultsOf } from '#contract/network/judge.ts'
import { maybe, PersonalText, Text, Url } from '#contract/network/v203/schema.ts'
import type { FieldError } from '#kit/http/refusal.ts'
import { markPersonal, type TSchema, Type } from '#kit/http/schema.ts'
import { fieldsOf } from '#kit/runtime/record.ts'

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
  short_desc: PersonalText,
  long_desc: maybe(PersonalText),
  additional_desc: maybe(Type.Object({ url: Url, content_type: maybe(Type.String()) })),
  images: maybe(Type.Array(Url)),
})

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
    issue_actions: Type.Object({ complainant_actions: Type.Array(ComplainantAction, { minItems: 1 }) }),
    created_at: Rfc3339,
    updated_at: Rfc3339,
  }),
})

const respondentList = Type.Object({ respondent_actions: Type.Array(RespondentAction, { minItems: 1 }) })

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

/** The categories that both official lists contain (FIS12 §20). We configure what each sub-category means for loans. */
export const categories = ['ORDER', 'PAYMENT', 'FULFILLMENT'] as const
export const subCategories = [
  ...['ORD01', 'ORD02', 'ORD03'],
  ...['PMT01', 'PMT02', 'PMT03', 'PMT04'],
  ...['FLM01', 'FLM02'],
] as const

/** The categories that we accept in received messages. */
export const knownCategories = [...categories, 'ITEM', 'AGENT'] as const
export const knownSubCategories = [
  ...subCategories,
  ...['ITM01', 'ITM02', 'ITM03', 'ITM04'],
  ...['FLM03', 'FLM04', 'FLM05', 'FLM06', 'FLM07', 'FLM201'],
  ...['AGT01', 'AGT02'],
] as const

export const issueTypes = ['ISSUE', 'GRIEVANCE', 'DISPUTE'] as const
export type IssueType = (typeof issueTypes)[number]

/** INFO_PROVIDED appears only in the network's schema. */
export const issueStatuses = ['OPEN', 'CLOSED', 'INFO_PROVIDED'] as const

export const complainantActions = ['OPEN', 'ESCALATE', 'CLOSE'] as const
export type ComplainantActionName = (typeof complainantActions)[number]

export const respondentActions = ['PROCESSING', 'CASCADED', 'NEED-MORE-INFO', 'RESOLVED'] as const
export type RespondentActionName = (typeof respondentActions)[number]

export const resolutionActions = [
  'REFUND',
  'REPLACEMENT',
  'CANCEL',
  'NO-ACTION',
  'RECONCILED',
  'NOT-RECONCILED',
] as const
export type ResolutionAction = (typeof resolutionActions)[number]

export const ratings = ['THUMBS-UP', 'THUMBS-DOWN'] as const
export type Rating = (typeof ratings)[number]

export const participantTypes = ['INTERFACING-NP', 'TRANSACTION-COUNTERPARTY-NP', 'CASCADED-COUNTERPARTY-NP'] as const

/** The official list misspells INTERFACING without R; both spellings are accepted. */
export const officerTypes = [
  'INTEFACING-NP-GRO',
  'INTERFACING-NP-GRO',
  'TRANSACTION-COUNTERPARTY-NP-GRO',
  'CASCADED-COUNTERPARTY-NP-GRO',
] as const

/** Finds a code. Official lists and examples differ in hyphens and underscores (`NEED_MORE_INFO`, `THUMBS_UP`). */
export const knownCode = <Code extends string>(codes: readonly Code[], text: string): Code | null => {
  const normalized = text.trim().toUpperCase().replaceAll(/[_\s]/g, '-')
  return codes.find((code) => code.replaceAll('_', '-') === normalized) ?? null
}

/** All accepted spellings of the codes, for the rules. */
export const spellings = (codes: readonly string[]): string[] => [
  ...new Set(codes.flatMap((code) => [code, code.replaceAll('-', '_')])),
]

/** Returns why a received body gets a NACK; empty if it may be stored. A newer IGM format gets only its own error. */
export function igmBodyFaults(action: IgmAction, body: unknown): FieldError[] {
  const dialect = dialectIn(body)
  const found = bodyFaultsOf(dialect === '2.3.0' ? '2.0.3' : dialect, igmSchemas)(action, body)
  return found.length > 0 && isNewerFormat(body) ? [newerFormatFault] : found
}

const newerFormatFault: FieldError = {
  path: 'message.issue.actions',
  message: 'belongs to a newer IGM; only 1.0.0 with issue_actions is supported',
}

function isNewerFormat(body: unknown): boolean {
  const issue = fieldsOf(fieldsOf(fieldsOf(body).message).issue)
  return 'actions' in issue && !('issue_actions' in issue)
}
