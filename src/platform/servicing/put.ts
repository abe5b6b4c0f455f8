// Puts a borrower's request to the lender of the loan, by its channel.

import { required } from '#kit/runtime/required.ts'
import type { TxContext } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { lenderChannels } from '#platform/lender-channels.ts'
import type { Offer } from '#platform/offer/offer.ts'
import { claimUrl } from './claim-link.ts'
import { moveServicing } from './move.ts'
import { isUnsent } from './send.ts'
import type { Servicing } from './servicing.ts'
import { keepServicing, listServicing } from './store.ts'

export async function putToLender(ctx: TxContext, journey: Journey, offer: Offer, operation: Servicing): Promise<void> {
  const { tx, at } = ctx
  const unsent = (await listServicing(tx, journey)).filter(isUnsent)
  const outcome = await lenderChannels[offer.channel].requestServicing(ctx, offer, operation, unsent)
  if (outcome.kind === 'requested') {
    const found = unsent.find(({ operationId }) => operationId === outcome.operationId)
    const requested = required(found, 'the operation that was asked for')
    await keepServicing(tx, { ...requested, asks: requested.asks + 1, updatedAt: at })
  } else if (outcome.kind === 'transfer')
    await moveServicing(ctx, journey, operation, {
      move: 'linked',
      url: claimUrl(ctx, operation),
      amountPaise: outcome.duePaise,
    })
}
