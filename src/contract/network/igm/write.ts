// Writes a buyer app's grievance messages: open, add, escalate, close, request the status (FIS12 §20).
import { omitUndefined } from '#contract/network/context.ts'
import type { ComplainantActionName, IssueType, Rating } from './schema.ts'

/** A person who acts for a party. `org` is the subscriber id of the party. */
export interface ActingPerson {
  org: string
  name: string
  phone: string
  email: string
}

export interface ComplainantAction {
  action: ComplainantActionName
  text: string
  at: Date
  by: ActingPerson
}

/** The content of an `issue` message. */
export interface IssueDraft {
  issueId: string
  category: string
  subCategory: string
  complainant: { name: string; phone: string; email: string | null }
  order: { id: string; itemId: string; providerId: string; fulfillmentIds: string[] }
  /** At `additionalUrl` the lender reads additions to the complaint. */
  description: { short: string; long: string; additionalUrl: string | null }
  /** The address of the buyer app without scheme, such as `buyer.example/ondc`. */
  participant: string
  /** ISO 8601 durations from `createdAt`. */
  responseTime: string
  resolutionTime: string
  issueType: IssueType
  /** All actions so far, newest last. */
  actions: ComplainantAction[]
  createdAt: Date
  updatedAt: Date
}

export const personOf = ({ org, name, phone, email }: ActingPerson) => ({
  org: { name: `${org}::ONDC:FIS12` },
  contact: { phone, email },
  person: { name },
})

const actionsOf = (actions: ComplainantAction[]) => ({
  complainant_actions: actions.map(({ action, text, at, by }) => ({
    complainant_action: action,
    short_desc: text,
    updated_at: at.toISOString(),
    updated_by: personOf(by),
  })),
})

/** Opens, extends or escalates a grievance. The message always contains the whole grievance. */
export function issue(draft: IssueDraft) {
  const { complainant, order, description, participant } = draft
  return {
    issue: {
      id: draft.issueId,
      category: draft.category,
      sub_category: draft.subCategory,
      complainant_info: {
        person: { name: complainant.name },
        contact: omitUndefined({ phone: complainant.phone, email: complainant.email ?? undefined }),
      },
      order_details: {
        id: order.id,
        items: [{ id: order.itemId, quantity: 1 }],
        ...(order.fulfillmentIds.length > 0 && { fulfillments: order.fulfillmentIds.map((id) => ({ id })) }),
        provider_id: order.providerId,
      },
      description: {
        short_desc: description.short,
        long_desc: description.long,
        ...(description.additionalUrl !== null && {
          additional_desc: { url: description.additionalUrl, content_type: 'text/plain' },
        }),
      },
      source: { network_participant_id: participant, type: 'CONSUMER' },
      expected_response_time: { duration: draft.responseTime },
      expected_resolution_time: { duration: draft.resolutionTime },
      status: 'OPEN',
      issue_type: draft.issueType,
      issue_actions: actionsOf(draft.actions),
      created_at: draft.createdAt.toISOString(),
      updated_at: draft.updatedAt.toISOString(),
    },
  }
}

/** Closes a grievance, with the borrower's rating if there is one. The lender does not answer. */
export const closedIssue = (
  draft: Pick<IssueDraft, 'issueId' | 'actions' | 'createdAt' | 'updatedAt'> & { rating: Rating | null },
) => ({
  issue: {
    id: draft.issueId,
    status: 'CLOSED',
    ...(draft.rating !== null && { rating: draft.rating }),
    issue_actions: actionsOf(draft.actions),
    created_at: draft.createdAt.toISOString(),
    updated_at: draft.updatedAt.toISOString(),
  },
})

export const issueStatus = (issueId: string) => ({ issue_id: issueId })
