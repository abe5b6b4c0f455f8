// The security of a loan on a screen: for an unsecured loan nothing is shown and no chunk loaded.
import { chunkOf, Fetched } from '../page/chunk.tsx'
import { files } from '../page/files.ts'
import { type Funds, here, type NeededProps, type PledgedProps } from '../page/here.ts'

const funds = chunkOf('funds', () => files().funds)
type FundsPart<Name extends keyof Funds> = Parameters<Funds[Name]>[0]

export function SecuredBy({ offer }: FundsPart<'Secured'>) {
  if (offer.schemes.length === 0) return null
  return <Fetched quiet chunk={funds} draw={() => here.funds && <here.funds.Secured offer={offer} />} />
}

export function UnitsNeeded(needed: NeededProps) {
  if (needed.offer.schemes.length === 0) return null
  return <Fetched chunk={funds} draw={() => here.funds && <here.funds.Needed {...needed} />} />
}

/** Fetched while the part before is filled in. */
export const loadFunds = (): void => void funds.load()

export const FundStatement = () => <Fetched quiet chunk={funds} draw={() => here.funds && <here.funds.Statement />} />

export function UnitsPledged(pledged: PledgedProps) {
  if (pledged.pledges.length === 0) return null
  return <Fetched chunk={funds} draw={() => here.funds && <here.funds.Pledged {...pledged} />} />
}
