// Parts of screens for gold loans; they fetch the gold chunk only when such a loan needs it.
import type { EmbedOffer } from '@lendloom/wire/hosted/embed-offer'
import { chunkOf, Fetched } from '../page/load-chunk.tsx'
import { type BranchesProps, type BranchStep, page } from '../page/page-state.ts'

const gold = chunkOf('jewellery', 'gold')

export const PieceByPiece = () => (
  <Fetched optional chunk={gold} render={() => page.gold && <page.gold.PieceByPiece />} />
)

export const GoldValue = ({ offer }: { offer: EmbedOffer }) =>
  offer.ltvRatio === null ? null : (
    <Fetched optional chunk={gold} render={() => page.gold && <page.gold.Value offer={offer} />} />
  )

export const BranchField = (props: BranchesProps) =>
  props.branches.length === 0 ? null : (
    <Fetched chunk={gold} render={() => page.gold && <page.gold.BranchField {...props} />} />
  )

export const GoldLocation = ({ selected }: BranchStep) =>
  !selected.branch && !selected.agent ? null : (
    <Fetched chunk={gold} render={() => page.gold && <page.gold.Location selected={selected} />} />
  )

export const StoredGold = ({ selected }: BranchStep) =>
  selected.terms.ltvRatio === null ? null : (
    <Fetched optional chunk={gold} render={() => page.gold && <page.gold.Stored selected={selected} />} />
  )
