// Back in the browser: each step of the borrower is an entry of the history, and going back shows the one before it.
import { batch, effect, signal } from '@preact/signals'
import type { Screen } from '#contract/hosted/embed.ts'
import { part, wrong } from '../profile/profile-form.ts'
import { here } from './here.ts'

interface HistoryPosition {
  screen: Screen
  /** Of the profile. */
  part: number
  inner: string
}

function placeNow(): HistoryPosition | null {
  const screen = here.session.view.value?.screen
  if (!screen) return null
  // New offers arrive on the current screen.
  const isProfile = screen === 'PROFILE'
  return {
    screen: screen === 'SEARCHING' ? 'OFFERS' : screen,
    part: isProfile ? part.value : 0,
    inner: here.inner.value,
  }
}

const same = (one: HistoryPosition, other: HistoryPosition): boolean =>
  one.screen === other.screen && one.part === other.part && one.inner === other.inner

/** A screen that the journey has left is not shown again: the page explains it and stays at the current one. */
export function keepHistory(): void {
  here.inner = signal('')
  let at: HistoryPosition | null = null
  effect(() => {
    const next = placeNow()
    if (!next || (at && same(next, at))) return
    const first = at === null
    const moved = at !== null && at.screen !== next.screen
    at = moved ? { ...next, inner: '' } : next
    if (moved) here.inner.value = ''
    const state = { lendloom: here.memory.kept, place: at }
    if (first) history.replaceState(state, '')
    else history.pushState(state, '')
  })
  effect(() => {
    const url = here.session.view.value?.returnUrl
    if (url && url !== here.memory.kept.returnUrl) here.memory.keep({ returnUrl: url })
  })
  addEventListener('popstate', ({ state }) => {
    const to: HistoryPosition | undefined = state?.place
    const now = placeNow()
    // A new link in the address needs a page load.
    if (location.hash !== '' || !now || !to) return
    const stays = to.screen !== now.screen
    at = stays ? { ...now, inner: '' } : to
    batch(() => {
      here.inner.value = stays ? '' : to.inner
      here.session.trouble.value = stays ? { kind: 'passed', again: null } : null
      if (!stays) part.value = to.part
      wrong.value = {}
    })
    here.memory.keep({ part: part.value })
  })
}
