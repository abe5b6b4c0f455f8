// A buyer app's requests sent wrong by a chance that repeats: each before it is sent right, in shape, in time and out of its order.
import { type FaultCoverage, kindOf } from './message-kinds.ts'
import { isAcknowledged, type Mutation, malformedShapes, seedFrom, shuffled } from './mutations.ts'
import type { Reply } from './official-lender/directory.ts'
import type { Json } from './official-lender/wire.ts'
import { seededRandom } from './patience.ts'
import type { InjectedMessage } from './wrong-callbacks.ts'

export interface RequestInjectionPlan {
  flowId: string
  /** What chance begins with. */
  seed: string
  /** How many of each wrong shape come before a request. */
  tries: number
  /** How likely each of them is sent, where the buyer has said something of this action before. */
  repeatProbability: number
}

/** What one buyer says wrong. */
export class WrongRequests {
  readonly sent: InjectedMessage[] = []
  private readonly course: RequestInjectionPlan
  private readonly reached: FaultCoverage
  private readonly messages: Json[] = []

  constructor(course: RequestInjectionPlan, reached: FaultCoverage) {
    this.course = course
    this.reached = reached
  }

  /** Sends wrong ones before a request that is about to be sent, and gives what is to be sent after it. */
  async injectFaults(envelope: Json, send: (envelope: Json) => Promise<Reply>): Promise<() => Promise<void>> {
    const { action } = envelope.context
    const nth = this.messages.filter((each) => each.context.action === action).length + 1
    const random = seededRandom(seedFrom(`${this.course.seed} ${action} ${nth}`))
    const isConfirmed = this.messages.some((each) => each.context.action === 'confirm')
    const say = async (wrong: Mutation, of = action, confirmed = isConfirmed): Promise<Reply | null> => {
      if (nth > 1 && !isConfirmed && random() > this.course.repeatProbability) return null
      const answer = await send(wrong.envelope)
      this.sent.push({ name: `${action} ${nth}, ${wrong.name}`, path: wrong.path, answer })
      this.reached.note(kindOf(this.course.flowId, of, confirmed), wrong.sort)
      return answer
    }
    for (const early of following[action] ?? []) {
      const other = { context: { ...envelope.context, action: early, message_id: crypto.randomUUID() } }
      const wrong = { ...other, message: envelope.message }
      await say(
        { sort: 'out of order', name: `${early} too early`, path: '', envelope: wrong },
        early,
        action === 'confirm',
      )
    }
    // Once the loan is placed, nothing that led to it leads anywhere.
    if (isConfirmed && action === 'status')
      for (const { context, message } of this.messages) {
        const fresh = { ...context, message_id: crypto.randomUUID(), timestamp: new Date().toISOString() }
        const wrong = { context: fresh, message }
        const of = context.action
        await say(
          { sort: 'out of order', name: `${of} as if new`, path: '', envelope: wrong },
          of,
          !beforeLoan.includes(of),
        )
      }
    await this.sendWrong(envelope, random, say)
    return async () => void (await this.sendAgain(envelope, send, say))
  }

  /** Wrong shapes and an old time, in a random order, until one is taken. */
  private async sendWrong(
    envelope: Json,
    random: () => number,
    say: (wrong: Mutation) => Promise<Reply | null>,
  ): Promise<void> {
    const timestamp = new Date(Date.now() - 3_600_000).toISOString()
    const old = { ...envelope, context: { ...envelope.context, timestamp } }
    const late: Mutation = { sort: 'late', name: 'an hour old', path: '', envelope: old }
    for (const wrong of shuffled([...malformedShapes(envelope, random, this.course.tries), late], random)) {
      const { context } = wrong.envelope
      const fresh = { ...context, message_id: crypto.randomUUID() }
      await say(context?.message_id ? { ...wrong, envelope: { ...wrong.envelope, context: fresh } } : wrong)
    }
  }

  private async sendAgain(
    envelope: Json,
    send: (envelope: Json) => Promise<Reply>,
    say: (wrong: Mutation) => Promise<Reply | null>,
  ): Promise<void> {
    this.messages.push(envelope)
    const answer = await say({ sort: 'repeated', name: 'once more', path: '', envelope })
    if (answer && !isAcknowledged(answer) && isAcknowledged(await send(envelope)))
      throw new Error('a request is turned away and taken in turn')
  }
}

const beforeLoan = ['search', 'select', 'init', 'confirm']

const following: Record<string, string[]> = {
  search: ['select'],
  select: ['init'],
  init: ['confirm', 'status'],
  confirm: ['status', 'update', 'issue', 'issue_status'],
}
