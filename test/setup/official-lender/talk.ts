// What the other lender plays in one transaction: the steps of a flow as data, and how far the buyer has come in it.
import { randomUUID } from 'node:crypto'
import type { Version } from './strict.ts'
import { type Loan, loanOf, paise } from './sums.ts'
import type { Json } from './wire.ts'

/** The lender waits for a request and answers it, with a message or with an error. */
export interface AnswerStep {
  on: string
  contentOf: (talk: Talk, message: Json) => Json | Promise<Json>
  /** What this step asks of the request beyond what its action always must have. */
  check?: (talk: Talk, message: Json) => (string | false)[]
  /** Another request may come instead; then the step is left out. */
  optional?: boolean
}

/** The lender speaks unasked: at once, or when the borrower has been on a page of its own. */
export interface PushStep {
  push: string
  after: string | null
  contentOf: (talk: Talk) => Json | Promise<Json>
}

export type Step = AnswerStep | PushStep

export interface Flow {
  id: string
  version: Version
  product: 'PERSONAL_LOAN' | 'GOLD_LOAN' | 'LOAN'
  steps: readonly Step[]
  /** What the lender has to offer to these forms, by their names in this flow. */
  forms?: Record<string, FormField[]>
}

export interface FormField {
  name: string
  required: boolean
  options?: readonly string[]
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
  /** When the buyer acknowledged it, of what was sent. */
  acknowledgedAt?: number
}

/** Asks for a consent of the borrower with this handle, and whether it was given; the aggregator is no part of the network. */
export interface Consents {
  ask(customer: string, purpose: 'underwriting' | 'monitoring' | 'holdings'): Promise<string>
  isGiven(handle: string): Promise<boolean>
}

export class Talk {
  readonly flow: Flow
  readonly transactionId: string
  readonly url: string
  readonly consents: Consents
  readonly buyer: { id: string; uri: string }
  readonly messages: TalkMessage[] = []
  readonly faults: string[] = []
  /** Answers to the borrower's forms, and what became of the pages, by name. */
  readonly forms = new Map<string, { submissionId: string; answers: Record<string, string> }>()
  readonly pages = new Map<string, string>()
  readonly facts = new Map<string, string>()
  position = 0
  /** How many requests and pages it is busy with. */
  pending = 0
  /** The requests whose answers were held back until nobody waited for them any more, by message id. */
  readonly lateAnswers = new Set<string>()
  /** The last order that was stated, as a question for the status is answered. */
  order: Json = null
  private readonly ids = new Map<string, string>()

  constructor(flow: Flow, about: { transactionId: string; url: string; consents: Consents; buyer: Talk['buyer'] }) {
    this.flow = flow
    this.transactionId = about.transactionId
    this.url = about.url
    this.consents = about.consents
    this.buyer = about.buyer
  }

  get isOver(): boolean {
    return this.flow.steps.slice(this.position).every((step) => 'on' in step && step.optional === true)
  }

  /** An id of the lender's own making: the same for the same name. */
  id(name: string): string {
    const known = this.ids.get(name) ?? `${name}_${randomUUID()}`
    this.ids.set(name, known)
    return known
  }

  formUrl(name: string): string {
    return `${this.url}/forms/${this.transactionId}/${name}`
  }

  pageUrl(name: string): string {
    return `${this.url}/pages/${this.transactionId}/${name}`
  }

  answer(form: string, field: string): string {
    return this.forms.get(form)?.answers[field] ?? ''
  }

  /** Of a form or a page; what the buyer has to repeat. */
  submission(name: string): string {
    return this.forms.get(name)?.submissionId ?? this.pages.get(name) ?? 'none'
  }

  /** As it was first offered, and as the borrower asked for it. */
  get firstLoan(): Loan {
    return loanOf(300_000_00n, 12)
  }

  get loan(): Loan {
    const [amount, months] = [this.answer('AMOUNT', 'requestAmount'), this.answer('AMOUNT', 'requestTerm')]
    return amount === '' ? this.firstLoan : loanOf(paise(amount), Number(months))
  }
}
