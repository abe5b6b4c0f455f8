// Screens whose chunks are fetched at their stage: choice of an offer, final terms, the steps after them, and endings
// without a loan.

import { chunkOf, Fetched } from '../page/chunk.tsx'
import { files } from '../page/files.ts'
import { page } from '../page/page.ts'
import { Withdrawable } from './withdraw.tsx'

export const final = chunkOf('loan', () => files().final)
export const chosen = chunkOf('loan', () => files().loan)
export const choosing = chunkOf('offers', () => files().offers)
const ended = chunkOf('endings', () => files().ended)

function currentScreen() {
  const Screen = page.screens?.[page.view.value.screen]
  return Screen && <Screen />
}

export const AfterwardsScreen = () => (
  <Withdrawable>
    <Fetched chunk={chosen} render={currentScreen} />
  </Withdrawable>
)

export const FinalScreen = () => (
  <Withdrawable>
    <Fetched chunk={final} render={currentScreen} />
  </Withdrawable>
)

export const ChoosingScreen = () => (
  <Withdrawable>
    <Fetched chunk={choosing} render={currentScreen} />
  </Withdrawable>
)

export const EndedScreen = () => <Fetched chunk={ended} render={currentScreen} />
