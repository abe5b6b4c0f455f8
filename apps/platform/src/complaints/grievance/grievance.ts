// A grievance is a borrower's complaint that is sent to the lender over the network (FIS12 §20).

import { next, type Table } from '@lendloom/foundation/machine'
import type { Paise } from '@lendloom/lending/money'
import type { GrievanceStatus } from '@lendloom/wire/hosted/embed-grievance'
import type { IgmVersion } from '@lendloom/wire/network/igm/codec'
import type {
  ComplainantActionName,
  Rating,
  ResolutionAction,
  RespondentActionName,
} from '@lendloom/wire/network/igm/codes'
import type { Officer, ResolutionProvider } from '@lendloom/wire/network/igm/complaint'
import type { IssueTrail } from '@lendloom/wire/network/igm/v200/schema'
import type { BorrowerAct } from './text-en.ts'
import type { Topic } from './topic.ts'

export type { GrievanceStatus, Officer }

export interface Grievance {
  tenantId: string
  journeyId: string
  grievanceId: string
  conversationId: string
  igmVersion: IgmVersion
  topic: Topic
  category: string
  subCategory: string
  status: GrievanceStatus
  issueType: 'ISSUE' | 'GRIEVANCE'
  rating: Rating | null
  resolutionAction: ResolutionAction | null
  refundPaise: Paise | null
  /** When the lender's deadlines started: when the grievance was raised or escalated. */
  sinceAt: Date
  responseDueAt: Date
  resolutionDueAt: Date
  /** When the lender missed the response deadline. */
  lateAt: Date | null
  escalationOfferedAt: Date | null
  /** The message id of our newest `issue`. */
  requestId: string
  /** The error code of the lender's last rejection; null after a later answer. */
  refusedCode: string | null
  detail: Detail
  createdAt: Date
  updatedAt: Date
}

/** The part of a grievance that is stored encrypted. Times are ISO 8601 strings. */
export interface Detail {
  complainant: { name: string | null; phone: string; email: string | null }
  order: { id: string; itemId: string; providerId: string; fulfillmentIds: string[] }
  text: string
  /** Information that the borrower added at the lender's request. */
  additions: { at: string; text: string }[]
  /** The borrower's actions, oldest first. */
  ours: { action: ComplainantActionName; at: string; text: BorrowerAct }[]
  theirs: RespondentEntry[]
  provider: ResolutionProvider | null
  resolution: { text: string; detail: string | null } | null
  /** The actions of both sides in IGM 2.0.0. */
  trail?: IssueTrail | null
  /** Whether the lender rejected the other version. */
  hasSwitchedVersion?: boolean
}

export interface RespondentEntry {
  id?: string
  action: RespondentActionName
  at: string
  text: string | null
  person: string | null
  level: number | null
}

/**
 * What changes the status. The lender reports `workStarted`, `infoRequested` and `resolved`, or rejects the grievance
 * (`refused`). The borrower sends requested information (`infoSent`), escalates or closes the grievance.
 */
export type GrievanceTransition =
  | 'workStarted'
  | 'infoRequested'
  | 'infoSent'
  | 'resolved'
  | 'escalated'
  | 'closed'
  | 'refused'

/** A lender may reopen a resolved grievance; CLOSED is final. */
export const grievanceMachine: Table<GrievanceStatus, GrievanceTransition> = {
  OPEN: {
    workStarted: 'PROCESSING',
    infoRequested: 'NEEDS_INFO',
    resolved: 'RESOLVED',
    escalated: 'ESCALATED',
    closed: 'CLOSED',
    refused: 'REFUSED',
  },
  PROCESSING: {
    workStarted: 'PROCESSING',
    infoRequested: 'NEEDS_INFO',
    resolved: 'RESOLVED',
    escalated: 'ESCALATED',
    closed: 'CLOSED',
  },
  NEEDS_INFO: {
    infoSent: 'PROCESSING',
    workStarted: 'PROCESSING',
    infoRequested: 'NEEDS_INFO',
    resolved: 'RESOLVED',
    escalated: 'ESCALATED',
    closed: 'CLOSED',
  },
  RESOLVED: {
    workStarted: 'PROCESSING',
    infoRequested: 'NEEDS_INFO',
    resolved: 'RESOLVED',
    escalated: 'ESCALATED',
    closed: 'CLOSED',
  },
  ESCALATED: { workStarted: 'PROCESSING', infoRequested: 'NEEDS_INFO', resolved: 'RESOLVED', closed: 'CLOSED' },
  REFUSED: {},
  CLOSED: {},
}

export const isOpen = ({ status }: Pick<Grievance, 'status'>): boolean => status !== 'CLOSED' && status !== 'REFUSED'

/** Whether the borrower may escalate: once, after the resolution or after the resolution deadline. */
export function mayEscalate(grievance: Pick<Grievance, 'status' | 'issueType' | 'resolutionDueAt'>, at: Date): boolean {
  if (grievance.issueType !== 'ISSUE' || next(grievanceMachine, grievance.status, 'escalated') === undefined)
    return false
  return grievance.status === 'RESOLVED' || at >= grievance.resolutionDueAt
}

/** Whether the lender has answered since the current deadlines started. */
export const isAnswered = ({
  detail,
  sinceAt,
  issueType,
}: Pick<Grievance, 'detail' | 'sinceAt' | 'issueType'>): boolean =>
  issueType === 'ISSUE' ? detail.theirs.length > 0 : detail.theirs.some(({ at }) => new Date(at) >= sinceAt)

export const grievanceSealContext = ({
  tenantId,
  journeyId,
  grievanceId,
}: Pick<Grievance, 'tenantId' | 'journeyId' | 'grievanceId'>): string =>
  `grievance:${tenantId}:${journeyId}:${grievanceId}`
