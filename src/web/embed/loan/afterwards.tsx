// Screens that are loaded at their stage: a chunk for the choice of an offer, one for its final terms, one for the
// rest, and one for an end without a loan.

import { chunkOf, Fetched } from '../page/chunk.tsx'
import { files } from '../page/files.ts'
import { here } from '../page/here.ts'
import { Withdrawable } from './withdraw.tsx'

export const final = chunkOf('loan', () => files().final)
export const chosen = chunkOf('loan', () => files().loan)
export const choosing = chunkOf('offers', () => files().offers)
const ended = chunkOf('endings', () => files().ended)

function due() {
  const Due = here.fetched?.[here.view.value.screen]
  return Due && <Due />
}

export const AfterwardsScreen = () => (
  <Withdrawable>
    <Fetched chunk={chosen} draw={due} />
  </Withdrawable>
)

export const FinalScreen = () => (
  <Withdrawable>
    <Fetched chunk={final} draw={due} />
  </Withdrawable>
)

export const ChoosingScreen = () => (
  <Withdrawable>
    <Fetched chunk={choosing} draw={due} />
  </Withdrawable>
)

export const EndedScreen = () => <Fetched chunk={ended} draw={due} />
