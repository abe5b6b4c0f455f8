// Screens whose chunks are fetched at their stage: choice of an offer, final terms, the steps after them, and endings
// without a loan.

import { chunkOf, Fetched } from '../page/chunk.tsx'
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

export const AfterwardsScreen = () => (
  <Withdrawable>
    <Fetched chunk={loanChunk} render={currentScreen} />
  </Withdrawable>
)

export const FinalScreen = () => (
  <Withdrawable>
    <Fetched chunk={finalChunk} render={currentScreen} />
  </Withdrawable>
)

export const ChoosingScreen = () => (
  <Withdrawable>
    <Fetched chunk={offersChunk} render={currentScreen} />
  </Withdrawable>
)

export const EndedScreen = () => <Fetched chunk={endedChunk} render={currentScreen} />
