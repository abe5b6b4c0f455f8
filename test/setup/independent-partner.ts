// A lending partner written independently from the published document: one lender with a memory, and no more than is asked for.
import {
  type Answer,
  type Json,
  type Onboarding,
  onboarding,
  type Published,
  type ReceivedRequest,
  receipts,
  startIndependent,
} from './independent.ts'
import { addition, type Fate, LentCase } from './independent-loan.ts'

export class IndependentPartner {
  /** By the PAN. */
  readonly fateOf: (pan: string) => Fate
  readonly me: Onboarding
  readonly #them: Onboarding
  readonly cases = new Map<string, LentCase>()
  readonly #receipt = receipts()
  #server: Awaited<ReturnType<typeof startIndependent>> | undefined
  #document: Published | undefined

  constructor(platformSender: string, fateOf: (pan: string) => Fate) {
    this.fateOf = fateOf
    this.me = onboarding('STRANGE_LENDER')
    this.#them = onboarding(platformSender)
  }

  /** What the platform is told of it. */
  async start(): Promise<{ PARTNER_URL: string; PARTNER_CREDENTIALS: string }> {
    const operations = {
      'POST /dedupe': 'dedupe',
      'POST /events': 'platformEvent',
      'POST /documents': 'uploadDocument',
      'GET /status': 'status',
    }
    this.#server = await startIndependent(operations, this.#them, async (received) => {
      const { status, body } = await this.#answer(received)
      return { status, body: { ...body, ...addition } }
    })
    const { sender, bearer, keyId, secret } = this.me
    const webhook = { sender, bearer, keys: [{ keyId, secret }] }
    return { PARTNER_URL: this.#server.url, PARTNER_CREDENTIALS: JSON.stringify({ ...this.#them, webhook }) }
  }

  get faults(): string[] {
    return [...this.#server!.faults, ...[...this.cases.values()].flatMap(({ faults }) => faults)]
  }

  read(document: Published): void {
    this.#document = document
    this.#server!.read(document)
  }

  async #answer({ operationId, headers, query, body, form }: ReceivedRequest): Promise<Answer> {
    const caseRef = body?.correlation?.external_reference_id ?? form?.get('external_reference_id')
    if (operationId === 'dedupe') return { status: 200, body: this.#checked(body) }
    if (operationId === 'uploadDocument') return this.cases.get(String(caseRef))!.store(form!)
    if (operationId === 'status') {
      const loanCase = this.cases.get(query.get('external_reference_id')!)
      if (loanCase) return { status: 200, body: loanCase.status(String(headers['x-request-id'])) }
      const error = { code: 'NOT_FOUND', message: 'no such case', retryable: false, fields: [] }
      return { status: 404, body: { request_id: headers['x-request-id'], error } }
    }
    const { isNew, ...receipt } = this.#receipt(body)
    if (body.event_type === 'LEAD_SUBMITTED' && !this.cases.has(caseRef))
      this.cases.set(caseRef, new LentCase(this.#document!, this.me, caseRef, this.fateOf(body.data.borrower.pan)))
    if (isNew) this.cases.get(caseRef)!.take(body)
    return receipt
  }

  #checked({ request_id, external_reference_id, applicant }: Json): Json {
    const example = this.#document!.example('DedupeReply', new Date())
    const decision = this.fateOf(applicant.pan) === 'DECLINE' ? 'DECLINE' : 'PROCEED'
    return { ...example, request_id, external_reference_id, decision }
  }
}
