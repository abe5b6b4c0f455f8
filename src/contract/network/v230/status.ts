// Status and on_status: the whole loan on request, and pushed when a borrower's page is finished (FIS12 §7.7, §10.2, §11.2).
import { lenderOrder, type OrderDraft } from './order.ts'

export { readStatus, status } from '#contract/network/v203/status.ts'

/** The answer, or the push. After a page: `result` with SUCCESS or REJECTED. Both instants are the same (FIS12 §7.6). */
export const onStatus = (draft: OrderDraft) => ({ order: lenderOrder({ ...draft, updatedAt: draft.createdAt }) })
