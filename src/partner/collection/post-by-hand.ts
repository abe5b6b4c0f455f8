// A person has found out whose money a receipt is: it is posted to that loan as if it had said so itself (D3 §6 rule 4).

import { Refusal } from '#kit/http/refusal.ts'
import type { Case } from '#partner/case/case.ts'
import type { TxContext } from '#partner/context.ts'
import { verifyClaim } from './claim.ts'
import { postAsItIs } from './receive-receipt.ts'
import { claimsOf, findReceipt, readReceipt } from './store.ts'

/** A receipt of the bank that a person posts, and when. */
interface ReceiptChoice {
  provider: string
  receiptId: string
}

/**
 * Whoever calls holds the case, which has a loan. A claim of this case that the receipt fits has it; one that it does not
 * fit is told so, and the receipt is posted by itself. Refused: `absent` · `wrong-state` when it was posted before.
 */
export async function postByHand(
  ctx: Pick<TxContext, 'tx' | 'at' | 'seal' | 'config'>,
  loanCase: Case,
  { provider, receiptId }: ReceiptChoice,
): Promise<void> {
  const { tx } = ctx
  const receipt = await findReceipt(tx, provider, receiptId)
  if (!receipt) throw new Refusal('absent', 'there is no such receipt')
  if (receipt.paymentId !== null) throw new Refusal('wrong-state', 'this receipt was posted already')
  for (const claim of await claimsOf(tx, receipt.transactionReference))
    if (claim.caseRef === loanCase.caseRef) await verifyClaim(ctx, loanCase, { claim })
  if ((await readReceipt(tx, provider, receiptId)).paymentId !== null) return
  if (!(await postAsItIs(ctx, loanCase, receipt))) throw new Refusal('wrong-state', 'this receipt was posted already')
}
