// Writes a buyer app's `issue`: open, add, escalate, close (FIS12 §20).
import { omitUndefined } from '#wire/network/context.ts'
import { type IssueDraft, personOf } from '#wire/network/igm/complaint.ts'

const actionsOf = ({ actions, by }: IssueDraft) => ({
  complainant_actions: actions.map(({ action, text, at }) => ({
    complainant_action: action,
    short_desc: text,
    updated_at: at.toISOString(),
    updated_by: personOf(by),
  })),
})

/** A closing message omits what the complaint is about. The lender does not answer it. */
export const writeIssue = (draft: IssueDraft) => ({
  message: { issue: draft.actions.at(-1)?.action === 'CLOSE' ? closedIssue(draft) : openIssue(draft) },
  trail: null,
})

function openIssue(draft: IssueDraft) {
  const { complainant, order, description, participant } = draft
  return {
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
      ...(draft.additions.length > 0 && {
        additional_desc: { url: description.textUrl, content_type: 'text/plain' },
      }),
    },
    source: { network_participant_id: participant, type: 'CONSUMER' },
    expected_response_time: { duration: draft.responseTime },
    expected_resolution_time: { duration: draft.resolutionTime },
    status: 'OPEN',
    issue_type: draft.issueType,
    issue_actions: actionsOf(draft),
    created_at: draft.createdAt.toISOString(),
    updated_at: draft.updatedAt.toISOString(),
  }
}

const closedIssue = (draft: IssueDraft) => ({
  id: draft.issueId,
  status: 'CLOSED',
  ...(draft.rating !== null && { rating: draft.rating }),
  issue_actions: actionsOf(draft),
  created_at: draft.createdAt.toISOString(),
  updated_at: draft.updatedAt.toISOString(),
})
