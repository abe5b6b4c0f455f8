// What the platform sends in select, init and confirm: the offer, the units pledged, the account, the last answer (FIS12 §10.2 rows 4–12).
import { defined } from '#contract/network/defined.ts'
import type { Submission } from '#contract/network/v203/buyer-order.ts'
import { type FormResponse, responseOf } from '#contract/network/v203/page.ts'
import { parse } from '#kit/http/schema.ts'
import { buyerTerms, type ContractTerms, lenderTerms } from './contract-terms.ts'
import { type Disbursal, disbursalOf, disbursalPayment } from './disbursal.ts'
import { answerInput, type Heading, headingOf } from './page.ts'
import { type Pledge, pledgesOf, pledgeTags } from './pledge.ts'
import { BuyerMessage } from './schema.ts'

export interface BuyerDraft {
  providerId: string
  itemId: string
  parentItemId: string
  fulfillmentId: string
  pledges: Pledge[]
  /** The step that was done last; the first `init` has none, and neither has `confirm`. */
  answer?: Submission & { heading: Heading }
  /** From `init` on. */
  disbursal?: Omit<Disbursal, 'paid'>
  terms?: ContractTerms
  /** The lender's own, repeated in `confirm`. */
  lenderTerms?: ContractTerms
}

export function buyerOrder(draft: BuyerDraft) {
  const { providerId, itemId, parentItemId, fulfillmentId, pledges, answer, disbursal, terms } = draft
  return defined({
    provider: { id: providerId },
    items: [
      defined({
        id: itemId,
        parent_item_id: parentItemId,
        tags: pledges.length > 0 ? pledgeTags(pledges) : undefined,
        xinput: answer && answerInput(answer.heading, answer),
      }),
    ],
    fulfillments: [{ id: fulfillmentId }],
    payments: disbursal && [disbursalPayment({ ...disbursal, paid: null })],
    tags: terms && [buyerTerms(terms), ...(draft.lenderTerms ? [lenderTerms(draft.lenderTerms)] : [])],
  })
}

/** What a lender reads in select, init and confirm. */
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

/** Reads the `message` of select, init or confirm. Throws a `Refusal` of kind `invalid` naming the path. */
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
    disbursal: disbursalOf(order.payments),
    warnings,
  }
}
