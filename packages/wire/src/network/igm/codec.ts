// Both versions of IGM: one complaint, two codecs. A conversation's complaints use the version of its lender (FIS12 §20).

import { fieldsOf } from '@lendloom/foundation/record'
import type { FieldError } from '@lendloom/foundation/refusal'
import { parse, type TSchema } from '@lendloom/foundation/schema'
import type { Dialect, Fault, NetworkError } from '#wire/network/context.ts'
import { bodyFaultsOf, oneSchemaEach } from '#wire/network/message-validators.ts'
import { valueAt } from '#wire/network/rule-combinators.ts'
import type { IgmAction, IgmCallback } from './actions.ts'
import type { AnswerDraft, IssueDraft, ParsedIssue, RespondentAnswer } from './complaint.ts'
import * as read100 from './v100/read-messages.ts'
import { igmOutgoingFaults } from './v100/rules.ts'
import { IssueStatusMessage, igmSchemas } from './v100/schema.ts'
import { writeOnIssue, writeOnIssueStatus } from './v100/write-answer.ts'
import { writeIssue } from './v100/write-issue.ts'
import * as read200 from './v200/read-messages.ts'
import { complaintOutgoingFaults } from './v200/rules.ts'
import { complaintSchemas, type IssueTrail } from './v200/schema.ts'
import { writeAnswer } from './v200/write-answer.ts'
import { writeIssue as writeComplaint } from './v200/write-issue.ts'

export const igmVersions = ['1.0.0', '2.0.0'] as const
export type IgmVersion = (typeof igmVersions)[number]

export interface IgmCodec {
  schemas: Record<IgmAction, TSchema>
  /** The faults of an outgoing message; empty if it may be sent. */
  outgoingFaults(action: IgmAction, message: unknown): Fault[]
  /** The fields of `issue` that only this version has. */
  ownFields: readonly string[]
  /** The unsolicited callback that reports the lender's progress. */
  progressCallback: IgmCallback
  writeIssue(draft: IssueDraft): { message: object; trail: IssueTrail | null }
  /** Throws `invalid` with the path of the fault, as `readIssue` does. */
  readAnswer(callback: IgmCallback, message: unknown, trail: IssueTrail | null): RespondentAnswer
  readIssue(message: unknown): ParsedIssue
  writeAnswer(callback: IgmCallback, draft: AnswerDraft): object
}

export const igmCodecs: Record<IgmVersion, IgmCodec> = {
  '1.0.0': {
    schemas: igmSchemas,
    outgoingFaults: igmOutgoingFaults,
    ownFields: [
      'category',
      'sub_category',
      'complainant_info',
      'order_details',
      'issue_actions',
      'issue_type',
      'resolution_provider',
      'rating',
    ],
    progressCallback: 'on_issue_status',
    writeIssue,
    readAnswer: read100.readRespondent,
    readIssue: read100.readIssue,
    writeAnswer: (callback, draft) => (callback === 'on_issue' ? writeOnIssue(draft) : writeOnIssueStatus(draft)),
  },
  '2.0.0': {
    schemas: complaintSchemas,
    outgoingFaults: complaintOutgoingFaults,
    ownFields: [
      'level',
      'refs',
      'actors',
      'actions',
      'source_id',
      'complainant_id',
      'respondent_ids',
      'last_action_id',
      'resolutions',
      'descriptor',
    ],
    progressCallback: 'on_issue',
    writeIssue: writeComplaint,
    readAnswer: (_callback, message, trail) => read200.readRespondent(message, trail),
    readIssue: read200.readIssue,
    writeAnswer: (_callback, draft) => writeAnswer(draft),
  },
}

/** The version of an unvalidated message. The context does not name it: the version with most of its own fields counts. */
export function igmVersionOf(message: unknown): IgmVersion {
  const issue = fieldsOf(fieldsOf(message).issue)
  const score = (version: IgmVersion): number => igmCodecs[version].ownFields.filter((name) => name in issue).length
  return score('2.0.0') > score('1.0.0') ? '2.0.0' : '1.0.0'
}

/** Returns why a received body gets a NACK; empty if it may be stored. */
export const igmBodyFaults = (action: IgmAction, body: unknown, dialect: Dialect): FieldError[] =>
  bodyFaultsOf(dialect, oneSchemaEach(igmCodecs[igmVersionOf(fieldsOf(body).message)].schemas))(action, body)

export const igmMessageFaults = (action: IgmAction, message: unknown): Fault[] =>
  igmCodecs[igmVersionOf(message)].outgoingFaults(action, message)

/** The other version, if the rejection of a message names it or one of its fields. */
export function versionNamedIn({ message = '', path = '' }: NetworkError, sent: IgmVersion): IgmVersion | null {
  const other: IgmVersion = sent === '1.0.0' ? '2.0.0' : '1.0.0'
  const fields = path.split(/\W+/)
  return message.includes(other) || igmCodecs[other].ownFields.some((name) => fields.includes(name)) ? other : null
}

export const issueStatus = (issueId: string) => ({ issue_id: issueId })

export const readRequestedIssueId = (message: unknown): string => parse(IssueStatusMessage, message, 'message').issue_id

export const issueIdIn = (message: unknown): unknown => valueAt(message, 'issue', 'id') ?? valueAt(message, 'issue_id')
