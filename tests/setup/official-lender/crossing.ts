// When messages cross, the strict lender allows a request after any action that the buyer saw last (FIS12 §4.1).
import { isDeepStrictEqual } from 'node:util'
import type { Talk, TalkMessage } from './talk.ts'
import type { Json } from './wire.ts'

interface EarlierMessage {
  message: TalkMessage
  isKnown: boolean
}

/** Returns the messages before a request, and whether the buyer knew each of them at the time of the request. */
export const messagesBefore = ({ messages }: Talk, { timestamp }: Json): EarlierMessage[] =>
  messages.map((each) => {
    const { direction, acknowledgedAt = Infinity } = each
    return { message: each, isKnown: direction === 'received' || acknowledgedAt <= Date.parse(timestamp) }
  })

/** Complaints are sequenced separately from the loan (FIS12 §20). */
const isOfGrievance = (action: string): boolean => /^(on_)?issue/.test(action)

/** Returns the last action that the buyer surely knew, and later actions, which may have crossed the request. */
export function possiblePredecessors(before: readonly EarlierMessage[], action: string): string[] {
  const own = before.filter(({ message }) => isOfGrievance(message.action) === isOfGrievance(action))
  const from = own.findLastIndex(({ isKnown }) => isKnown)
  const actions = own.slice(Math.max(from, 0)).map(({ message }) => message.action)
  return from < 0 ? ['start', ...actions] : actions
}

/** Whether the newest request repeats the previous one, whose answer was delayed too long (FIS12 §3.3). */
export function isRetryAfterLateAnswer({ messages, lateAnswers }: Talk, action: string, message: Json): boolean {
  const [previous, newest] = messages.filter(({ direction }) => direction === 'received').slice(-2)
  if (!newest || previous!.action !== action || !isDeepStrictEqual(previous!.message, message)) return false
  return lateAnswers.has(previous!.context.message_id)
}
