// The predecessors that the strict lender allows for a request when messages cross on their way (FIS12 §4.1).
import { isDeepStrictEqual } from 'node:util'
import type { Talk, TalkMessage } from './talk.ts'
import type { Json } from './wire.ts'

interface EarlierMessage {
  message: TalkMessage
  isKnown: boolean
}

/** Returns the messages before a request, and whether the buyer had sent or acknowledged each by its timestamp. */
export const messagesBefore = ({ messages }: Talk, { timestamp }: Json): EarlierMessage[] =>
  messages.map((each) => {
    const { direction, acknowledgedAt = Infinity } = each
    return { message: each, isKnown: direction === 'received' || acknowledgedAt <= Date.parse(timestamp) }
  })

/** Complaints are sequenced separately from the loan (FIS12 §20). */
const isOfGrievance = (action: string): boolean => /^(on_)?issue/.test(action)

/** Returns the last action that the buyer knew, and later ones that may have crossed the request. */
export function possiblePredecessors(before: readonly EarlierMessage[], action: string): string[] {
  const own = before.filter(({ message }) => isOfGrievance(message.action) === isOfGrievance(action))
  const from = own.findLastIndex(({ isKnown }) => isKnown)
  const actions = own.slice(Math.max(from, 0)).map(({ message }) => message.action)
  return from < 0 ? ['start', ...actions] : actions
}

/** Whether the newest request repeats the previous one, whose answer was delayed too long (FIS12 §3.3). */
export function isRetryAfterLateAnswer({ messages, lateAnswers }: Talk, action: string, message: Json): boolean {
  const [first, again] = messages.filter(({ direction }) => direction === 'received').slice(-2)
  if (!again || first!.action !== action || !isDeepStrictEqual(first!.message, message)) return false
  return lateAnswers.has(first!.context.message_id)
}
