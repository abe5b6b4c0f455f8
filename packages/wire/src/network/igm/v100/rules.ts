// The required content of each grievance message (FIS12 §20, §3.3).

import { fieldsOf } from '@lendloom/foundation/record'
import type { IgmAction } from '#wire/network/igm/actions.ts'
import {
  complainantActions,
  issueTypes,
  knownCategories,
  knownSubCategories,
  ratings,
  resolutionActions,
  respondentActions,
  spellings,
} from '#wire/network/igm/codes.ts'
import { oneSchemaEach, outgoingFaultsOf } from '#wire/network/message-validators.ts'
import {
  allowed,
  type Condition,
  each,
  is,
  type MessageRule,
  not,
  present,
  requiredCode,
  valueAt,
  when,
} from '#wire/network/rule-combinators.ts'
import { igmSchemas, issueStatuses, officerTypes, participantTypes } from './schema.ts'

/** The names of the actions of one side. Accepts any value, because the rules check messages of any shape. */
function namesIn(issue: unknown, side: 'complainant' | 'respondent'): unknown[] {
  const list = valueAt(issue, 'issue_actions', `${side}_actions`)
  return Array.isArray(list) ? list.map((action) => valueAt(action, `${side}_action`)) : []
}

const isClosed = is('status', 'CLOSED')
const isResolved: Condition = (issue) => namesIn(issue, 'respondent').includes('RESOLVED')

/** The complainant's actions must agree with `status` and `issue_type`. */
const actionsAgree: MessageRule = ({ path, value }) => {
  const issue = fieldsOf(value)
  const names = namesIn(issue, 'complainant')
  const findings: [field: string, message: string][][] = [
    names[0] === 'OPEN' ? [] : [['issue_actions.complainant_actions[0]', 'must be the action OPEN']],
    isClosed(issue) === (names.at(-1) === 'CLOSE')
      ? []
      : [['status', 'must be CLOSED if and only if the last action is CLOSE']],
    isClosed(issue) || names.includes('ESCALATE') === !is('issue_type', 'ISSUE')(issue)
      ? []
      : [['issue_type', 'must be GRIEVANCE or DISPUTE after the action ESCALATE, and ISSUE before it']],
  ]
  return findings.flat().map(([field, message]) => ({ path: `${path}.${field}`, message }))
}

const actorFields = ['updated_at', 'updated_by.org.name', 'updated_by.contact.phone', 'updated_by.person.name']

const openingRules: MessageRule[] = [
  requiredCode('category', knownCategories),
  requiredCode('sub_category', knownSubCategories),
  requiredCode('issue_type', issueTypes),
  requiredCode('source.type', ['CONSUMER', 'SELLER', 'INTERFACING-NP']),
  present(
    'complainant_info.person.name',
    'complainant_info.contact.phone',
    'order_details.id',
    'order_details.items[*].id',
    'order_details.provider_id',
    'description.short_desc',
    'description.long_desc',
    'source.network_participant_id',
    'expected_response_time.duration',
    'expected_resolution_time.duration',
  ),
]

const answerRules: MessageRule[] = [
  present('id', 'created_at', 'updated_at'),
  each(
    'issue_actions.respondent_actions[*]',
    requiredCode('respondent_action', spellings(respondentActions)),
    present(...actorFields, 'cascaded_level'),
  ),
]

const rules: Record<IgmAction, MessageRule[]> = {
  issue: [
    present('issue.id', 'issue.created_at', 'issue.updated_at'),
    requiredCode('issue.status', issueStatuses),
    each('issue', allowed('rating', spellings(ratings)), actionsAgree),
    each(
      'issue.issue_actions.complainant_actions[*]',
      requiredCode('complainant_action', complainantActions),
      present(...actorFields),
    ),
    each('issue', when(not(isClosed), ...openingRules)),
  ],
  issue_status: [present('issue_id')],
  on_issue: [each('issue', ...answerRules)],
  on_issue_status: [
    each(
      'issue',
      ...answerRules,
      requiredCode('resolution_provider.respondent_info.type', participantTypes),
      present(
        'resolution_provider.respondent_info.organization.org.name',
        'resolution_provider.respondent_info.organization.person.name',
      ),
      each(
        'resolution_provider.respondent_info.resolution_support.gros[*]',
        present('person.name', 'contact.phone'),
        requiredCode('gro_type', officerTypes),
      ),
      when(
        isResolved,
        present('resolution.short_desc'),
        requiredCode('resolution.action_triggered', spellings(resolutionActions)),
      ),
    ),
  ],
}

export const igmOutgoingFaults = outgoingFaultsOf('FIS12 §20', rules, oneSchemaEach(igmSchemas))
