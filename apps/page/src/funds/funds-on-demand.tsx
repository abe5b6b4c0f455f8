// Parts of screens for loans against mutual funds; they fetch the funds chunk only when such a loan needs it.
import { chunkOf, Fetched } from '../page/load-chunk.tsx'
import { type Funds, type PledgedUnitsProps, page, type UnitsNeededProps } from '../page/page-state.ts'

const funds = chunkOf('funds', 'funds')
type FundsPart<Name extends keyof Funds> = Parameters<Funds[Name]>[0]

export function SecuredBy({ offer }: FundsPart<'Secured'>) {
  if (offer.schemes.length === 0) return null
  return <Fetched optional chunk={funds} render={() => page.funds && <page.funds.Secured offer={offer} />} />
}

export function UnitsNeeded(props: UnitsNeededProps) {
  if (props.offer.schemes.length === 0) return null
  return <Fetched chunk={funds} render={() => page.funds && <page.funds.Needed {...props} />} />
}

/** Preloads the chunk while the borrower fills in an earlier part. */
export const loadFunds = (): void => void funds.load()

export const FundStatement = () => (
  <Fetched optional chunk={funds} render={() => page.funds && <page.funds.Statement />} />
)

export function UnitsPledged(props: PledgedUnitsProps) {
  if (props.pledges.length === 0) return null
  return <Fetched chunk={funds} render={() => page.funds && <page.funds.Pledged {...props} />} />
}
