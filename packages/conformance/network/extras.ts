// Checks the extra messages about one loan: each message, its ids, its order and its place (FIS12 §25).
import type { Fault } from '@lendloom/wire/network/context'
import { extraBodyFaults, extraMessageFaults } from '@lendloom/wire/network/extra/extra-messages'
import { valueAt } from '@lendloom/wire/network/rule-combinators'
import type { ExtraAction } from '@lendloom/wire/network/sequence'
import { constantFaults, orderFaults, sendTimeFaults } from './grievances.ts'
import type { TranscriptMessage } from './transcript.ts'

type ExtraMessage = TranscriptMessage<ExtraAction>
type LoanMessages = readonly TranscriptMessage[]

const section = 'FIS12 §25'
const fault = ({ path }: ExtraMessage, field: string, message: string): Fault => ({
  path: `${path}.${field}`,
  message,
  section,
})

export function extraFaults(extras: readonly ExtraMessage[], loan: LoanMessages): Fault[] {
  const accepted = extras.filter(({ isRejected }) => !isRejected)
  return [
    ...extras.flatMap(messageFaults),
    ...sendTimeFaults(extras, loan),
    ...accepted.flatMap((each) => {
      const before = accepted.slice(0, accepted.indexOf(each))
      const first = loan.find(({ context }) => context.bpp_id === each.context.bpp_id)
      return [
        ...constantFaults(each, first?.context),
        ...orderFaults(each, loan),
        ...idFaults(each, before, loan),
        ...subjectFaults(each, loan),
        ...placeFaults(each, before, loan),
      ]
    }),
  ]
}

function messageFaults(received: ExtraMessage): Fault[] {
  const { action, context, message, error, path } = received
  if (error !== undefined && message === undefined)
    return extraBodyFaults(action, { context, error }, context.version).map((each) =>
      fault(received, each.path, each.message),
    )
  return extraMessageFaults(action, message).map((each) => ({ ...each, path: each.path.replace('$', path) }))
}

function idFaults(each: ExtraMessage, before: ExtraMessage[], loan: LoanMessages): Fault[] {
  const { action, context } = each
  const sameId = before.filter((other) => other.context.message_id === context.message_id)
  const isUsed = sameId.length > 0 || loan.some((other) => isEarlier(other, each) && isSameId(other, each))
  if (!action.startsWith('on_')) return isUsed ? [fault(each, 'context.message_id', 'was used before')] : []
  const isAnswer = sameId.length === 1 && `on_${sameId[0]?.action}` === action
  return isAnswer ? [] : [fault(each, 'context.message_id', 'answers no request')]
}

const isSameId = (one: Pick<ExtraMessage, 'context'>, other: Pick<ExtraMessage, 'context'>): boolean =>
  one.context.message_id === other.context.message_id

const numberOf = ({ path }: { path: string }): number => Number(/^#(\d+)/.exec(path)?.[1])
const isEarlier = (one: { path: string }, other: { path: string }): boolean => numberOf(one) < numberOf(other)

const ratedOrder = (message: unknown): unknown => {
  const ratings = valueAt(message, 'ratings')
  return Array.isArray(ratings) ? valueAt(ratings[0], 'id') : undefined
}

function subjectFaults(each: ExtraMessage, loan: LoanMessages): Fault[] {
  const { message, context } = each
  const confirmed = loan.find(({ action, context: { bpp_id } }) => action === 'on_confirm' && bpp_id === context.bpp_id)
  const orderId = valueAt(confirmed?.message, 'order', 'id')
  const named = valueAt(message, 'order_id') ?? valueAt(message, 'support', 'order_id') ?? ratedOrder(message)
  return named === undefined || named === orderId ? [] : [fault(each, 'message', `is about the order ${named}`)]
}

const cancelCodeOf = ({ message }: ExtraMessage): unknown => valueAt(message, 'descriptor', 'code')

/** The borrower leaves only for a price that the lender stated, and rates a loan once. */
function placeFaults(each: ExtraMessage, before: ExtraMessage[], loan: LoanMessages): Fault[] {
  const isRatedBefore = each.action === 'rating' && before.some(({ action }) => action === 'rating')
  if (isRatedBefore) return [fault(each, 'message', 'rates the loan again')]
  if (each.action !== 'cancel' || cancelCodeOf(each) !== 'CONFIRM_CANCEL') return []
  const prices = loan.filter(({ action, error }) => action === 'on_cancel' && error === undefined)
  const isPriced = before.some(
    (softCancel) =>
      cancelCodeOf(softCancel) === 'SOFT_CANCEL' &&
      prices.some((price) => isEarlier(price, each) && isSameId(price, softCancel)),
  )
  return isPriced ? [] : [fault(each, 'message', 'comes before the lender stated the price')]
}
