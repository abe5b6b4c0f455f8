// Sends seeded random faulty variants before each of a buyer app's correct requests: malformed, late and out of order.
import { type FaultCoverage, kindOf } from './message-kinds.ts'
import { isAcknowledged, type Mutation, malformedShapes, seedFrom, shuffled } from './mutations.ts'
import type { Reply } from './official-lender/directory.ts'
import type { Json } from './official-lender/wire.ts'
import { seededRandom } from './patience.ts'
import type { InjectedMessage } from './wrong-callbacks.ts'

export interface RequestInjectionPlan {
  flowId: string
  seed: string
  /** How many of each malformed shape are sent before a request. */
  tries: number
  /** The probability of sending each faulty message if the buyer has already sent this action. */
  repeatProbability: number
}

/** The faulty messages of one buyer. */
export class WrongRequests {
  readonly sent: InjectedMessage[] = []
  private readonly plan: RequestInjectionPlan
  private readonly coverage: FaultCoverage
  private readonly messages: Json[] = []

  constructor(plan: RequestInjectionPlan, coverage: FaultCoverage) {
    this.plan = plan
    this.coverage = coverage
  }

  /** Sends faulty requests before the given request, and returns a function that sends those that follow it. */
  async injectFaults(envelope: Json, send: (envelope: Json) => Promise<Reply>): Promise<() => Promise<void>> {
    const { action } = envelope.context
    const occurrence = this.messages.filter((each) => each.context.action === action).length + 1
    const random = seededRandom(seedFrom(`${this.plan.seed} ${action} ${occurrence}`))
    const isConfirmed = this.messages.some((each) => each.context.action === 'confirm')
    const sendMutation = async (wrong: Mutation, of = action, confirmed = isConfirmed): Promise<Reply | null> => {
      if (occurrence > 1 && !isConfirmed && random() > this.plan.repeatProbability) return null
      const answer = await send(wrong.envelope)
      this.sent.push({ name: `${action} ${occurrence}, ${wrong.name}`, path: wrong.path, answer })
      this.coverage.note(kindOf(this.plan.flowId, of, confirmed), wrong.sort)
      return answer
    }
    for (const earlyAction of nextActions[action] ?? []) {
      const other = { context: { ...envelope.context, action: earlyAction, message_id: crypto.randomUUID() } }
      const wrong = { ...other, message: envelope.message }
      await sendMutation(
        { sort: 'out of order', name: `${earlyAction} too early`, path: '', envelope: wrong },
        earlyAction,
        action === 'confirm',
      )
    }
    // Once the loan is confirmed, repeating the earlier requests has no effect.
    if (isConfirmed && action === 'status')
      for (const { context, message } of this.messages) {
        const fresh = { ...context, message_id: crypto.randomUUID(), timestamp: new Date().toISOString() }
        const wrong = { context: fresh, message }
        const of = context.action
        await sendMutation(
          { sort: 'out of order', name: `${of} as if new`, path: '', envelope: wrong },
          of,
          !beforeLoan.includes(of),
        )
      }
    await this.sendWrong(envelope, random, sendMutation)
    return async () => void (await this.sendAgain(envelope, send, sendMutation))
  }

  /** Sends malformed shapes and an old timestamp in random order. */
  private async sendWrong(
    envelope: Json,
    random: () => number,
    sendMutation: (wrong: Mutation) => Promise<Reply | null>,
  ): Promise<void> {
    const timestamp = new Date(Date.now() - 3_600_000).toISOString()
    const old = { ...envelope, context: { ...envelope.context, timestamp } }
    const late: Mutation = { sort: 'late', name: 'an hour old', path: '', envelope: old }
    for (const wrong of shuffled([...malformedShapes(envelope, random, this.plan.tries), late], random)) {
      const { context } = wrong.envelope
      const fresh = { ...context, message_id: crypto.randomUUID() }
      await sendMutation(context?.message_id ? { ...wrong, envelope: { ...wrong.envelope, context: fresh } } : wrong)
    }
  }

  private async sendAgain(
    envelope: Json,
    send: (envelope: Json) => Promise<Reply>,
    sendMutation: (wrong: Mutation) => Promise<Reply | null>,
  ): Promise<void> {
    this.messages.push(envelope)
    const answer = await sendMutation({ sort: 'repeated', name: 'once more', path: '', envelope })
    if (answer && !isAcknowledged(answer) && isAcknowledged(await send(envelope)))
      throw new Error('a repeated request was rejected and then accepted')
  }
}

const beforeLoan = ['search', 'select', 'init', 'confirm']

const nextActions: Record<string, string[]> = {
  search: ['select'],
  select: ['init'],
  init: ['confirm', 'status'],
  confirm: ['status', 'update', 'issue', 'issue_status'],
}
