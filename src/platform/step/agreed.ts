// What was agreed on with the lender that holds the journey: what `init` and `confirm` settle on.
import type { BankAccount } from '#contract/hosted/embed.ts'
import type { Account } from '#contract/network/v230/disbursal.ts'
import type { Tx } from '#kit/sql.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { termsFrom } from '#platform/journey/terms.ts'
import type { Agreed } from '#platform/network/ask-lender.ts'
import { findSelected } from '#platform/offer/store.ts'
import { disbursalAccount } from '#platform/step/bank-account.ts'
import { bankContext } from '#platform/step/step.ts'
import { findStep } from '#platform/step/store.ts'
import type { World } from '#platform/world.ts'

export async function agreedOn(tx: Tx, world: World, journey: Journey): Promise<Agreed> {
  const offer = await findSelected(tx, journey)
  if (!offer?.terms) throw new Error(`journey ${journey.journeyId} goes on with a lender, but no offer of it is chosen`)
  const terms = termsFrom(offer.terms)
  if (journey.type !== 'LAMF_LOAN') return { terms, pledged: null }
  return { terms, pledged: { pledges: offer.pledges, account: await accountOf(tx, world, journey) } }
}

async function accountOf(tx: Tx, world: World, journey: Journey): Promise<Account | null> {
  const { bankSealed } = await findStep(tx, journey, 'bankMandate')
  if (bankSealed === null) return null
  return disbursalAccount(
    world.seal.openJson<BankAccount>(bankSealed, bankContext(journey.tenantId, journey.journeyId)),
  )
}
