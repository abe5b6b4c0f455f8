// Records a lender's action on a complaint, and builds the messages with all its actions (FIS12 §20).
import { onIssue, onIssueStatus, type RespondentDraft } from '#contract/network/igm/respond.ts'
import type { FaultScenario } from '#contract/sandbox/fault-rules.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { ReplyContent } from '#sandbox/lender/core/buyer-request.ts'
import { type AddressDeps, lenderUrl } from '#sandbox/lender/core/order.ts'
import { type LenderPolicy, subscriberId } from '#sandbox/lender/core/policy.ts'
import { type GrievanceStep, type Issue, resolutionOf, storeIssue } from './store.ts'

/** A complaint and its fault rule. */
export interface ScenarioIssue {
  issue: Issue
  scenario: FaultScenario | null
}

/** Returns the updated complaint. */
export async function takeStep(
  tx: Tx,
  { issue: before, scenario }: ScenarioIssue,
  step: GrievanceStep,
  at: Date,
): Promise<Issue> {
  const { action, text } = step
  const issue = {
    ...before,
    actions: [...before.actions, { action, text, at: at.toISOString() }],
    resolution: action === 'RESOLVED' ? resolutionOf(before, scenario) : before.resolution,
    updatedAt: at,
  }
  await storeIssue(tx, issue)
  return issue
}

export const onIssueOf = (policy: LenderPolicy, issue: Issue): ReplyContent => ({
  message: onIssue(answerOf(policy, issue)),
})

export function onIssueStatusOf(deps: AddressDeps, policy: LenderPolicy, issue: Issue): ReplyContent {
  const { officer, support } = policy
  const { resolution } = issue
  return {
    message: onIssueStatus({
      ...answerOf(policy, issue),
      provider: {
        organization: actorOf(policy),
        chatLink: `${lenderUrl(deps, policy)}/help`,
        support,
        officer,
      },
      resolution: resolution && {
        ...resolution,
        refund: resolution.refund === null ? null : BigInt(resolution.refund),
      },
    }),
  }
}

const actorOf = (policy: LenderPolicy) => ({
  org: subscriberId(policy),
  name: policy.officer.name,
  phone: policy.officer.phone,
  email: policy.officer.email,
})

const answerOf = (policy: LenderPolicy, { issueId, raisedAt, updatedAt, actions }: Issue) => ({
  issueId,
  createdAt: raisedAt,
  updatedAt,
  actions: actions.map(
    ({ action, text, at }): RespondentDraft => ({ action, text, at: new Date(at), by: actorOf(policy), level: 1 }),
  ),
})
