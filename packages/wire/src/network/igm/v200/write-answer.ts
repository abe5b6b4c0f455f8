// Writes a lender's answers in 2.0.0: the buyer app's complaint with the lender's new actions (FIS12 §20.1).

import { parse } from '@lendloom/foundation/schema'
import { rupees } from '@lendloom/lending/money'
import { type AnswerDraft, personOf, type RespondentDraft } from '#wire/network/igm/complaint.ts'
import {
  type ComplaintActor,
  ComplaintMessage,
  complaintStatusOf,
  type ProposedResolution,
  type respondentCodes,
  type TrailAction,
} from './schema.ts'

const codes: Record<RespondentDraft['action'], (typeof respondentCodes)[number]> = {
  PROCESSING: 'PROCESSING',
  CASCADED: 'PROCESSING',
  'NEED-MORE-INFO': 'INFO_REQUESTED',
  RESOLVED: 'RESOLUTION_PROPOSED',
  CONFIRMED: 'RESOLVED',
}

const lenderId = 'NP2'
const officerId = 'NP2_GRO'

export function writeAnswer(draft: AnswerDraft): ComplaintMessage {
  const { issue } = parse(ComplaintMessage, draft.request, 'message')
  const isEscalated = issue.level !== 'ISSUE'
  const added = draft.actions
    .map((action, i) => actionOf(draft.actions.slice(0, i + 1), action, isEscalated))
    .filter(({ id }) => issue.actions.every((each) => each.id !== id))
  const actions = [...issue.actions, ...added]
  const known = issue.actors.map(({ id }) => id)
  const actors = actorsOf(draft, isEscalated).filter(({ id }) => !known.includes(id))
  const resolutions = resolutionsOf(draft, issue.resolutions ?? [])
  return {
    update_target: [{ path: 'issue.actions', action: 'APPENDED' }],
    issue: {
      ...issue,
      status: complaintStatusOf(actions),
      updated_at: draft.updatedAt.toISOString(),
      actors: [...issue.actors, ...actors],
      respondent_ids: [lenderId],
      ...(resolutions.length > 0 && { resolver_ids: [isEscalated ? officerId : lenderId], resolutions }),
      last_action_id: actions.at(-1)?.id ?? '',
      actions,
    },
  }
}

const countOf = (actions: RespondentDraft[], name: RespondentDraft['action']): number =>
  actions.filter(({ action }) => action === name).length

/** `soFar` ends with the action. */
function actionOf(soFar: RespondentDraft[], { action, text, at }: RespondentDraft, isEscalated: boolean): TrailAction {
  const proposals = countOf(soFar, 'RESOLVED')
  return {
    id: `${lenderId}-${soFar.length}`,
    ...((action === 'RESOLVED' || action === 'CONFIRMED') && { ref_id: `R${proposals}`, ref_type: 'RESOLUTIONS' }),
    descriptor: {
      code: codes[action],
      ...(action === 'NEED-MORE-INFO' && { name: `INFO${String(countOf(soFar, action)).padStart(3, '0')}` }),
      short_desc: text,
    },
    updated_at: at.toISOString(),
    action_by: isEscalated ? officerId : lenderId,
  }
}

function actorsOf({ provider: { organization, officer } }: AnswerDraft, isEscalated: boolean): ComplaintActor[] {
  const lender = { id: lenderId, type: 'COUNTERPARTY_NP', info: personOf(organization) }
  const gro = {
    id: officerId,
    type: 'COUNTERPARTY_NP_GRO',
    info: personOf({ org: organization.org, name: officer.name, phone: officer.phone, email: officer.email }),
  }
  return isEscalated ? [lender, gro] : [lender]
}

/** Each proposal has a resolution, which later messages repeat. */
function resolutionsOf({ actions, resolution }: AnswerDraft, known: ProposedResolution[]) {
  const id = `R${countOf(actions, 'RESOLVED')}`
  const proposed = actions.findLast((each) => each.action === 'RESOLVED')
  if (!resolution || !proposed || known.some((each) => each.id === id)) return known
  const { short, long, action, refund } = resolution
  const details = refund === null ? [] : [refundDetails(rupees(refund))]
  const proposal: ProposedResolution = {
    id,
    descriptor: { code: action.replaceAll('-', '_'), short_desc: short, long_desc: long },
    proposed_by: lenderId,
    updated_at: proposed.at.toISOString(),
    ...(details.length > 0 && { tags: details }),
  }
  return [...known, proposal]
}

const refundDetails = (amount: string) => ({
  descriptor: { code: 'RESOLUTION_DETAILS' },
  list: [{ descriptor: { code: 'REFUND_AMOUNT' }, value: amount }],
})
