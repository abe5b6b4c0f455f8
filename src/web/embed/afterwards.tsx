// Screens that are fetched when a journey has come that far: a chunk for the choice of an offer, one for its final terms, one for what follows.

import { Fetched, loaderOf } from './chunk.tsx'
import { fetchTexts } from './deferred.tsx'
import { files } from './files.ts'
import { here } from './here.ts'
import { type Language, language, setLanguage } from './text.ts'
import { Withdrawable } from './withdraw.tsx'

/** Each chunk has its own list of files, so they are known by their address. */
const isSpoken = ({ en }: Record<Language, string>): boolean => here.moreTexts?.some((each) => each.en === en) ?? false

/** From now on a change of language brings these texts along; the screens are drawn once they are there. */
async function speak(where: Record<Language, string>): Promise<void> {
  const now = language.value
  const texts = await fetchTexts(where[now])
  if (!isSpoken(where)) here.moreTexts = [...(here.moreTexts ?? []), where]
  if (language.value === now) setLanguage(now, texts)
  else await speak(where)
}

export const loadFinal = loaderOf(
  () => files().final,
  () => speak(files().loanTexts),
)
export const loadChosen = loaderOf(
  () => files().loan,
  () => speak(files().loanTexts),
)
export const loadChoosing = loaderOf(
  () => files().offers,
  () => speak(files().offersTexts),
)

const screenOf = (texts: Record<Language, string>) => () => {
  const Due = isSpoken(texts) && here.fetched?.[here.view.value.screen]
  return Due ? <Due /> : undefined
}

export const AfterwardsScreen = () => (
  <Withdrawable>
    <Fetched load={loadChosen} draw={screenOf(files().loanTexts)} />
  </Withdrawable>
)

export const FinalScreen = () => (
  <Withdrawable>
    <Fetched load={loadFinal} draw={screenOf(files().loanTexts)} />
  </Withdrawable>
)

export const ChoosingScreen = () => (
  <Withdrawable>
    <Fetched load={loadChoosing} draw={screenOf(files().offersTexts)} />
  </Withdrawable>
)
