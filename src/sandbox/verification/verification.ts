// What a verification is, and what tells one provider from another: a table of states, its words, its papers, its page.
import { Applicant, requestFields } from '#contract/provider/request.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Html } from '#kit/http/markup.ts'
import { type Static, type TSchema, Type } from '#kit/http/schema.ts'
import type { Table } from '#kit/runtime/machine.ts'
import type { FaultScenario } from './rules.ts'

export const kinds = ['kyc', 'mandate', 'esign', 'statement'] as const
export type Kind = (typeof kinds)[number]

export type Move = 'submit' | 'finish' | 'refuse' | 'fail' | 'forge' | 'mistake' | 'hangUp' | 'cancel' | 'lapse'

/** The part of a request that is the same for every provider. */
export const VerificationRequest = Type.Object({ ...requestFields, person: Applicant })
export type VerificationRequest = Static<typeof VerificationRequest>

/** The file that a request is about; null for one that is about none. */
export const fileIdOf = (request: VerificationRequest): string | null =>
  'file_id' in request && typeof request.file_id === 'string' ? request.file_id : null

export interface Verification<A extends VerificationRequest = VerificationRequest> {
  verificationId: string
  kind: Kind
  clientReference: string
  request: A
  state: string
  reasonCode: string | null
  facts: Facts
  /** How often the borrower has tried in vain. */
  attempt: number
  scenario: FaultScenario | null
  pageExpiresAt: Date
  createdAt: Date
  updatedAt: Date
}

export type Facts = Record<string, unknown>

/** What somebody decides: the move, and the provider's own code where it is not a success. */
export interface Decision {
  move: Move
  reasonCode?: string
}

/** A decision of those who work behind the provider, after so many times their usual pace. */
interface Delayed extends Decision {
  times: number
}

export interface Paper {
  kind: string
  contentType: 'application/pdf' | 'video/mp4'
  bytes: Buffer
}

export const outcomes = ['approve', 'decline', 'lapse', 'hang-up'] as const
export type Outcome = (typeof outcomes)[number]

interface Page {
  title: string
  body: Html
  approve: string
  decline: string
  /** Said when the borrower has to do it again. */
  again: string
  /** Endings beside the two, for the sandbox. */
  more?: [outcome: Outcome, label: string][]
}

// biome-ignore lint/suspicious/noExplicitAny: providers of every request live in one list
export interface Provider<A extends VerificationRequest = any> {
  kind: Kind
  /** As borrowers know it. */
  brand: string
  request: TSchema
  reply: TSchema
  initial: string
  /** The state in which everything went well. */
  best: string
  machine: Table<string, Move>
  /** What the borrower's decision leads to; `again` when it has to be made once more. */
  borrower(of: Verification<A>, outcome: Outcome): Decision | 'again'
  /** What an official, a bank or an analyser decides in this state; null where nobody is waited for. */
  behind(of: Verification<A>): Delayed | null
  /** What comes about with a state. Random digits are passed in. */
  facts?(of: Verification<A>, at: Date, digits: string): Facts
  /** The papers that a state brings. `upload` gives what was handed in. */
  papers(of: Verification<A>, at: Date, upload: (fileId: string) => Promise<Buffer>): Promise<Paper[]>
  /** What else has to be known elsewhere, in the same transaction. */
  entered?(tx: Tx, of: Verification<A>, at: Date): Promise<void>
  /** The part of an answer that is this provider's own. */
  details(of: Verification<A>): object
  page(of: Verification<A>): Page
}

/** A link that a rule makes short. */
const shortSeconds = 5
const usualPageSeconds = 3600

export const pageSecondsOf = (
  kind: Kind,
  { page_seconds }: VerificationRequest,
  scenario: FaultScenario | null,
): number => (scenario === `${kind}-short` ? shortSeconds : (page_seconds ?? usualPageSeconds))

/** Later than every change before it, also when the clock has stood still or gone back. */
export const afterLast = ({ updatedAt }: Pick<Verification, 'updatedAt'>, now: Date): Date =>
  now.getTime() > updatedAt.getTime() ? now : new Date(updatedAt.getTime() + 1)
