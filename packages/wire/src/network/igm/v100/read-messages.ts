// Parses received grievance messages. Accepts all official spellings of codes (FIS12 §20).

import { invalid } from '@lendloom/foundation/refusal'
import { parse, type Static } from '@lendloom/foundation/schema'
import { moneyOf } from '@lendloom/lending/money'
import type { IgmCallback } from '#wire/network/igm/actions.ts'
import {
  complainantActions,
  issueTypes,
  knownCode,
  ratings,
  resolutionActions,
  respondentActions,
} from '#wire/network/igm/codes.ts'
import type { IssueResolution, ParsedIssue, ResolutionProvider, RespondentAnswer } from '#wire/network/igm/complaint.ts'
import { IssueMessage, OnIssueMessage, OnIssueStatusMessage } from './schema.ts'

/** Parses the message. Throws `invalid` with the path of the fault. */
export function readRespondent(callback: IgmCallback, message: unknown): RespondentAnswer {
  const { issue }: Static<typeof OnIssueStatusMessage> =
    callback === 'on_issue'
      ? parse(OnIssueMessage, message, 'message')
      : parse(OnIssueStatusMessage, message, 'message')
  const { resolution_provider: provider, resolution } = issue
  return {
    issueId: issue.id,
    actions: issue.issue_actions.respondent_actions.map((each, i) => ({
      action: requireKnown(respondentActions, each.respondent_action, `respondent_actions.${i}.respondent_action`),
      at: new Date(each.updated_at),
      text: each.short_desc?.trim() || null,
      person: each.updated_by?.person?.name ?? null,
      level: each.cascaded_level ?? null,
    })),
    createdAt: new Date(issue.created_at),
    updatedAt: new Date(issue.updated_at),
    provider: provider ? providerIn(provider) : null,
    resolution: resolution ? resolutionIn(resolution) : null,
    trail: null,
  }
}

function requireKnown<Code extends string>(codes: readonly Code[], text: string, path: string): Code {
  const code = knownCode(codes, text)
  if (code !== null) return code
  throw invalid({ path: `message.issue.issue_actions.${path}`, message: `must be one of ${codes.join(', ')}` })
}

type IssueStatus = Static<typeof OnIssueStatusMessage>['issue']

function providerIn({ respondent_info: info }: NonNullable<IssueStatus['resolution_provider']>): ResolutionProvider {
  const { organization, resolution_support: support } = info
  return {
    organization: organization?.org.name ?? null,
    person: organization?.person?.name ?? null,
    phone: support?.contact?.phone ?? organization?.contact?.phone ?? null,
    email: support?.contact?.email ?? organization?.contact?.email ?? null,
    chatLink: support?.chat_link ?? null,
    officers: (support?.gros ?? []).map(({ person, contact }) => ({
      name: person?.name ?? null,
      phone: contact?.phone ?? null,
      email: contact?.email ?? null,
    })),
  }
}

function resolutionIn(resolution: NonNullable<IssueStatus['resolution']>): IssueResolution {
  const refund = resolution.refund_amount === undefined ? null : moneyOf(resolution.refund_amount)
  return {
    text: resolution.short_desc,
    detail: resolution.long_desc?.trim() || null,
    action: knownCode(resolutionActions, resolution.action_triggered ?? ''),
    refund: refund !== null && refund > 0n ? refund : null,
  }
}

/** Parses the message. Throws `invalid` with the path of the fault. */
export function readIssue(message: unknown): ParsedIssue {
  const { issue } = parse(IssueMessage, message, 'message')
  const actions = issue.issue_actions.complainant_actions.map((each, i) => ({
    action: requireKnown(complainantActions, each.complainant_action, `complainant_actions.${i}.complainant_action`),
    at: new Date(each.updated_at),
  }))
  return {
    issueId: issue.id,
    isClosed: issue.status.toUpperCase() === 'CLOSED',
    issueType: knownCode(issueTypes, issue.issue_type ?? '') ?? 'ISSUE',
    orderId: issue.order_details?.id ?? null,
    hasAddition: issue.description?.additional_desc !== undefined,
    isAccepted: false,
    actions,
    responseTime: issue.expected_response_time?.duration ?? null,
    rating: knownCode(ratings, issue.rating ?? ''),
    createdAt: issue.created_at,
  }
}
