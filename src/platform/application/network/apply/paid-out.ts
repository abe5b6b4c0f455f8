// A lender's word on a loan that is paid out: it concerns the borrower's requests since, never the application (FIS12 §11.1).

import type { NetworkOrder } from '#contract/network/v203/read-order.ts'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import type { Installment } from '#platform/journey/terms.ts'
import type { Conversation } from '#platform/network/conversation.ts'
import type { InboundMessage } from '#platform/network/inbound/inbound-message.ts'
import { keepDocuments } from '#platform/offer/documents.ts'
import { keepLine } from '#platform/offer/pledge.ts'
import { receiveLoan, servicingFailed } from '#platform/servicing/receive.ts'

export async function onPaidOut(
  ctx: TxContext,
  journey: Journey,
  conversation: Conversation,
  { type, order, error, solicited }: InboundMessage<'on_init' | 'on_status' | 'on_confirm' | 'on_update' | 'on_cancel'>,
): Promise<void> {
  const { tx, at } = ctx
  if (error) {
    const action = !solicited ? null : type === 'on_status' ? 'status' : 'update'
    return servicingFailed(ctx, journey, conversation, { code: error.code, action })
  }
  if (!order) return
  await keepDocuments(ctx, journey, order.documents)
  if (order.secured?.line) await keepLine(tx, journey, order.secured.line, at)
  const answersStatus = type === 'on_status' && solicited
  await receiveLoan(ctx, journey, conversation, {
    order,
    installments: installmentsFrom(order),
    answersStatus,
    isUnsolicited: !solicited,
  })
}

/** The network does not state the due day: the end of the instalment's period is taken for it (FIS12 §13.5). */
export const installmentsFrom = ({ installments }: NetworkOrder): Installment[] =>
  installments.map(({ amount, status, startsAt, endsAt }, i) => ({
    serialNumber: i + 1,
    amount: amount.toString(),
    status,
    startsAt: startsAt.toISOString(),
    dueAt: endsAt.toISOString(),
  }))
