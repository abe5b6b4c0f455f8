// Once an offer is chosen the page needs other screens: a chunk of their own, fetched when a journey has come that far.
import { Fetched, loaderOf } from './chunk.tsx'
import { here } from './here.ts'

export const loadChosen = loaderOf(() => here.boot.loan)

export function AfterwardsScreen() {
  return (
    <Fetched
      load={loadChosen}
      draw={() => {
        const Due = here.chosen?.[here.session.view.value!.screen]
        return Due && <Due />
      }}
    />
  )
}
