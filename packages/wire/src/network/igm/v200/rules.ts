// The required content of each complaint message of 2.0.0, by both published sets of rules (FIS12 §20.1).

import { fieldsOf } from '@lendloom/foundation/record'
import type { IgmAction } from '#wire/network/igm/actions.ts'
import { oneSchemaEach, outgoingFaultsOf } from '#wire/network/message-validators.ts'
import {
  each,
  is,
  type MessageRule,
  not,
  present,
  requiredCode,
  valueAt,
  when,
} from '#wire/network/rule-combinators.ts'
import {
  complainantCodes,
  complainantId,
  complaintCodes,
  complaintSchemas,
  complaintStatuses,
  customerId,
  isOurs,
  levels,
  referenceTypes,
  resolutionCodes,
} from './schema.ts'

const listAt = (value: unknown, name: string): unknown[] => {
  const list = fieldsOf(value)[name]
  return Array.isArray(list) ? list : []
}

const isOfComplainant = (action: unknown): boolean => isOurs({ action_by: String(fieldsOf(action).action_by) })

const codeOf = (action: unknown): unknown => valueAt(action, 'descriptor', 'code')

/** The status, the level and the last action must agree with the trail; both parties of the complaint are named. */
const trailAgrees: MessageRule = ({ path, value }) => {
  const issue = fieldsOf(value)
  const actions = listAt(issue, 'actions')
  const codes = actions.map(codeOf)
  const has = (list: string, field: string, code: string) =>
    listAt(issue, list).some((one) => fieldsOf(one)[field] === code)
  const findings: [isRight: boolean, field: string, message: string][] = [
    [codes[0] === 'OPEN', 'actions[0]', 'must be the action OPEN'],
    [issue.last_action_id === fieldsOf(actions.at(-1)).id, 'last_action_id', 'must be that of the last action'],
    [
      (issue.status === 'CLOSED') === (codes.at(-1) === 'CLOSED'),
      'status',
      'must be CLOSED exactly with the action CLOSED',
    ],
    [(issue.level === 'ISSUE') !== codes.includes('ESCALATED'), 'level', 'must be GRIEVANCE exactly after ESCALATED'],
    [actions.every(isOfComplainant) || listAt(issue, 'respondent_ids').length > 0, 'respondent_ids', 'must be present'],
    [has('refs', 'ref_type', 'ORDER'), 'refs', 'must have the order'],
    [has('actors', 'type', 'CONSUMER'), 'actors', 'must have the CONSUMER'],
    [has('actors', 'type', 'INTERFACING_NP'), 'actors', 'must have the INTERFACING_NP'],
  ]
  return findings.flatMap(([isRight, field, message]) => (isRight ? [] : [{ path: `${path}.${field}`, message }]))
}

const isComplainant = (field: string) => is(field, complainantId, customerId)

const complaintRules: MessageRule[] = [
  present('id', 'created_at', 'updated_at', 'source_id', 'complainant_id', 'last_action_id'),
  present('expected_response_time.duration', 'expected_resolution_time.duration'),
  present('descriptor.short_desc', 'descriptor.long_desc'),
  present('descriptor.additional_desc.url', 'descriptor.additional_desc.content_type'),
  requiredCode('descriptor.code', complaintCodes),
  requiredCode('status', complaintStatuses),
  requiredCode('level', levels),
  requiredCode('refs[*].ref_type', referenceTypes),
  present('refs[*].ref_id'),
  each(
    'actors[*]',
    present('id', 'type'),
    when(
      isComplainant('id'),
      present(...['org.name', 'person.name', 'contact.phone', 'contact.email'].map((name) => `info.${name}`)),
    ),
  ),
  each('actions[*]', present('id', 'updated_at', 'action_by', 'descriptor.code')),
  each(
    'actions[*]',
    when(
      isComplainant('action_by'),
      requiredCode('descriptor.code', complainantCodes),
      present('descriptor.short_desc'),
    ),
  ),
  each(
    'resolutions[*]',
    requiredCode('descriptor.code', resolutionCodes),
    when(not(is('descriptor.code', 'PARENT')), present('proposed_by')),
  ),
  trailAgrees,
]

const target = each('update_target[*]', present('path', 'action'))
const answerRules = [
  present('update_target[*].path'),
  target,
  each('issue', ...complaintRules, present('respondent_ids[*]')),
]

const rules: Record<IgmAction, MessageRule[]> = {
  issue: [present('issue.id'), target, each('issue', ...complaintRules)],
  issue_status: [present('issue_id')],
  on_issue: answerRules,
  on_issue_status: answerRules,
}

export const complaintOutgoingFaults = outgoingFaultsOf('FIS12 §20.1', rules, oneSchemaEach(complaintSchemas))
