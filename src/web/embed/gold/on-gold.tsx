// The gold parts of a screen: other loans load nothing.
import type { EmbedOffer } from '#contract/hosted/embed.ts'
import { chunkOf, Fetched } from '../page/chunk.tsx'
import { files } from '../page/files.ts'
import { type BranchesProps, type BranchStep, here } from '../page/here.ts'

const gold = chunkOf('jewellery', () => files().gold)

export const PieceByPiece = () => <Fetched quiet chunk={gold} draw={() => here.gold && <here.gold.PieceByPiece />} />

export const GoldValue = ({ offer }: { offer: EmbedOffer }) =>
  offer.ltvRatio === null ? null : (
    <Fetched quiet chunk={gold} draw={() => here.gold && <here.gold.Value offer={offer} />} />
  )

export const BranchField = (props: BranchesProps) =>
  props.branches.length === 0 ? null : (
    <Fetched chunk={gold} draw={() => here.gold && <here.gold.BranchField {...props} />} />
  )

export const Where = ({ selected }: BranchStep) =>
  !selected.branch && !selected.agent ? null : (
    <Fetched chunk={gold} draw={() => here.gold && <here.gold.Where selected={selected} />} />
  )

export const GoldKept = ({ selected }: BranchStep) =>
  selected.terms.ltvRatio === null ? null : (
    <Fetched quiet chunk={gold} draw={() => here.gold && <here.gold.Kept selected={selected} />} />
  )
