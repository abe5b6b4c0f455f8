// Writes a lender's grievance messages (FIS12 §20).

import { rupees } from '@lendloom/lending/money'
import { omitUndefined } from '#wire/network/context.ts'
import { type AnswerDraft, personOf } from '#wire/network/igm/complaint.ts'

const answerOf = ({ issueId, actions, createdAt, updatedAt }: AnswerDraft) => ({
  id: issueId,
  issue_actions: {
    respondent_actions: actions.map(({ action, text, at, by, level }) => ({
      respondent_action: action,
      short_desc: text,
      updated_at: at.toISOString(),
      updated_by: personOf(by),
      cascaded_level: level,
    })),
  },
  created_at: createdAt,
  updated_at: updatedAt.toISOString(),
})

export const writeOnIssue = (draft: AnswerDraft) => ({ issue: answerOf(draft) })

/** The message always names the party that resolves the grievance, even before the resolution. */
export const writeOnIssueStatus = (draft: AnswerDraft) => ({
  issue: {
    ...answerOf(draft),
    resolution_provider: {
      respondent_info: {
        type: 'TRANSACTION-COUNTERPARTY-NP',
        organization: personOf(draft.provider.organization),
        resolution_support: {
          chat_link: draft.provider.chatLink,
          contact: draft.provider.support,
          gros: [
            {
              person: { name: draft.provider.officer.name },
              contact: { phone: draft.provider.officer.phone, email: draft.provider.officer.email },
              gro_type: 'TRANSACTION-COUNTERPARTY-NP-GRO',
            },
          ],
        },
      },
    },
    ...(draft.resolution && { resolution: resolutionOf(draft.resolution) }),
  },
})

const resolutionOf = ({ short, long, action, refund }: NonNullable<AnswerDraft['resolution']>) =>
  omitUndefined({
    short_desc: short,
    long_desc: long,
    action_triggered: action,
    refund_amount: refund === null ? undefined : rupees(refund),
  })
