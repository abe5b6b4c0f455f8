// One conversation of the strict lender: the steps of its flow as data, and the buyer's position in it.
import { randomUUID } from 'node:crypto'
import { deadlineMs } from '../deadline.ts'
import type { Version } from './strict.ts'
import { type Loan, loanOf, paise } from './sums.ts'
import type { Json } from './wire.ts'

/** A step in which the lender answers a request with a message or an error. */
export interface AnswerStep {
  on: string
  contentOf: (talk: Talk, message: Json) => Json | Promise<Json>
  /** Checks of the request beyond those of its action. */
  check?: (talk: Talk, message: Json) => (string | false)[]
  /** Whether the buyer may skip this step. */
  optional?: boolean
}

/** A step in which the lender sends an unsolicited message, at once or after the borrower's visit to a page. */
export interface PushStep {
  push: string
  after: string | null
  contentOf: (talk: Talk) => Json | Promise<Json>
}

export type Step = AnswerStep | PushStep

export interface Flow {
  id: string
  version: Version
  /** The domain of its messages; ONDC:FIS12 by default. */
  domain?: 'ONDC:FIS12:SL'
  product: 'PERSONAL_LOAN' | 'GOLD_LOAN' | 'LOAN'
  steps: readonly Step[]
  /** Only of a drawdown: the flow that opens its line before, in a transaction of its own. */
  line?: Flow
  /** The number of steps after which the buyer may stop, because the published flow ends there. */
  mayEndAfter?: number
  /** The lender's forms by name. */
  forms?: Record<string, FormField[]>
  /** Whether the lender reports progress by stops, as version 2.0.3 does since summer 2026. */
  hasStops?: boolean
  /**
   * The lender reports the end of no page, as the flows of 2.0.1 do not. Either the page calls the buyer app from the
   * borrower's browser, or only the borrower knows.
   */
  silentPages?: 'call' | 'silent'
  /** The loan that is offered, if the borrower cannot choose an amount. */
  loan?: Loan
  /** Whether the lender deviates as published ones do: in durations, a repeated row of the quote, a new provider id. */
  deviates?: boolean
}

export interface FormField {
  name: string
  required: boolean
  options?: readonly string[]
  kind?: 'checkbox' | 'file'
}

export const answerStep = (on: string, contentOf: AnswerStep['contentOf'], more: Partial<AnswerStep> = {}): Step => ({
  on,
  contentOf,
  ...more,
})
export const pushStep = (push: string, after: string | null, contentOf: PushStep['contentOf']): Step => ({
  push,
  after,
  contentOf,
})

export interface TalkMessage {
  direction: 'received' | 'sent'
  action: string
  context: Json
  message: Json
  at: number
  /** When the buyer acknowledged a sent message. */
  acknowledgedAt?: number
}

/** Requests consents at the account aggregator, which is not part of the network, and reads whether they were given. */
export interface Consents {
  ask(customer: string, purpose: 'underwriting' | 'monitoring' | 'holdings'): Promise<string>
  isGiven(handle: string): Promise<boolean>
}

type TalkContext = Pick<Talk, 'transactionId' | 'url' | 'consents' | 'buyer' | 'line'>

export class Talk {
  readonly flow: Flow
  readonly transactionId: string
  readonly url: string
  readonly consents: Consents
  readonly buyer: { id: string; uri: string }
  /** Only of a drawdown: the conversation in which its line was opened. */
  readonly line: Talk | null
  readonly messages: TalkMessage[] = []
  readonly faults: string[] = []
  /** Submitted forms and completed pages, by name. */
  readonly forms = new Map<string, { submissionId: string; answers: Record<string, string> }>()
  readonly pages = new Map<string, string>()
  readonly facts = new Map<string, string>()
  position = 0
  /** Number of requests and pages in progress. */
  pending = 0
  /** Message ids of requests whose answers were delayed beyond the buyer's timeout. */
  readonly lateAnswers = new Set<string>()
  /** The newest order, for status answers. */
  order: Json = null
  private readonly ids = new Map<string, string>()

  constructor(flow: Flow, about: TalkContext) {
    this.flow = flow
    this.transactionId = about.transactionId
    this.url = about.url
    this.consents = about.consents
    this.buyer = about.buyer
    this.line = about.line
  }

  get isOver(): boolean {
    const { steps, mayEndAfter = Infinity } = this.flow
    if (this.position >= mayEndAfter) return true
    return steps.slice(this.position).every((step) => 'on' in step && step.optional === true)
  }

  /** Waits until the lender has sent everything. The last message, such as the end of a complaint, has no answer. */
  async untilOver(): Promise<void> {
    const deadline = Date.now() + deadlineMs
    while (!this.isOver || this.pending > 0) {
      if (Date.now() > deadline) throw new Error(`the flow ended at step ${this.position}: ${this.faults}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  /** Returns a generated id, the same for the same name. */
  id(name: string): string {
    const known = this.ids.get(name) ?? `${name}_${randomUUID()}`
    this.ids.set(name, known)
    return known
  }

  formUrl(name: string): string {
    return `${this.url}/forms/${this.transactionId}/${name}`
  }

  pageUrl(name: string): string {
    const address = `${this.url}/pages/${this.transactionId}/${name}`
    return this.flow.hasStops ? `${address}?${this.visitQuery}` : address
  }

  /** The query of a page with which it tells the buyer app that the borrower is done. */
  get visitQuery(): URLSearchParams {
    return new URLSearchParams({ transaction_id: this.transactionId, bap_uri: this.buyer.uri })
  }

  get domain(): string {
    return this.flow.domain ?? 'ONDC:FIS12'
  }

  answer(form: string, field: string): string {
    return this.forms.get(form)?.answers[field] ?? ''
  }

  /** Submission id of a form or page, which the buyer has to repeat. */
  submission(name: string): string {
    return this.forms.get(name)?.submissionId ?? this.pages.get(name) ?? 'none'
  }

  get firstLoan(): Loan {
    return this.flow.loan ?? loanOf(300_000_00n, 12)
  }

  get loan(): Loan {
    const amount = this.answer('AMOUNT', 'requestAmount')
    const months = this.answer('AMOUNT', 'requestTerm')
    return amount === '' ? this.firstLoan : loanOf(paise(amount), Number(months))
  }
}
