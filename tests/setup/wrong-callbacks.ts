// Sends seeded random faulty variants before each of a lender's correct callbacks: malformed, late and out of order.
import { type FaultCoverage, kindOf } from './message-kinds.ts'
import { isAcknowledged, type Mutation, malformedShapes, seedFrom, shuffled } from './mutations.ts'
import type { Reply } from './official-lender/directory.ts'
import type { Talk, TalkMessage } from './official-lender/talk.ts'
import type { Json } from './official-lender/wire.ts'
import { seededRandom } from './patience.ts'

export interface InjectedMessage {
  name: string
  path: string
  answer: Reply
}

export interface InjectionPlan {
  seed: string
  /** How many of each malformed shape are sent before a message. */
  tries: number
  /** The probability that faulty messages precede a message. */
  injectionProbability: number
  /** The probability of sending each faulty message if the journey has already had a message of this kind. */
  repeatProbability: number
  /** For how many milliseconds one response of the journey is delayed so that it is late; null for no delay. */
  delayMs: number | null
}

/** The faulty messages of one journey's lender. */
export class WrongCallbacks {
  readonly sent: InjectedMessage[] = []
  private readonly plan: InjectionPlan
  private readonly coverage: FaultCoverage
  private readonly counts = new Map<string, number>()
  private readonly kinds = new Map<string, string>()
  private answerCount = 0
  private readonly lateAnswerIndex: number

  constructor(plan: InjectionPlan, coverage: FaultCoverage) {
    this.plan = plan
    this.coverage = coverage
    this.lateAnswerIndex = Math.abs(seedFrom(plan.seed)) % 6
  }

  /** Sends faulty messages before the given message, and returns a function that sends those that follow it. */
  async injectFaults(
    talk: Talk,
    envelope: Json,
    send: (envelope: Json) => Promise<Reply>,
  ): Promise<() => Promise<void>> {
    const { action, message_id: messageId } = envelope.context
    const occurrence = (this.counts.get(action) ?? 0) + 1
    this.counts.set(action, occurrence)
    const random = seededRandom(seedFrom(`${this.plan.seed} ${action} ${occurrence}`))
    const before = talk.messages.filter(({ direction }) => direction === 'sent')
    const kind = kindOf(
      talk.flow.id,
      action,
      before.some((each) => each.action === 'on_confirm'),
    )
    const { injectionProbability, repeatProbability } = this.plan
    const isNew = ![...this.kinds.values()].includes(kind)
    this.kinds.set(messageId, kind)
    if (random() > injectionProbability) return async () => {}
    const sendMutation = async (wrong: Mutation, kindToNote = kind): Promise<void> => {
      if (!isNew && random() > repeatProbability) return
      const answer = await send(wrong.envelope)
      this.sent.push({ name: `${action} ${occurrence}, ${wrong.name}`, path: wrong.path, answer })
      this.coverage.note(kindToNote, wrong.sort)
    }
    await this.sendOld(before, envelope, random, sendMutation)
    if (!(await this.delayAnswer(talk, envelope, kind))) await this.sendWrong(envelope, random, sendMutation)
    return async () => {
      const { context, message } = envelope
      await sendMutation({ sort: 'repeated', name: 'once more', path: '', envelope })
      const fresh = { ...context, message_id: crypto.randomUUID(), timestamp: new Date().toISOString() }
      await sendMutation({ sort: 'out of order', name: 'as if new', path: '', envelope: { context: fresh, message } })
    }
  }

  /** Repeats an old message, and sends the next one too early. */
  private async sendOld(
    before: TalkMessage[],
    { context, message }: Json,
    random: () => number,
    sendMutation: (wrong: Mutation, kindToNote?: string) => Promise<void>,
  ): Promise<void> {
    const earlyAction = nextAction[context.action]
    if (earlyAction && random() < 0.5) {
      const envelope = { context: { ...context, action: earlyAction, message_id: crypto.randomUUID() }, message }
      await sendMutation({ sort: 'out of order', name: `${earlyAction} too early`, path: '', envelope })
    }
    const [old] = shuffled(before, random)
    if (!old) return
    const kindToNote = this.kinds.get(old.context.message_id)
    const envelope = { context: old.context, message: old.message }
    await sendMutation({ sort: 'repeated', name: `${old.action} again`, path: '', envelope }, kindToNote)
  }

  /** Sends malformed shapes and an old timestamp in random order, because one that is accepted blocks the others. */
  private async sendWrong(
    envelope: Json,
    random: () => number,
    sendMutation: (wrong: Mutation) => Promise<void>,
  ): Promise<void> {
    const timestamp = new Date(Date.now() - 3_600_000).toISOString()
    const old = { ...envelope, context: { ...envelope.context, timestamp } }
    const late: Mutation = { sort: 'late', name: 'an hour old', path: '', envelope: old }
    for (const wrong of shuffled([...malformedShapes(envelope, random, this.plan.tries), late], random))
      await sendMutation(wrong)
  }

  /** Delays one response of a journey until it has been requested again. */
  private async delayAnswer(talk: Talk, { context }: Json, kind: string): Promise<boolean> {
    const isAnswer = talk.messages.some(
      (each) => each.direction === 'received' && each.context.message_id === context.message_id,
    )
    if (this.plan.delayMs === null || !isAnswer || context.action === 'on_search') return false
    if (this.answerCount++ !== this.lateAnswerIndex) return false
    talk.lateAnswers.add(context.message_id)
    await new Promise((resolve) => setTimeout(resolve, this.plan.delayMs!))
    this.coverage.note(kind, 'late')
    return true
  }
}

const nextAction: Record<string, string> = {
  on_search: 'on_select',
  on_select: 'on_init',
  on_init: 'on_confirm',
  on_confirm: 'on_update',
  on_issue: 'on_issue_status',
}

/** Wrong responses to faulty messages: neither accepted, nor rejected with a code and, for a field, a path. */
export function faultsOfAnswers(sent: readonly InjectedMessage[], shapeCode: string): string[] {
  return sent.flatMap(({ name, path, answer }) => {
    if (isAcknowledged(answer)) return []
    const { status, body } = answer
    const problem = `${name}: ${status} ${JSON.stringify(body)}`
    const { message, error } = body ?? {}
    const isNack = status > 0 && status < 500 && message?.ack?.status === 'NACK' && /^\d{3,5}$/.test(error?.code ?? '')
    const lacksPath = error?.code === shapeCode && path !== '' && !/^\$\.(context|message)/.test(error.path ?? '')
    return isNack && !lacksPath ? [] : [problem]
  })
}
