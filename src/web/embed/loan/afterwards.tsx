// Screens whose chunks are fetched at their stage: choice of an offer, final terms, the steps after them, and endings
// without a loan.

import { type Chunk, chunkOf, Fetched } from '../page/chunk.tsx'
import { page } from '../page/page.ts'
import { Withdrawable } from './withdraw.tsx'

export const finalChunk = chunkOf('loan', 'final')
export const loanChunk = chunkOf('loan', 'loan')
export const offersChunk = chunkOf('offers', 'offers')
const endedChunk = chunkOf('endings', 'ended')

function currentScreen() {
  const Screen = page.screens?.[page.view.value.screen]
  return Screen && <Screen />
}

const withdrawable = (chunk: Chunk) => () => (
  <Withdrawable>
    <Fetched chunk={chunk} render={currentScreen} />
  </Withdrawable>
)
export const AfterwardsScreen = withdrawable(loanChunk)
export const FinalScreen = withdrawable(finalChunk)
export const ChoosingScreen = withdrawable(offersChunk)

export const EndedScreen = () => <Fetched chunk={endedChunk} render={currentScreen} />
