// Schemas and codes of IGM 2.0.0, in which every message has the whole complaint (FIS12 §20.1).

import { markPersonal, type Static, type TSchema, Type } from '@lendloom/foundation/schema'
import { Rfc3339 } from '#wire/network/context.ts'
import type { IgmAction } from '#wire/network/igm/actions.ts'
import { knownSubCategories, maxActions } from '#wire/network/igm/codes.ts'
import { Duration, IssueStatusMessage } from '#wire/network/igm/v100/schema.ts'
import { PersonalText, Tags, Text, Url } from '#wire/network/v203/schema.ts'

const Files = Type.Optional(markPersonal(Type.Array(Type.Unknown())))
const Ids = Type.Optional(Type.Array(Text, { maxItems: 50 }))

export const ComplaintActor = Type.Object({
  id: Text,
  type: Text,
  info: Type.Optional(
    Type.Object({
      org: Type.Optional(Type.Object({ name: Text })),
      person: Type.Optional(Type.Object({ name: markPersonal(Text) })),
      contact: Type.Optional(
        Type.Object({ phone: Type.Optional(markPersonal(Text)), email: Type.Optional(markPersonal(Text)) }),
      ),
    }),
  ),
})
export type ComplaintActor = Static<typeof ComplaintActor>

/** An action of either side; `action_by` is the id of an actor. */
export const TrailAction = Type.Object({
  id: Text,
  ref_id: Type.Optional(Text),
  ref_type: Type.Optional(Text),
  descriptor: Type.Object({
    code: Text,
    name: Type.Optional(Type.String()),
    short_desc: Type.Optional(PersonalText),
    images: Files,
    media: Files,
  }),
  updated_at: Rfc3339,
  action_by: Text,
  actor_details: Type.Optional(Type.Object({ name: markPersonal(Type.String()) })),
  tags: Tags,
})
export type TrailAction = Static<typeof TrailAction>

export const ProposedResolution = Type.Object({
  id: Text,
  ref_id: Type.Optional(Text),
  ref_type: Type.Optional(Text),
  descriptor: Type.Object({
    code: Text,
    short_desc: Type.Optional(PersonalText),
    long_desc: Type.Optional(PersonalText),
  }),
  updated_at: Type.Optional(Rfc3339),
  proposed_by: Type.Optional(Text),
  tags: Tags,
})
export type ProposedResolution = Static<typeof ProposedResolution>

const Issue = Type.Object({
  id: Text,
  status: Text,
  level: Text,
  created_at: Rfc3339,
  updated_at: Rfc3339,
  expected_response_time: Type.Optional(Duration),
  expected_resolution_time: Type.Optional(Duration),
  refs: Type.Optional(Type.Array(Type.Object({ ref_id: Text, ref_type: Text, tags: Tags }), { maxItems: 50 })),
  actors: Type.Array(ComplaintActor, { minItems: 1, maxItems: 50 }),
  source_id: Type.Optional(Text),
  complainant_id: Type.Optional(Text),
  respondent_ids: Ids,
  resolver_ids: Ids,
  descriptor: Type.Optional(
    Type.Object({
      code: Text,
      short_desc: PersonalText,
      long_desc: Type.Optional(PersonalText),
      additional_desc: Type.Optional(Type.Object({ url: Url, content_type: Type.Optional(Type.String()) })),
      images: Files,
      media: Files,
    }),
  ),
  last_action_id: Type.Optional(Text),
  actions: Type.Array(TrailAction, { minItems: 1, maxItems: maxActions }),
  resolutions: Type.Optional(Type.Array(ProposedResolution, { maxItems: 50 })),
})

export const ComplaintMessage = Type.Object({
  update_target: Type.Optional(Type.Array(Type.Object({ path: Text, action: Text }), { maxItems: 50 })),
  issue: Issue,
})
export type ComplaintMessage = Static<typeof ComplaintMessage>

export const complaintSchemas = {
  issue: ComplaintMessage,
  issue_status: IssueStatusMessage,
  on_issue: ComplaintMessage,
  on_issue_status: ComplaintMessage,
} satisfies Record<IgmAction, TSchema>

/** What the next message repeats: the actions of both sides in order, and the lender's actors and proposals. */
export interface IssueTrail {
  actions: TrailAction[]
  actors: ComplaintActor[]
  respondentIds: string[]
  resolverIds: string[]
  resolutions: ProposedResolution[]
}

export const emptyTrail: IssueTrail = {
  actions: [],
  actors: [],
  respondentIds: [],
  resolverIds: [],
  resolutions: [],
}

/** The ids of our actors; a lender must not use them for its own. */
export const customerId = 'CUST1'
export const complainantId = 'NP1'
export const isOurs = ({ action_by }: Pick<TrailAction, 'action_by'>): boolean =>
  action_by === customerId || action_by === complainantId

/** The codes of lending complaints, of which 1.0.0 has some. */
export const complaintCodes = [
  ...knownSubCategories,
  'PMT05',
  'PMT06',
  'PMT07',
  'PMT08',
  'PMT09',
  'PTM09',
  'PTM10',
  'ORD04',
  'FLM100',
  'FLM101',
  ...Array.from({ length: 11 }, (_, i) => `FLM${202 + i}`),
]

export const complaintStatuses = ['OPEN', 'PROCESSING', 'RESOLVED', 'CLOSED'] as const
export const levels = ['ISSUE', 'GRIEVANCE'] as const
export const referenceTypes = ['ORDER', 'PROVIDER', 'FULFILLMENT', 'ITEM', 'TRANSACTION'] as const
export const complainantCodes = [
  'OPEN',
  'INFO_PROVIDED',
  'RESOLUTION_ACCEPTED',
  'RESOLUTION_REJECTED',
  'ESCALATED',
  'CLOSED',
] as const
export const respondentCodes = ['PROCESSING', 'INFO_REQUESTED', 'RESOLUTION_PROPOSED', 'RESOLVED'] as const
export const resolutionCodes = ['REFUND', 'REPLACEMENT', 'NO_ACTION', 'COUPON', 'PARENT'] as const
export const respondentTypes = [
  'COUNTERPARTY_NP',
  'COUNTERPARTY_NP_GRO',
  'CASCADED_COUNTERPARTY_NP',
  'CASCADED_COUNTERPARTY_NP_GRO',
] as const

/** Older messages have hyphens. */
export const spelled = (code: string): string => code.trim().toUpperCase().replaceAll(/[-\s]/g, '_')

export const codeAt = ({ descriptor }: TrailAction): string => spelled(descriptor.code)

/** The lender's newest proposal that the complainant has neither accepted nor rejected, nor the lender carried out. */
export function openProposalIn(actions: readonly TrailAction[]): TrailAction | undefined {
  const proposal = actions.findLastIndex((each) => codeAt(each) === 'RESOLUTION_PROPOSED')
  const answers = ['RESOLUTION_ACCEPTED', 'RESOLUTION_REJECTED', 'RESOLVED']
  const isAnswered = actions.slice(proposal + 1).some((each) => answers.includes(codeAt(each)))
  return isAnswered ? undefined : actions[proposal]
}

export function complaintStatusOf(actions: readonly TrailAction[]): (typeof complaintStatuses)[number] {
  const last = actions.at(-1)
  if (last && (codeAt(last) === 'CLOSED' || codeAt(last) === 'RESOLVED'))
    return codeAt(last) === 'CLOSED' ? 'CLOSED' : 'RESOLVED'
  return actions.length < 2 ? 'OPEN' : 'PROCESSING'
}

/** The chosen resolution of a proposal or of its execution: the named one, or the first below the named parent. */
export function resolutionOf(
  resolutions: readonly ProposedResolution[],
  { ref_id }: Pick<TrailAction, 'ref_id'>,
): ProposedResolution | undefined {
  const named = resolutions.find(({ id }) => id === ref_id)
  if (named && named.descriptor.code !== 'PARENT') return named
  const options = resolutions.filter(({ descriptor }) => descriptor.code !== 'PARENT')
  return options.find((option) => named && option.ref_id === named.id) ?? options.at(-1)
}

/** Whether the complainant has accepted a resolution and has not closed the complaint yet. */
export const isClosurePending = (trail: IssueTrail | null | undefined): boolean => {
  const codes = trail?.actions.filter(isOurs).map(codeAt) ?? []
  return codes.includes('RESOLUTION_ACCEPTED') && !codes.includes('CLOSED')
}
