// Hosted page: a borrower opens, answers, escalates and closes a grievance about the loan.

import { Closed, Nullable, OneOf, type Static, Type } from '@lendloom/foundation/schema'
import { Money, Text } from '#wire/basic-schemas.ts'
import { type Rating, type ResolutionAction, ratings, resolutionActions } from '#wire/network/igm/codes.ts'

/** The subject of a complaint, in our terms. */
export const grievanceTopics = ['CHARGES', 'REPAYMENT', 'MONEY', 'DOCUMENTS', 'CONDUCT', 'OTHER'] as const
export type GrievanceTopic = (typeof grievanceTopics)[number]

/**
 * OPEN: sent, no answer yet · PROCESSING: the lender works on it · NEEDS_INFO: the lender asked a question · RESOLVED: by
 * the lender · ESCALATED: the lender's grievance officer has not answered yet · REFUSED: by the lender · CLOSED: by the
 * borrower.
 */
const grievanceStatuses = ['OPEN', 'PROCESSING', 'NEEDS_INFO', 'RESOLVED', 'ESCALATED', 'REFUSED', 'CLOSED'] as const
export type GrievanceStatus = (typeof grievanceStatuses)[number]

export const EmbedGrievance = Closed({
  id: Text,
  /** The number of its complaint; null until the complaint is stored. */
  number: Nullable(Text),
  topic: OneOf([...grievanceTopics]),
  text: Text,
  status: OneOf([...grievanceStatuses]),
  closedAt: Nullable(Text),
  /** Whether it was escalated to the lender's grievance officer. */
  escalated: Type.Boolean(),
  /** Whether the borrower may escalate it now. */
  mayEscalate: Type.Boolean(),
  /** Whether the lender's answer is late and we sent a reminder. */
  late: Type.Boolean(),
  /** Whether the lender rejected our newest message about it. */
  notTaken: Type.Boolean(),
  raisedAt: Text,
  /** The lender's deadline for a resolution. */
  dueAt: Text,
  /** What both said after the complaint, oldest first: questions, answers to them, and earlier resolutions. */
  messages: Type.Array(Closed({ at: Text, by: OneOf(['BORROWER', 'LENDER']), text: Text })),
  /** The lender's resolution; it does not move money itself. */
  resolution: Nullable(
    Closed({
      at: Nullable(Text),
      text: Text,
      detail: Nullable(Text),
      action: Nullable(OneOf<ResolutionAction>([...resolutionActions])),
      refund: Nullable(Money),
    }),
  ),
  rating: Nullable(OneOf<Rating>([...ratings])),
  /** The lender's contact. */
  officer: Closed({ name: Nullable(Text), phone: Nullable(Text), email: Nullable(Text) }),
})
export type EmbedGrievance = Static<typeof EmbedGrievance>

/** `possible`: whether complaints go through this page; otherwise the borrower contacts the lender directly. */
export const EmbedGrievances = Closed({ possible: Type.Boolean(), items: Type.Array(EmbedGrievance) })
export type EmbedGrievances = Static<typeof EmbedGrievances>

const GrievanceText = Type.String({ minLength: 1, maxLength: 4000 })

/** POST /api/embed/grievances */
export const EmbedGrievanceRequest = Closed({ topic: OneOf([...grievanceTopics]), text: GrievanceText })
/** POST /api/embed/grievances/{grievanceID}/reply */
export const EmbedGrievanceReply = Closed({ text: GrievanceText })
/** POST /api/embed/grievances/{grievanceID}/escalate */
export const EmbedGrievanceEscalation = Closed({})
/** POST /api/embed/grievances/{grievanceID}/close; a resolved grievance requires a rating. */
export const EmbedGrievanceClose = Closed({ rating: Type.Optional(OneOf<Rating>([...ratings])) })
