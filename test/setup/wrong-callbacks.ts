// A lender's callbacks sent wrong by a chance that repeats: each before it is sent right, in shape, in time and out of its order.
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
  /** What chance begins with. */
  seed: string
  /** How many of each wrong shape come before a message. */
  tries: number
  /** How likely a message is preceded by wrong ones. */
  injectionProbability: number
  /** How likely each of them is sent, where the journey has had a message of this kind before. */
  repeatProbability: number
  /** For how many milliseconds one answer of the journey is held back, so that it comes too late; null when none is. */
  delayMs: number | null
}

/** What one journey's lender says wrong. */
export class WrongCallbacks {
  readonly sent: InjectedMessage[] = []
  private readonly course: InjectionPlan
  private readonly reached: FaultCoverage
  private readonly counts = new Map<string, number>()
  private readonly kinds = new Map<string, string>()
  private answers = 0
  /** Which answer is the late one. */
  private readonly late: number

  constructor(course: InjectionPlan, reached: FaultCoverage) {
    this.course = course
    this.reached = reached
    this.late = Math.abs(seedFrom(course.seed)) % 6
  }

  /** Sends wrong ones before a message that is about to be sent, and gives what is to be sent after it. */
  async injectFaults(
    talk: Talk,
    envelope: Json,
    send: (envelope: Json) => Promise<Reply>,
  ): Promise<() => Promise<void>> {
    const { action, message_id: messageId } = envelope.context
    const nth = (this.counts.get(action) ?? 0) + 1
    this.counts.set(action, nth)
    const random = seededRandom(seedFrom(`${this.course.seed} ${action} ${nth}`))
    const before = talk.messages.filter(({ direction }) => direction === 'sent')
    const kind = kindOf(
      talk.flow.id,
      action,
      before.some((each) => each.action === 'on_confirm'),
    )
    const { injectionProbability, repeatProbability } = this.course
    const isNew = ![...this.kinds.values()].includes(kind)
    this.kinds.set(messageId, kind)
    if (random() > injectionProbability) return async () => {}
    const say = async (wrong: Mutation, of = kind): Promise<void> => {
      if (!isNew && random() > repeatProbability) return
      const answer = await send(wrong.envelope)
      this.sent.push({ name: `${action} ${nth}, ${wrong.name}`, path: wrong.path, answer })
      this.reached.note(of, wrong.sort)
    }
    await this.sendOld(before, envelope, random, say)
    if (!(await this.heldBack(talk, envelope, kind))) await this.sendWrong(envelope, random, say)
    return async () => {
      const { context, message } = envelope
      await say({ sort: 'repeated', name: 'once more', path: '', envelope })
      const fresh = { ...context, message_id: crypto.randomUUID(), timestamp: new Date().toISOString() }
      await say({ sort: 'out of order', name: 'as if new', path: '', envelope: { context: fresh, message } })
    }
  }

  /** An old message again, and what comes next before its time. */
  private async sendOld(
    before: TalkMessage[],
    { context, message }: Json,
    random: () => number,
    say: (wrong: Mutation, of?: string) => Promise<void>,
  ): Promise<void> {
    const early = following[context.action]
    if (early && random() < 0.5) {
      const envelope = { context: { ...context, action: early, message_id: crypto.randomUUID() }, message }
      await say({ sort: 'out of order', name: `${early} too early`, path: '', envelope })
    }
    const [old] = shuffled(before, random)
    if (!old) return
    const of = this.kinds.get(old.context.message_id)
    const envelope = { context: old.context, message: old.message }
    await say({ sort: 'repeated', name: `${old.action} again`, path: '', envelope }, of)
  }

  /** Wrong shapes and an old time, in a random order: what is taken first stands in the way of the others. */
  private async sendWrong(
    envelope: Json,
    random: () => number,
    say: (wrong: Mutation) => Promise<void>,
  ): Promise<void> {
    const timestamp = new Date(Date.now() - 3_600_000).toISOString()
    const old = { ...envelope, context: { ...envelope.context, timestamp } }
    const late: Mutation = { sort: 'late', name: 'an hour old', path: '', envelope: old }
    for (const wrong of shuffled([...malformedShapes(envelope, random, this.course.tries), late], random))
      await say(wrong)
  }

  /** One answer of a journey comes after its time, when it has been asked for again. */
  private async heldBack(talk: Talk, { context }: Json, kind: string): Promise<boolean> {
    const isAnswer = talk.messages.some(
      (each) => each.direction === 'received' && each.context.message_id === context.message_id,
    )
    if (this.course.delayMs === null || !isAnswer || context.action === 'on_search') return false
    if (this.answers++ !== this.late) return false
    talk.lateAnswers.add(context.message_id)
    await new Promise((resolve) => setTimeout(resolve, this.course.delayMs!))
    this.reached.note(kind, 'late')
    return true
  }
}

const following: Record<string, string> = {
  on_search: 'on_select',
  on_select: 'on_init',
  on_init: 'on_confirm',
  on_confirm: 'on_update',
  on_issue: 'on_issue_status',
}

/** What is wrong with how wrong messages were answered: neither taken, nor turned away with a code, and a path where it is a field. */
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
