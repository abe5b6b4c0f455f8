// Parses received grievance messages. Accepts all official spellings of codes (FIS12 §20).
import { invalid } from '#kit/http/refusal.ts'
import { parse, type Static } from '#kit/http/schema.ts'
import { moneyOf, type Paise } from '#kit/money/money.ts'
import type { IgmCallback } from './actions.ts'
import {
  type ComplainantActionName,
  complainantActions,
  IssueMessage,
  IssueStatusMessage,
  type IssueType,
  issueTypes,
  knownCode,
  OnIssueMessage,
  OnIssueStatusMessage,
  type Rating,
  type ResolutionAction,
  type RespondentActionName,
  ratings,
  resolutionActions,
  respondentActions,
} from './schema.ts'

export interface RespondentAction {
  action: RespondentActionName
  at: Date
  text: string | null
  /** The person who acted, if named. */
  person: string | null
  level: number | null
}

export interface Officer {
  name: string | null
  phone: string | null
  email: string | null
}

/** The party that resolves the grievance. `officers` are the grievance officers of this party. */
export interface ResolutionProvider {
  organization: string | null
  person: string | null
  phone: string | null
  email: string | null
  chatLink: string | null
  officers: Officer[]
}

interface Resolution {
  text: string
  detail: string | null
  /** Null if missing or unknown. */
  action: ResolutionAction | null
  refund: Paise | null
}

/** A lender's `on_issue` or `on_issue_status`. `actions` lists all its actions so far, oldest first. */
export interface RespondentAnswer {
  issueId: string
  actions: RespondentAction[]
  createdAt: Date
  updatedAt: Date
  provider: ResolutionProvider | null
  resolution: Resolution | null
}

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

function resolutionIn(resolution: NonNullable<IssueStatus['resolution']>): Resolution {
  const refund = resolution.refund_amount === undefined ? null : moneyOf(resolution.refund_amount)
  return {
    text: resolution.short_desc,
    detail: resolution.long_desc?.trim() || null,
    action: knownCode(resolutionActions, resolution.action_triggered ?? ''),
    refund: refund !== null && refund > 0n ? refund : null,
  }
}

/** A buyer app's `issue`, as a lender parses it. */
export interface ParsedIssue {
  issueId: string
  isClosed: boolean
  issueType: IssueType
  /** Null in a closing message, which omits the order. */
  orderId: string | null
  hasAddition: boolean
  actions: { action: ComplainantActionName; at: Date }[]
  responseTime: string | null
  rating: Rating | null
  createdAt: string
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
    actions,
    responseTime: issue.expected_response_time?.duration ?? null,
    rating: knownCode(ratings, issue.rating ?? ''),
    createdAt: issue.created_at,
  }
}

export const readRequestedIssueId = (message: unknown): string => parse(IssueStatusMessage, message, 'message').issue_id
