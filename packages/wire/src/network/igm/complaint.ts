// A complaint as the codecs of both versions of IGM read and write it (FIS12 §20).
import type { Paise } from '@lendloom/lending/money'
import type { ComplainantActionName, IssueType, Rating, ResolutionAction, RespondentActionName } from './codes.ts'
import type { IssueTrail } from './v200/schema.ts'

/** A person who acts for a party. `org` is the subscriber id of the party. */
export interface ActingPerson {
  org: string
  name: string
  phone: string
  email: string
}

export interface ComplainantAction {
  action: ComplainantActionName
  text: string
  at: Date
}

/** The content of an `issue` message. The message always contains the whole complaint. */
export interface IssueDraft {
  issueId: string
  category: string
  subCategory: string
  complainant: { name: string; phone: string; email: string | null }
  order: { id: string; itemId: string; providerId: string; fulfillmentIds: string[] }
  /** At `textUrl` the lender reads the complainant's texts. */
  description: { short: string; long: string; textUrl: string }
  additions: { at: Date; text: string }[]
  /** The address of the buyer app without scheme, such as `buyer.example/ondc`. */
  participant: string
  /** ISO 8601 durations from `createdAt`. */
  responseTime: string
  resolutionTime: string
  issueType: IssueType
  rating: Rating | null
  /** All actions so far, newest last; CLOSE ends the complaint. */
  actions: ComplainantAction[]
  by: ActingPerson
  /** The actions of both sides in 2.0.0; null before the first message, and in 1.0.0. */
  trail: IssueTrail | null
  createdAt: Date
  updatedAt: Date
}

export interface RespondentAction {
  /** Only 2.0.0 identifies actions. */
  id?: string
  action: RespondentActionName
  at: Date
  text: string | null
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

export interface IssueResolution {
  text: string
  detail: string | null
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
  resolution: IssueResolution | null
  trail: IssueTrail | null
}

export interface ParsedIssue {
  issueId: string
  isClosed: boolean
  issueType: IssueType
  /** Null in a closing message of 1.0.0, which omits the order. */
  orderId: string | null
  hasAddition: boolean
  /** Whether the complainant has accepted the lender's newest proposal. */
  isAccepted: boolean
  actions: { action: ComplainantActionName; at: Date }[]
  responseTime: string | null
  rating: Rating | null
  createdAt: string
}

/** A lender's own action; CONFIRMED reports that the accepted resolution is done, which only 2.0.0 has. */
export type LenderActionName = RespondentActionName | 'CONFIRMED'

export interface RespondentDraft {
  action: LenderActionName
  text: string
  at: Date
  by: ActingPerson
  /** 1 for the lender, 2 for the party to which the lender passes the grievance on, and so on. */
  level: number
}

interface ProviderDraft {
  organization: ActingPerson
  chatLink: string
  support: { phone: string; email: string }
  officer: { name: string; phone: string; email: string }
}

interface ResolutionDraft {
  short: string
  long: string
  action: ResolutionAction
  /** The amount of a refund. The message itself does not pay the refund. */
  refund: Paise | null
}

export interface AnswerDraft {
  issueId: string
  actions: RespondentDraft[]
  /** The `created_at` of the buyer app's `issue`, unchanged. */
  createdAt: string
  updatedAt: Date
  provider: ProviderDraft
  resolution: ResolutionDraft | null
  /** The buyer app's newest `issue` message, which an answer of 2.0.0 repeats. */
  request: unknown
}

export const personOf = ({ org, name, phone, email }: ActingPerson) => ({
  org: { name: `${org}::ONDC:FIS12` },
  contact: { phone, email },
  person: { name },
})
