// Status and on_status: where a loan stands, asked for or pushed when a page was finished (FIS12 §7.7, §8.1, §11.2).
import { parse } from '#kit/http/schema.ts'
import { lenderOrder, type OrderDraft } from './order.ts'
import { StatusMessage } from './schema.ts'

/** Asks for the order, or before there is one for the conversation: `refId` is the transaction id. */
export const status = (of: { orderId: string } | { refId: string }) =>
  'orderId' in of ? { order_id: of.orderId } : { ref_id: of.refId }

/** What a lender reads of it: the order id or the reference, whichever was sent. */
export function readStatus(message: unknown): { orderId: string | null; refId: string | null } {
  const { order_id: orderId = null, ref_id: refId = null } = parse(StatusMessage, message, 'message')
  return { orderId, refId }
}

/**
 * The answer, or the push. After a page: `result` with APPROVED (KYC, e-sign), COMPLETED (mandate) or REJECTED.
 * A page that is still open has no result; the wire has no word for that here (FIS12 §12.1).
 */
export const onStatus = (draft: OrderDraft) => ({ order: lenderOrder(draft) })
