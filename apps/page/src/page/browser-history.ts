// The browser's back button: each step of the borrower is an entry of the history.

import type { Screen } from '@lendloom/wire/hosted/embed-view'
import { batch, effect, signal } from '@preact/signals'
import { errors, part } from '../profile/profile-form.ts'
import { page } from './page-state.ts'

/** Where the borrower is: the screen, the part of the profile form, the open layer and the page above the journey. */
interface HistoryPosition {
  screen: Screen
  part: number
  inner: string
  aside: typeof page.aside.value
}

function currentPosition(): HistoryPosition | null {
  const screen = page.session.view.value?.screen
  if (!screen) return null
  // New offers arrive on the current screen.
  const isProfile = screen === 'PROFILE'
  return {
    screen: screen === 'SEARCHING' ? 'OFFERS' : screen,
    part: isProfile ? part.value : 0,
    inner: page.inner.value,
    aside: page.aside.value,
  }
}

const isSame = (a: HistoryPosition, b: HistoryPosition): boolean =>
  a.screen === b.screen && a.part === b.part && a.inner === b.inner && a.aside === b.aside

/** Writes and restores history entries. Going back to a completed screen shows a notice instead. */
export function trackHistory(): void {
  page.inner = signal('')
  page.opener = (inner) => () => {
    page.session.failure.value = null
    page.inner.value = inner
  }
  page.aside = signal('')
  let position: HistoryPosition | null = null
  effect(() => {
    const next = currentPosition()
    if (!next || (position && isSame(next, position))) return
    const isFirst = position === null
    const hasScreenChanged = position !== null && position.screen !== next.screen
    position = hasScreenChanged ? { ...next, inner: '' } : next
    if (hasScreenChanged) page.inner.value = ''
    const state = { lendloom: page.memory.stored, place: position }
    if (isFirst) history.replaceState(state, '')
    else history.pushState(state, '')
  })
  effect(() => {
    const url = page.session.view.value?.returnUrl
    if (url && url !== page.memory.stored.returnUrl) page.memory.update({ returnUrl: url })
  })
  addEventListener('popstate', ({ state }) => {
    const target: HistoryPosition | undefined = state?.place
    const current = currentPosition()
    // A new link in the address needs a page load.
    if (location.hash !== '' || !current || !target) return
    // A completed screen cannot be opened again.
    const isPast = target.screen !== current.screen
    position = isPast ? { ...current, inner: '', aside: '' } : target
    batch(() => {
      page.inner.value = isPast ? '' : target.inner
      page.aside.value = isPast ? '' : target.aside
      page.session.failure.value = isPast ? { kind: 'passed', path: '', again: null } : null
      if (!isPast) part.value = target.part
      errors.value = {}
    })
    page.memory.update({ part: part.value })
  })
}
