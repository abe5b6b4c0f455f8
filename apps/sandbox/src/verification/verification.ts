// The types of a verification and of a provider, and the providers' fault rules.

import type { Table } from '@lendloom/foundation/machine'
import { type Static, type TSchema, Type } from '@lendloom/foundation/schema'
import type { Html } from '@lendloom/http/markup'
import type { Tx } from '@lendloom/postgres/sql'
import { ProviderApplicant, requestFields } from '@lendloom/wire/provider/common-interface'
import type { SandboxRule } from '@lendloom/wire/sandbox/fault-products'

export const kinds = ['kyc', 'mandate', 'esign', 'statement'] as const
export type VerificationKind = (typeof kinds)[number]

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

export const fileIdOf = (request: VerificationRequest): string | null =>
  'file_id' in request && typeof request.file_id === 'string' ? request.file_id : null

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
  times: number
}

export interface Paper {
  kind: string
  contentType: 'application/pdf' | 'video/mp4'
  bytes: Buffer
}

export const outcomes = ['approve', 'upi', 'decline', 'lapse', 'hang-up'] as const
export type CheckOutcome = (typeof outcomes)[number]

interface PageText {
  title: string
  body: Html
  approve: string
  decline: string
  /** The notice when the borrower must retry. */
  again: string
  /** Further endings, for the sandbox. */
  more?: [outcome: CheckOutcome, label: string][]
}

// biome-ignore lint/suspicious/noExplicitAny: one list holds the providers of all kinds of requests
export interface Provider<A extends VerificationRequest = any> {
  kind: VerificationKind
  brand: string
  request: TSchema
  reply: TSchema
  initial: string
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
const defaultPageSeconds = 3600

export const pageSecondsOf = (
  kind: VerificationKind,
  { page_seconds }: VerificationRequest,
  scenario: ProviderScenario | null,
): number => (scenario === `${kind}-short` ? shortSeconds : (page_seconds ?? defaultPageSeconds))

/** A time later than the last change, even when the clock stopped or went back. */
export const afterLast = ({ updatedAt }: Pick<ProviderVerification, 'updatedAt'>, now: Date): Date =>
  now.getTime() > updatedAt.getTime() ? now : new Date(updatedAt.getTime() + 1)

const ruleTable = [
  { digits: '9006', scenario: 'kyc-rejected', what: 'KYC is rejected, even if the borrower approves.' },
  { digits: '9007', scenario: 'kyc-retry', what: 'KYC fails once and may be tried again.' },
  { digits: '9009', scenario: 'mandate-rejected', what: 'The bank rejects the mandate: no such account (AP05).' },
  { digits: '9010', scenario: 'esign-retry', what: 'Signing fails once and may be tried again.' },
  { digits: '9015', scenario: 'mandate-retry', what: 'Setting up the mandate fails once and may be tried again.' },
  { digits: '9101', scenario: 'kyc-cut-off', what: 'The video call is cut off; KYC without video is as usual.' },
  { digits: '9102', scenario: 'kyc-short', what: 'The KYC link expires after five seconds.' },
  { digits: '9103', scenario: 'kyc-slow', what: 'The official takes ten times as long to review a video.' },
  {
    digits: '9111',
    scenario: 'mandate-frequency',
    what: 'The bank rejects a weekly mandate (AP27), and accepts one as and when presented.',
  },
  { digits: '9112', scenario: 'mandate-name', what: 'The bank rejects the mandate: name mismatch (AP08).' },
  { digits: '9113', scenario: 'mandate-slow', what: 'The bank takes ten times as long to register the mandate.' },
  { digits: '9114', scenario: 'mandate-withdrawn', what: 'The borrower cancels the mandate at the bank soon after.' },
  { digits: '9121', scenario: 'esign-failed', what: 'The signature fails for good: another name on the certificate.' },
  { digits: '9122', scenario: 'esign-short', what: 'The signing link expires after five seconds.' },
  { digits: '9141', scenario: 'statement-unreadable', what: 'The bank statement cannot be read.' },
  { digits: '9142', scenario: 'statement-forged', what: 'The bank statement turns out to be forged.' },
  { digits: '9143', scenario: 'statement-other', what: 'The bank statement is of another account.' },
  { digits: '9144', scenario: 'statement-thin', what: 'The bank statement has two months and low credits.' },
  { digits: '9145', scenario: 'statement-bouncing', what: 'Six debits of the last three months were returned.' },
  { digits: '9146', scenario: 'statement-owing', what: "Instalments take 72% of the account's credits." },
  { digits: '9151', scenario: 'callback-doubled', what: 'Every callback is sent twice.' },
  { digits: '9152', scenario: 'callback-disordered', what: 'The first callback arrives after the later ones.' },
  { digits: '9153', scenario: 'callback-lost', what: 'No callback is sent; only a look-up returns the result.' },
  { digits: '9154', scenario: 'callback-late', what: 'Callbacks take ten times as long.' },
  {
    digits: '9155',
    scenario: 'callback-forged',
    what: 'A forged callback arrives first, with a successful outcome and a wrong signature.',
  },
  {
    digits: '9156',
    scenario: 'reference-taken',
    what: 'The provider already has our reference, as after a restore: a request is answered by 409, and only a look-up finds it.',
  },
] as const satisfies SandboxRule[]

export type ProviderScenario = (typeof ruleTable)[number]['scenario']
/** The providers' fault rules: four digits of the PAN select the fault. Rules below 9100 have the same meaning at the lenders. */
export const rules: readonly SandboxRule<ProviderScenario>[] = ruleTable

/** The fault that a PAN selects at the providers; null if there is none. */
export const scenarioFor = (pan: string): ProviderScenario | null =>
  rules.find(({ digits }) => digits === pan.trim().slice(5, 9))?.scenario ?? null
