// Records a lender's action on a complaint, and builds the messages with all its actions (FIS12 §20).

import type { Tx } from '@lendloom/postgres/sql'
import type { IgmCallback } from '@lendloom/wire/network/igm/actions'
import { igmCodecs } from '@lendloom/wire/network/igm/codec'
import type { FaultScenario } from '@lendloom/wire/sandbox/fault-rules'
import type { ReplyContent } from '#sandbox/lender/core/buyer-request.ts'
import { type LenderPolicy, subscriberId } from '#sandbox/lender/core/lender-policies.ts'
import { type AddressDeps, lenderUrl } from '#sandbox/lender/core/message-parts.ts'
import { type GrievanceStep, resolutionOf } from './next-action.ts'
import { type Issue, newestIssueMessage, storeIssue } from './store.ts'

export interface ScenarioIssue {
  issue: Issue
  scenario: FaultScenario | null
}

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

interface Answer {
  issue: Issue
  callback: IgmCallback
}

/** The callback with all actions so far, in the lender's version. */
export async function answerOf(
  tx: Tx,
  deps: AddressDeps,
  policy: LenderPolicy,
  { issue, callback }: Answer,
): Promise<ReplyContent> {
  const { issueId, raisedAt, updatedAt, actions, resolution } = issue
  const by = actorOf(policy)
  const message = igmCodecs[policy.igmVersion].writeAnswer(callback, {
    issueId,
    createdAt: raisedAt,
    updatedAt,
    actions: actions.map(({ action, text, at }) => ({ action, text, at: new Date(at), by, level: 1 })),
    provider: {
      organization: by,
      chatLink: `${lenderUrl(deps, policy)}/help`,
      support: policy.support,
      officer: policy.officer,
    },
    resolution: resolution && { ...resolution, refund: resolution.refund === null ? null : BigInt(resolution.refund) },
    request: await newestIssueMessage(tx, deps.seal, issue),
  })
  return { message }
}

const actorOf = (policy: LenderPolicy) => ({
  org: subscriberId(policy),
  name: policy.officer.name,
  phone: policy.officer.phone,
  email: policy.officer.email,
})
