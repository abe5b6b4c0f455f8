// Screens whose chunks are fetched at their stage: choice of an offer, final terms, the steps after them, and endings
// without a loan.

import { type Chunk, chunkOf, Fetched } from '../page/load-chunk.tsx'
import { page } from '../page/page-state.ts'
import { Withdrawable } from './withdraw-consent.tsx'

export const finalChunk = /* @__PURE__ */ chunkOf('loan', 'final')
export const loanChunk = /* @__PURE__ */ chunkOf('loan', 'loan')
export const offersChunk = /* @__PURE__ */ chunkOf('offers', 'offers')
const endedChunk = /* @__PURE__ */ chunkOf('endings', 'ended')

function currentScreen() {
  const Screen = page.screens?.[page.view.value.screen]
  return Screen && <Screen />
}

const WithdrawableScreen = ({ chunk }: { chunk: Chunk }) => (
  <Withdrawable>
    <Fetched chunk={chunk} render={currentScreen} />
  </Withdrawable>
)
export const LoanScreen = () => <WithdrawableScreen chunk={loanChunk} />
export const FinalScreen = () => <WithdrawableScreen chunk={finalChunk} />
export const ChoosingScreen = () => <WithdrawableScreen chunk={offersChunk} />

export const EndedScreen = () => <Fetched chunk={endedChunk} render={currentScreen} />
