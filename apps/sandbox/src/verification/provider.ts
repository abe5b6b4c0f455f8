// What a verification is, and what each provider (KYC, mandate, e-sign, statement analyser) must say of its own.

import type { Table } from '@lendloom/foundation/machine'
import { type Static, type TSchema, Type } from '@lendloom/foundation/schema'
import type { Html } from '@lendloom/http/markup'
import type { Tx } from '@lendloom/postgres/sql'
import { ProviderApplicant, requestFields } from '@lendloom/wire/provider/common-interface'
import type { ProviderScenario } from './fault-rules.ts'

export const verificationKinds = ['kyc', 'mandate', 'esign', 'statement'] as const
export type VerificationKind = (typeof verificationKinds)[number]

export type VerificationMove =
  | 'submit'
  | 'finish'
  | 'refuse'
  | 'fail'
  | 'forge'
  | 'mistake'
  | 'hangUp'
  | 'cancel'
  | 'lapse'

/** The common part of every provider's request. */
export const VerificationRequest = Type.Object({ ...requestFields, person: ProviderApplicant })
export type VerificationRequest = Static<typeof VerificationRequest>

/** The uploaded file that a request names; null without one. */
export const fileIdOf = (request: VerificationRequest): string | null =>
  'file_id' in request && typeof request.file_id === 'string' ? request.file_id : null

/** A request at a provider with its state. */
export interface ProviderVerification<A extends VerificationRequest = VerificationRequest> {
  verificationId: string
  kind: VerificationKind
  clientReference: string
  request: A
  state: string
  reasonCode: string | null
  facts: VerificationFacts
  attempt: number
  scenario: ProviderScenario | null
  pageExpiresAt: Date
  createdAt: Date
  updatedAt: Date
}

export type VerificationFacts = Record<string, unknown>

/** A move, with the provider's reason code unless it is a success. */
export interface ProviderDecision {
  move: VerificationMove
  reasonCode?: string
  facts?: VerificationFacts
}

/** A decision of an official, a bank or an analyser, after a multiple of the usual delay. */
interface DelayedDecision extends ProviderDecision {
  /** How many times as long as usual it takes. */
  delayFactor: number
}

/** A file that a provider makes. */
export interface Paper {
  kind: string
  contentType: 'application/pdf' | 'video/mp4'
  bytes: Buffer
}

/** The borrower's decisions on a provider's page. */
export const checkOutcomes = ['approve', 'upi', 'decline', 'lapse', 'hang-up'] as const
export type CheckOutcome = (typeof checkOutcomes)[number]

interface PageText {
  title: string
  body: Html
  approve: string
  decline: string
  /** The notice when the borrower must retry. */
  again: string
  /** Further endings, for the sandbox. */
  furtherEndings?: [outcome: CheckOutcome, label: string][]
}

// biome-ignore lint/suspicious/noExplicitAny: one list holds the providers of all kinds of requests
export interface Provider<A extends VerificationRequest = any> {
  kind: VerificationKind
  brand: string
  request: TSchema
  reply: TSchema
  initialState: string
  successState: string
  machine: Table<string, VerificationMove>
  /** The effect of the borrower's decision; `again` when the borrower must retry. */
  borrowerDecision(verification: ProviderVerification<A>, outcome: CheckOutcome): ProviderDecision | 'again'
  /** The delayed decision of an official, a bank or an analyser in this state; null without one. */
  delayedDecision(verification: ProviderVerification<A>): DelayedDecision | null
  /** The facts that a state adds. `digits` are random. */
  facts?(verification: ProviderVerification<A>, at: Date, digits: string): VerificationFacts
  /** The files that a state adds. `upload` reads an uploaded file. */
  filesOfState(
    verification: ProviderVerification<A>,
    at: Date,
    upload: (fileId: string) => Promise<Buffer>,
  ): Promise<Paper[]>
  /** Effects on other tables, in the same transaction. */
  onEntered?(tx: Tx, verification: ProviderVerification<A>, at: Date): Promise<void>
  /** The provider-specific part of a report. */
  details(verification: ProviderVerification<A>): object
  page(verification: ProviderVerification<A>): PageText
}

/** Validity in seconds of a link that a fault rule shortens. */
const shortSeconds = 5
/** How long a link is valid if the request does not say. */
const defaultPageSeconds = 3600

/** How long the link of a request is valid, in seconds. */
export const pageSecondsOf = (
  kind: VerificationKind,
  { page_seconds }: VerificationRequest,
  scenario: ProviderScenario | null,
): number => (scenario === `${kind}-short` ? shortSeconds : (page_seconds ?? defaultPageSeconds))

/** A time later than the last change, even when the clock stopped or went back. */
export const afterLast = ({ updatedAt }: Pick<ProviderVerification, 'updatedAt'>, now: Date): Date =>
  now.getTime() > updatedAt.getTime() ? now : new Date(updatedAt.getTime() + 1)
