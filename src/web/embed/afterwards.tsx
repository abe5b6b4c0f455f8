// Screens that are fetched when a journey has come that far: a chunk for the choice of an offer, one for what follows it.

import { Fetched, loaderOf } from './chunk.tsx'
import { fetchTexts } from './deferred.tsx'
import { files } from './files.ts'
import { here } from './here.ts'
import { language, setLanguage } from './text.ts'
import { Withdrawable } from './withdraw.tsx'

/** From now on a change of language brings these texts along; the screens are drawn once they are there. */
async function speakOfLoan(): Promise<void> {
  const now = language.value
  const texts = await fetchTexts(files().loanTexts[now])
  here.moreTexts = files().loanTexts
  if (language.value === now) setLanguage(now, texts)
  else await speakOfLoan()
}

export const loadChosen = loaderOf(() => files().loan, speakOfLoan)

const screenOf = () => {
  const Due = here.fetched?.[here.view.value.screen]
  return Due && <Due />
}

export const AfterwardsScreen = () => (
  <Withdrawable>
    <Fetched load={loadChosen} draw={() => (here.moreTexts ? screenOf() : undefined)} />
  </Withdrawable>
)

export const loadChoosing = loaderOf(() => files().offers)

export const ChoosingScreen = () => (
  <Withdrawable>
    <Fetched load={loadChoosing} draw={screenOf} />
  </Withdrawable>
)
