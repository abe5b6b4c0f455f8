// What a verification is, and what tells one provider from another: a table of states, its words, its papers, its page.
import { ProviderApplicant, requestFields } from '#contract/provider/request.ts'
import type { SandboxRule } from '#contract/sandbox/fault-products.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Html } from '#kit/http/markup.ts'
import { type Static, type TSchema, Type } from '#kit/http/schema.ts'
import type { Table } from '#kit/runtime/machine.ts'

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

/** The part of a request that is the same for every provider. */
export const VerificationRequest = Type.Object({ ...requestFields, person: ProviderApplicant })
export type VerificationRequest = Static<typeof VerificationRequest>

/** The file that a request is about; null for one that is about none. */
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
  /** How often the borrower has tried in vain. */
  attempt: number
  scenario: ProviderScenario | null
  pageExpiresAt: Date
  createdAt: Date
  updatedAt: Date
}

export type VerificationFacts = Record<string, unknown>

/** A decision: the move, and the provider's own code unless it is a success. */
export interface ProviderDecision {
  move: VerificationMove
  reasonCode?: string
}

/** A decision behind the provider, after a multiple of the usual delay. */
interface DelayedDecision extends ProviderDecision {
  times: number
}

export interface Paper {
  kind: string
  contentType: 'application/pdf' | 'video/mp4'
  bytes: Buffer
}

export const outcomes = ['approve', 'decline', 'lapse', 'hang-up'] as const
export type CheckOutcome = (typeof outcomes)[number]

interface PageText {
  title: string
  body: Html
  approve: string
  decline: string
  /** Shown when the borrower must repeat it. */
  again: string
  /** Endings beside the two, for the sandbox. */
  more?: [outcome: CheckOutcome, label: string][]
}

// biome-ignore lint/suspicious/noExplicitAny: providers of every request live in one list
export interface Provider<A extends VerificationRequest = any> {
  kind: VerificationKind
  /** As borrowers know it. */
  brand: string
  request: TSchema
  reply: TSchema
  initial: string
  /** The state in which everything went well. */
  best: string
  machine: Table<string, VerificationMove>
  /** The effect of the borrower's decision; `again` when it must be repeated. */
  borrower(of: ProviderVerification<A>, outcome: CheckOutcome): ProviderDecision | 'again'
  /** The decision of an official, a bank or an analyser in this state; null when none is awaited. */
  behind(of: ProviderVerification<A>): DelayedDecision | null
  /** The data that a state adds. Random digits are passed in. */
  facts?(of: ProviderVerification<A>, at: Date, digits: string): VerificationFacts
  /** The papers that a state brings. `upload` gives what was handed in. */
  papers(of: ProviderVerification<A>, at: Date, upload: (fileId: string) => Promise<Buffer>): Promise<Paper[]>
  /** Effects on other tables, in the same transaction. */
  entered?(tx: Tx, of: ProviderVerification<A>, at: Date): Promise<void>
  /** The part of an answer that is this provider's own. */
  details(of: ProviderVerification<A>): object
  page(of: ProviderVerification<A>): PageText
}

/** A link that a rule makes short. */
const shortSeconds = 5
const usualPageSeconds = 3600

export const pageSecondsOf = (
  kind: VerificationKind,
  { page_seconds }: VerificationRequest,
  scenario: ProviderScenario | null,
): number => (scenario === `${kind}-short` ? shortSeconds : (page_seconds ?? usualPageSeconds))

/** Later than every change before it, also when the clock has stood still or gone back. */
export const afterLast = ({ updatedAt }: Pick<ProviderVerification, 'updatedAt'>, now: Date): Date =>
  now.getTime() > updatedAt.getTime() ? now : new Date(updatedAt.getTime() + 1)

const table = [
  { digits: '9006', scenario: 'kyc-rejected', what: 'KYC is rejected, whatever the borrower does.' },
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
  { digits: '9121', scenario: 'esign-failed', what: 'The signature fails finally: another name on the certificate.' },
  { digits: '9122', scenario: 'esign-short', what: 'The link for signing expires after five seconds.' },
  { digits: '9141', scenario: 'statement-unreadable', what: 'The bank statement cannot be read.' },
  { digits: '9142', scenario: 'statement-forged', what: 'The bank statement turns out to be forged.' },
  { digits: '9143', scenario: 'statement-other', what: 'The bank statement is of another account.' },
  {
    digits: '9144',
    scenario: 'statement-thin',
    what: 'The bank statement covers only two months, with little income.',
  },
  { digits: '9145', scenario: 'statement-bouncing', what: 'Six debits of the last three months were returned.' },
  { digits: '9146', scenario: 'statement-owing', what: 'EMIs take 72% of the account’s inflow.' },
  { digits: '9151', scenario: 'callback-doubled', what: 'Every callback is sent twice.' },
  { digits: '9152', scenario: 'callback-disordered', what: 'The first callback arrives after later ones.' },
  { digits: '9153', scenario: 'callback-lost', what: 'No callback is sent: only a look-up shows the result.' },
  { digits: '9154', scenario: 'callback-late', what: 'Callbacks take ten times as long.' },
  {
    digits: '9155',
    scenario: 'callback-forged',
    what: 'An unknown caller calls back first, with a success and a wrong signature.',
  },
] as const satisfies SandboxRule[]

export type ProviderScenario = (typeof table)[number]['scenario']
/** The providers' sandbox rules: four digits of the PAN decide what goes wrong. Those below 9100 mean the same at the lenders. */
export const rules: readonly SandboxRule<ProviderScenario>[] = table

/** What the PAN asks of the providers; null for an ordinary borrower. */
export const scenarioFor = (pan: string): ProviderScenario | null =>
  rules.find(({ digits }) => digits === pan.trim().slice(5, 9))?.scenario ?? null
