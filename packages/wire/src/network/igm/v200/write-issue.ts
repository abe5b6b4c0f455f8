// Writes a buyer app's `issue` in 2.0.0: the whole complaint, with new actions at the end of its trail (FIS12 §20.1).
import { type ComplainantAction, type IssueDraft, personOf } from '#wire/network/igm/complaint.ts'
import {
  type ComplaintMessage,
  codeAt,
  complainantId,
  complaintStatusOf,
  customerId,
  emptyTrail,
  type IssueTrail,
  isOurs,
  openProposalIn,
  resolutionOf,
  type TrailAction,
} from './schema.ts'

type References = Pick<TrailAction, 'ref_id' | 'ref_type' | 'tags'>
type NewAction = Pick<ComplainantAction, 'text' | 'at'> & { code: string; references?: References }

/** The complainant's new actions join the trail; a repeated message adds none. */
export function writeIssue(draft: IssueDraft): { message: ComplaintMessage; trail: IssueTrail } {
  const before = draft.trail ?? emptyTrail
  const trail = { ...before, actions: withActions(before.actions, newActionsOf(draft, before)) }
  return { message: complaintOf(draft, trail), trail }
}

function newActionsOf(draft: IssueDraft, trail: IssueTrail): NewAction[] {
  const { actions } = trail
  const isNew = (code: string, at: Date): boolean =>
    !actions.some((each) => each.descriptor.code === code && isOurs(each) && each.updated_at === at.toISOString())
  const acts = draft.actions.flatMap((act): NewAction[] => {
    if (act.action === 'CLOSE') return closingActions(draft, trail, act)
    const code = act.action === 'OPEN' ? 'OPEN' : 'ESCALATED'
    if (!isNew(code, act.at)) return []
    return [...(code === 'ESCALATED' ? answerTo(trail, { ...act, code: 'RESOLUTION_REJECTED' }) : []), { ...act, code }]
  })
  const replies = draft.additions
    .filter(({ at }) => isNew('INFO_PROVIDED', at))
    .map((reply) => ({ ...reply, code: 'INFO_PROVIDED', ...referenceTo(openQuestion(actions)?.id) }))
  return [...acts, ...replies].sort((a, b) => a.at.getTime() - b.at.getTime())
}

/** A rated complaint accepts the lender's proposal first, and is closed once the lender has carried it out. */
function closingActions(
  { rating, updatedAt }: IssueDraft,
  trail: IssueTrail,
  { text, at }: ComplainantAction,
): NewAction[] {
  const codes = trail.actions.filter(isOurs).map(({ descriptor }) => descriptor.code)
  if (codes.includes('CLOSED')) return []
  if (rating === null) return [{ code: 'CLOSED', text, at }]
  const acceptance = answerTo(trail, { code: 'RESOLUTION_ACCEPTED', text, at })
  if (acceptance.length > 0) return acceptance
  const closedAt = codes.includes('RESOLUTION_ACCEPTED') ? updatedAt : at
  return [{ code: 'CLOSED', text, at: closedAt, references: { tags: [closureDetails(rating)] } }]
}

function answerTo({ actions, resolutions }: IssueTrail, answer: NewAction): NewAction[] {
  const proposal = openProposalIn(actions)
  if (!proposal) return []
  const choice = resolutionOf(resolutions, proposal)
  return [{ ...answer, ...(choice && { references: { ref_id: choice.id, ref_type: 'RESOLUTIONS' } }) }]
}

function openQuestion(actions: TrailAction[]): TrailAction | undefined {
  const answered = actions.filter((each) => codeAt(each) === 'INFO_PROVIDED').map(({ ref_id }) => ref_id)
  return actions.findLast((each) => codeAt(each) === 'INFO_REQUESTED' && !answered.includes(each.id))
}

const referenceTo = (ref_id: string | undefined) => (ref_id === undefined ? {} : { references: { ref_id } })

const closureDetails = (rating: string) => ({
  descriptor: { code: 'CLOSURE_DETAILS' },
  list: [{ descriptor: { code: 'RATING' }, value: rating.replaceAll('-', '_') }],
})

function withActions(actions: TrailAction[], added: NewAction[]): TrailAction[] {
  const all = [...actions]
  for (const { code, text, at, references } of added)
    all.push({
      id: nextId(all),
      ...references,
      descriptor: { code, short_desc: text },
      updated_at: at.toISOString(),
      action_by: complainantId,
    })
  return all
}

/** The prefix keeps our ids apart from those that the lender chooses at the same time. */
const nextId = (actions: TrailAction[]): string => `${complainantId}_A${actions.filter(isOurs).length + 1}`

function complaintOf(draft: IssueDraft, trail: IssueTrail): ComplaintMessage {
  const { description, order, by } = draft
  const { actions, resolutions, respondentIds, resolverIds } = trail
  const last = actions.at(-1)
  return {
    ...(actions.length > 1 && { update_target: [{ path: 'issue.actions', action: 'APPENDED' }] }),
    issue: {
      id: draft.issueId,
      status: complaintStatusOf(actions),
      level: draft.issueType === 'ISSUE' ? 'ISSUE' : 'GRIEVANCE',
      created_at: draft.createdAt.toISOString(),
      updated_at: draft.updatedAt.toISOString(),
      expected_response_time: { duration: draft.responseTime },
      expected_resolution_time: { duration: draft.resolutionTime },
      refs: [
        { ref_id: order.id, ref_type: 'ORDER' },
        { ref_id: order.providerId, ref_type: 'PROVIDER' },
        { ref_id: order.itemId, ref_type: 'ITEM' },
        ...order.fulfillmentIds.map((ref_id) => ({ ref_id, ref_type: 'FULFILLMENT' })),
      ],
      actors: [
        { id: customerId, type: 'CONSUMER', info: customerOf(draft) },
        { id: complainantId, type: 'INTERFACING_NP', info: personOf(by) },
        ...trail.actors,
      ],
      source_id: customerId,
      complainant_id: complainantId,
      ...(respondentIds.length > 0 && { respondent_ids: respondentIds }),
      ...(resolverIds.length > 0 && { resolver_ids: resolverIds }),
      descriptor: {
        code: draft.subCategory,
        short_desc: description.short,
        long_desc: description.long,
        additional_desc: { url: description.textUrl, content_type: 'text/plain' },
      },
      ...(last && { last_action_id: last.id }),
      actions,
      ...(resolutions.length > 0 && { resolutions }),
    },
  }
}

/** The network requires an address; the officer's stands in for a missing one. */
const customerOf = ({ complainant: { name, phone, email }, by }: IssueDraft) =>
  personOf({ org: by.org, name, phone, email: email ?? by.email })
