// Builds and reads select, init, confirm and their callbacks: offer, pledged units, account, completed steps (FIS12 §10.2 rows 4–13).

import { parse } from '@lendloom/foundation/schema'
import type { Pledge } from '@lendloom/lending/pledge'
import { omitUndefined } from '#wire/network/context.ts'
import { type ContractTerms, writeBuyerTerms, writeLenderTerms } from '#wire/network/contract-terms.ts'
import type { Submission } from '#wire/network/v203/select-to-confirm.ts'
import { type FormResponse, responseOf } from '#wire/network/v203/xinput.ts'
import { type Disbursal, readDisbursal, writeDisbursal } from './payments.ts'
import { pledgesOf, pledgeTags } from './pledge.ts'
import { BuyerMessage } from './schema.ts'
import { type DraftWith, type OrderDraft, writeLenderOrder } from './write-order.ts'
import { answerInput, type Heading, headingOf } from './xinput.ts'

export interface BuyerDraft {
  providerId: string
  itemId: string
  parentItemId: string
  fulfillmentId: string
  pledges: Pledge[]
  /** The last completed step; the first `init` and `confirm` have none. */
  answer?: Submission & { heading: Heading }
  /** Set as of `init`. */
  disbursal?: Omit<Disbursal, 'paid'>
  terms?: ContractTerms
  /** The lender's terms, repeated in `confirm`. */
  lenderTerms?: ContractTerms
}

function buyerOrder(draft: BuyerDraft) {
  const { providerId, itemId, parentItemId, fulfillmentId, pledges, answer, disbursal, terms } = draft
  return omitUndefined({
    provider: { id: providerId },
    items: [
      omitUndefined({
        id: itemId,
        parent_item_id: parentItemId,
        tags: pledges.length > 0 ? pledgeTags(pledges) : undefined,
        xinput: answer && answerInput(answer.heading, answer),
      }),
    ],
    fulfillments: [{ id: fulfillmentId }],
    payments: disbursal && [writeDisbursal({ ...disbursal, paid: null })],
    tags: terms && [writeBuyerTerms(terms), ...(draft.lenderTerms ? [writeLenderTerms(draft.lenderTerms)] : [])],
  })
}

/** A lender's view of select, init and confirm. */
export interface BuyerRequest {
  providerId: string
  itemId: string
  parentItemId: string | null
  fulfillmentId: string | null
  pledges: Pledge[]
  heading: string | null
  response: FormResponse | null
  disbursal: Disbursal | null
  warnings: string[]
}

/** Reads the `message` of select, init or confirm. Throws `invalid` with the path. */
export function readBuyerOrder(message: unknown): BuyerRequest {
  const { order } = parse(BuyerMessage, message, 'message')
  const warnings: string[] = []
  const item = order.items[0]
  if (order.items.length > 1) warnings.push(`the order has ${order.items.length} items; the first is read`)
  return {
    providerId: order.provider.id,
    itemId: item.id,
    parentItemId: item.parent_item_id ?? null,
    fulfillmentId: order.fulfillments?.[0]?.id ?? null,
    pledges: pledgesOf(item.tags, 'message.order.items.0.tags'),
    heading: headingOf(item.xinput),
    response: responseOf(item.xinput, warnings),
    disbursal: readDisbursal(order.payments),
    warnings,
  }
}

/**
 * Select and on_select: the pledged units of an offer, and the resulting quote (FIS12 §10.2 row 4). At a lender with stops,
 * a second select without units answers its page (§27.2).
 */
export const select = (draft: Omit<BuyerDraft, 'disbursal' | 'terms' | 'lenderTerms'>) => ({
  order: buyerOrder(draft),
})

export const onSelect = (offer: DraftWith<never>) => ({ order: writeLenderOrder(offer) })

type PlacedOrder = Required<Pick<BuyerDraft, 'disbursal' | 'terms'>>

/**
 * Init and on_init: the account, then one page after the other, each answered in the next init (FIS12 §10.2 rows 5–11).
 * The first has no answer; each later one answers the page that the lender reported as done.
 */
export const init = (draft: Omit<BuyerDraft, 'lenderTerms'> & PlacedOrder) => ({ order: buyerOrder(draft) })

/** The loan is INITIATED; the last on_init has no page. */
export const onInit = (
  draft: DraftWith<'customer' | 'disbursal' | 'cancellationTerms' | 'contractTerms'> &
    Pick<OrderDraft, 'page' | 'installments'>,
) => ({ order: writeLenderOrder({ ...draft, state: 'INITIATED' }) })

/** Confirm and on_confirm: both parties' terms, and the resulting order (FIS12 §10.2 rows 12–13). */
export const confirm = (
  draft: Required<Omit<BuyerDraft, 'answer' | 'lenderTerms'>> & Pick<BuyerDraft, 'lenderTerms'>,
) => ({ order: buyerOrder(draft) })

export type ConfirmedOrder = DraftWith<
  'orderId' | 'customer' | 'cancellationTerms' | 'contractTerms' | 'documents' | 'createdAt'
> &
  Pick<OrderDraft, 'installments' | 'utilization' | 'disbursal' | 'stops'>

/** The loan is SANCTIONED and has its order id; both instants are the same here (FIS12 §7.6). */
export const onConfirm = (order: ConfirmedOrder) => ({
  order: writeLenderOrder({ ...order, orderStatus: 'ACTIVE', state: 'SANCTIONED', updatedAt: order.createdAt }),
})
