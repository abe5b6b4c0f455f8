// Parses received complaints of 2.0.0. Accepts older spellings of codes, but no change of earlier actions (FIS12 §20.1).

import { isObject, isOneOf, ownValue } from '@lendloom/foundation/record'
import { type FieldError, invalid } from '@lendloom/foundation/refusal'
import { parse, type TSchema } from '@lendloom/foundation/schema'
import { moneyOf } from '@lendloom/lending/money'
import {
  type ComplainantActionName,
  issueTypes,
  knownCode,
  maxActions,
  type RespondentActionName,
  ratings,
  resolutionActions,
} from '#wire/network/igm/codes.ts'
import type {
  IssueResolution,
  ParsedIssue,
  ResolutionProvider,
  RespondentAction,
  RespondentAnswer,
} from '#wire/network/igm/complaint.ts'
import {
  type ComplaintActor,
  ComplaintMessage,
  codeAt,
  complainantCodes,
  complainantId,
  customerId,
  emptyTrail,
  type IssueTrail,
  isOurs,
  openProposalIn,
  resolutionOf,
  respondentTypes,
  spelled,
  type TrailAction,
} from './schema.ts'

type Issue = ComplaintMessage['issue']

const fault = (path: string, message: string): FieldError => ({ path: `message.issue.${path}`, message })

function requireNone([first, ...otherFaults]: FieldError[]): void {
  if (first) throw invalid(first, ...otherFaults)
}

interface SchemaParts {
  properties?: Record<string, TSchema>
  items?: TSchema
  type?: unknown
}

/** Omits unknown fields, because the next message of ours repeats the rest. */
function knownPart(schema: TSchema, value: unknown): unknown {
  const { properties, items, type }: SchemaParts = schema
  if (items && Array.isArray(value)) return value.map((item) => knownPart(items, item))
  if (!properties || !isObject(value)) return Array.isArray(type) && typeof value === 'number' ? String(value) : value
  const known = Object.entries(properties).filter(([name]) => ownValue(value, name) !== undefined)
  return Object.fromEntries(known.map(([name, inner]) => [name, knownPart(inner, value[name])]))
}

const complaintIn = (message: unknown): ComplaintMessage =>
  parse(ComplaintMessage, knownPart(ComplaintMessage, message), 'message')

/** The code of an action in our terms. The borrower sees a proposal as the resolution. */
const actionNames: Record<string, RespondentActionName> = {
  PROCESSING: 'PROCESSING',
  CASCADED: 'CASCADED',
  INFO_REQUESTED: 'NEED-MORE-INFO',
  NEED_MORE_INFO: 'NEED-MORE-INFO',
  RESOLUTION_PROPOSED: 'RESOLVED',
  RESOLVED: 'RESOLVED',
}

const nameOf = (code: string): RespondentActionName | undefined => ownValue(actionNames, spelled(code))

/**
 * Parses the message against the trail of what both sides have sent. A message that lacks the lender's newest actions
 * is old and adds nothing. Throws `invalid` with the path of the fault.
 */
export function readRespondent(message: unknown, known: IssueTrail | null): RespondentAnswer {
  const before = known ?? emptyTrail
  const { issue } = complaintIn(message)
  requireNone([...actorFaults(issue), ...trailFaults(issue, before)])
  const theirs = issue.actions.filter((action) => !isOurs(action))
  const added = theirs.slice(before.actions.filter((action) => !isOurs(action)).length)
  const trail = added.length === 0 ? before : trailAfter(before, issue, added)
  return {
    issueId: issue.id,
    actions: theirs.map((action) => respondentActionOf(action, issue.actors)),
    createdAt: new Date(issue.created_at),
    updatedAt: new Date(issue.updated_at),
    provider: providerIn(issue.actors),
    resolution: resolutionIn(issue),
    trail,
  }
}

/** The last four are of older messages and of the lending rules. */
const acceptedTypes: readonly string[] = [
  ...respondentTypes,
  'TRANSACTION_COUNTERPARTY_NP',
  'TRANSACTION_COUNTERPARTY_NP_GRO',
  'CASCADED_NP',
  'PROVIDER',
]
const isRespondent = ({ id, type }: ComplaintActor): boolean =>
  id !== customerId && id !== complainantId && acceptedTypes.includes(spelled(type))

const theirsIn = (actions: readonly TrailAction[]): TrailAction[] => actions.filter((action) => !isOurs(action))

/** Our actors keep their types, and each action of the lender names one of its own actors. */
function actorFaults({ actors, actions }: Issue): FieldError[] {
  const types: Record<string, string[]> = {
    [customerId]: ['CONSUMER', 'CUSTOMER'],
    [complainantId]: ['INTERFACING_NP'],
  }
  const respondents = actors.filter(isRespondent).map(({ id }) => id)
  return [
    ...actors.flatMap(({ id, type }, i) =>
      (ownValue(types, id) ?? [spelled(type)]).includes(spelled(type))
        ? []
        : [fault(`actors.${i}.type`, 'changes our actor')],
    ),
    ...actions.flatMap((action, i) => {
      if (isOurs(action)) return []
      const { descriptor, action_by } = action
      return [
        ...(respondents.includes(action_by) ? [] : [fault(`actions.${i}.action_by`, 'must be an actor of the lender')]),
        ...(nameOf(descriptor.code)
          ? []
          : [fault(`actions.${i}.descriptor.code`, `must be one of ${Object.keys(actionNames).join(', ')}`)]),
      ]
    }),
  ]
}

const isSame = (one: TrailAction, other: TrailAction | undefined): boolean =>
  one.id === other?.id && codeAt(one) === codeAt(other) && Date.parse(one.updated_at) === Date.parse(other.updated_at)

/** Each side only appends to its own actions. The lender may not know our newest ones, nor an old message its own. */
function trailFaults({ actions }: Issue, { actions: known }: IssueTrail): FieldError[] {
  const ids = actions.map(({ id }) => id)
  const repeated = ids.findIndex((id, i) => ids.indexOf(id) < i)
  const knownOurs = known.filter(isOurs)
  const knownTheirs = theirsIn(known)
  const wrong = actions.filter(isOurs).find((action, i) => !isSame(action, knownOurs[i]))
  const changed = theirsIn(actions).find((action, i) => i < knownTheirs.length && !isSame(action, knownTheirs[i]))
  const isTooLong = theirsIn(actions).length + knownOurs.length > maxActions
  return [
    ...(repeated < 0 ? [] : [fault(`actions.${repeated}.id`, 'is the id of another action')]),
    ...(wrong ? [fault(`actions.${actions.indexOf(wrong)}`, 'is not an action of ours in its order')] : []),
    ...(changed ? [fault(`actions.${actions.indexOf(changed)}`, 'changes an earlier action')] : []),
    ...(isTooLong ? [fault('actions', `must have at most ${maxActions} items`)] : []),
  ]
}

const trailAfter = ({ actions }: IssueTrail, issue: Issue, added: TrailAction[]): IssueTrail => ({
  actions: [...actions, ...added],
  actors: issue.actors.filter(isRespondent),
  respondentIds: issue.respondent_ids ?? [...new Set(added.map(({ action_by }) => action_by))],
  resolverIds: issue.resolver_ids ?? [],
  resolutions: issue.resolutions ?? [],
})

function respondentActionOf(
  { id, descriptor, updated_at, action_by, actor_details }: TrailAction,
  actors: ComplaintActor[],
) {
  const actor = actors.find((each) => each.id === action_by)
  const code = spelled(descriptor.code)
  const isCascaded = spelled(actor?.type ?? '').startsWith('CASCADED')
  return {
    id,
    action: code === 'PROCESSING' && isCascaded ? 'CASCADED' : (nameOf(code) ?? 'PROCESSING'),
    at: new Date(updated_at),
    text: descriptor.short_desc?.trim() || null,
    person: actor_details?.name || (actor?.info?.person?.name ?? null),
    level: isCascaded ? 2 : 1,
  } satisfies RespondentAction
}

function providerIn(actors: ComplaintActor[]): ResolutionProvider | null {
  const respondents = actors.filter(isRespondent)
  const [party] = respondents.filter(({ type }) => !type.endsWith('GRO'))
  if (!party) return null
  return {
    organization: party.info?.org?.name ?? null,
    person: party.info?.person?.name ?? null,
    ...contactOf(party),
    chatLink: null,
    officers: respondents
      .filter(({ type }) => type.endsWith('GRO'))
      .map((officer) => ({
        name: officer.info?.person?.name ?? null,
        ...contactOf(officer),
      })),
  }
}

const contactOf = ({ info }: ComplaintActor) => ({
  phone: info?.contact?.phone ?? null,
  email: info?.contact?.email ?? null,
})

/** The resolution of the lender's newest proposal, or of its execution. */
function resolutionIn({ actions, resolutions = [] }: Issue): IssueResolution | null {
  const proposal = theirsIn(actions).findLast(({ descriptor }) => nameOf(descriptor.code) === 'RESOLVED')
  const resolution = proposal && resolutionOf(resolutions, proposal)
  if (!resolution) return null
  const { code, short_desc, long_desc } = resolution.descriptor
  const amount = resolution.tags
    ?.filter(({ descriptor }) => descriptor.code === 'RESOLUTION_DETAILS')
    .flatMap(({ list }) => list)
    .find(({ descriptor }) => descriptor.code === 'REFUND_AMOUNT')?.value
  const refund = amount === undefined ? null : moneyOf(String(amount))
  return {
    text: short_desc?.trim() || code,
    detail: long_desc?.trim() || null,
    action: knownCode(resolutionActions, code),
    refund: refund !== null && refund > 0n ? refund : null,
  }
}

const actOf: Partial<Record<string, ComplainantActionName>> = { OPEN: 'OPEN', ESCALATED: 'ESCALATE', CLOSED: 'CLOSE' }

/** Parses an `issue` as the lender that it reaches. Throws `invalid` with the path of the fault. */
export function readIssue(message: unknown): ParsedIssue {
  const { issue } = complaintIn(message)
  requireNone(actorFaults(issue))
  const ours = issue.actions.filter(isOurs)
  const codes = ours.map(({ descriptor }) => spelled(descriptor.code))
  const unknown = ours.find(({ descriptor }) => !isOneOf(complainantCodes, spelled(descriptor.code)))
  const orderId = issue.refs?.find(({ ref_type }) => ref_type === 'ORDER')?.ref_id ?? null
  requireNone([
    ...(unknown ? [fault(`actions.${issue.actions.indexOf(unknown)}`, 'is unknown')] : []),
    ...(issue.last_action_id === issue.actions.at(-1)?.id ? [] : [fault('last_action_id', 'must be the last action')]),
    ...(orderId === null ? [fault('refs', 'must have the order')] : []),
  ])
  const closing = ours.at(-1)?.tags?.find(({ descriptor }) => descriptor.code === 'CLOSURE_DETAILS')
  const rating = closing?.list.find(({ descriptor }) => descriptor.code === 'RATING')?.value
  return {
    issueId: issue.id,
    isClosed: issue.status.toUpperCase() === 'CLOSED',
    issueType: knownCode(issueTypes, issue.level) ?? 'ISSUE',
    orderId,
    hasAddition: codes.includes('INFO_PROVIDED'),
    isAccepted: codes.includes('RESOLUTION_ACCEPTED') && !openProposalIn(issue.actions),
    actions: ours.flatMap(({ descriptor, updated_at }) => {
      const action = ownValue(actOf, spelled(descriptor.code))
      return action ? [{ action, at: new Date(updated_at) }] : []
    }),
    responseTime: issue.expected_response_time?.duration ?? null,
    rating: knownCode(ratings, String(rating ?? '')),
    createdAt: issue.created_at,
  }
}
