// What a request may follow in the eyes of the other lender, where messages cross on their way (FIS12 §4.1).
import { isDeepStrictEqual } from 'node:util'
import type { Talk, TalkMessage } from './talk.ts'
import type { Json } from './wire.ts'

interface Before {
  message: TalkMessage
  isKnown: boolean
}

/** The messages before a request, and whether the buyer had sent or acknowledged each when it made the request. */
export const messagesBefore = ({ messages }: Talk, { timestamp }: Json): Before[] =>
  messages.map((each) => {
    const { direction, acknowledgedAt = Infinity } = each
    return { message: each, isKnown: direction === 'received' || acknowledgedAt <= Date.parse(timestamp) }
  })

/** Complaints have an order of their own, beside that of the loan (FIS12 §20). */
const isOfGrievance = (action: string): boolean => /^(on_)?issue/.test(action)

/** What a request may follow: the last that its buyer knew, or what it may have known: messages that cross are no fault. */
export function possiblePredecessors(before: readonly Before[], action: string): string[] {
  const own = before.filter(({ message }) => isOfGrievance(message.action) === isOfGrievance(action))
  const from = own.findLastIndex(({ isKnown }) => isKnown)
  const actions = own.slice(Math.max(from, 0)).map(({ message }) => message.action)
  return from < 0 ? ['start', ...actions] : actions
}

/** Whether the newest request only repeats the one before it, whose answer was held back for too long (FIS12 §3.3). */
export function isRetryAfterLateAnswer({ messages, lateAnswers }: Talk, action: string, message: Json): boolean {
  const [first, again] = messages.filter(({ direction }) => direction === 'received').slice(-2)
  if (!again || first!.action !== action || !isDeepStrictEqual(first!.message, message)) return false
  return lateAnswers.has(first!.context.message_id)
}
