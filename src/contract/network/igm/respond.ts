// Writes a lender's grievance messages (FIS12 §20).
import { omitUndefined } from '#contract/network/context.ts'
import { type Paise, rupees } from '#kit/money/money.ts'
import type { ResolutionAction, RespondentActionName } from './schema.ts'
import { type ActingPerson, personOf } from './write.ts'

export interface RespondentDraft {
  action: RespondentActionName
  text: string
  at: Date
  by: ActingPerson
  /** 1 for the lender, 2 for the party to which the lender passes the grievance on, and so on. */
  level: number
}

export interface AnswerDraft {
  issueId: string
  /** All actions so far, newest last. */
  actions: RespondentDraft[]
  /** The `created_at` of the buyer app's `issue`, unchanged. */
  createdAt: string
  updatedAt: Date
}

export interface ProviderDraft {
  organization: ActingPerson
  chatLink: string
  support: { phone: string; email: string }
  officer: { name: string; phone: string; email: string }
}

export interface ResolutionDraft {
  short: string
  long: string
  action: ResolutionAction
  /** The amount of a refund. The message itself does not pay the refund. */
  refund: Paise | null
}

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

export const onIssue = (draft: AnswerDraft) => ({ issue: answerOf(draft) })

/** The message always names the party that resolves the grievance, even before the resolution. */
export const onIssueStatus = (
  draft: AnswerDraft & { provider: ProviderDraft; resolution: ResolutionDraft | null },
) => ({
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

const resolutionOf = ({ short, long, action, refund }: ResolutionDraft) =>
  omitUndefined({
    short_desc: short,
    long_desc: long,
    action_triggered: action,
    refund_amount: refund === null ? undefined : rupees(refund),
  })
