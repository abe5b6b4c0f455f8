// The message of on_update for a paid-out loan, in the dialect of its conversation.
import { onUpdate } from '#contract/network/v203/update.ts'
import { onUpdate as onUpdateIn230 } from '#contract/network/v230/update.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Conversation } from '#sandbox/lender/core/conversation.ts'
import type { Place } from '#sandbox/lender/core/order.ts'
import type { Policy } from '#sandbox/lender/core/policy.ts'
import { disbursedLamf } from '#sandbox/lender/mutual-fund-loan/loan-state.ts'
import { disbursedOrder } from '#sandbox/lender/servicing/loan-state.ts'

export const onUpdateOf = async (
  ...given: [tx: Tx, place: Place, policy: Policy, conversation: Conversation, at: Date]
): Promise<object> => {
  const [, , , { product }] = given
  return product === 'LAMF' ? onUpdateIn230(await disbursedLamf(...given)) : onUpdate(await disbursedOrder(...given))
}
