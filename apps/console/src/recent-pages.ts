// The details that the user opened last in this window, for the palette. They are in no storage, because they name people.

import { effect, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { me } from './session.ts'

interface RecentPage {
  text: string
  /** What it is, such as `Journey`. */
  about: string
  href: string
}

const maxPages = 5

/** The newest first. */
export const recentPages = signal<RecentPage[]>([])
effect(() => {
  if (!me.value) recentPages.value = []
})

/** Notes that the user sees this page, once its text is known. */
export function useRecentPage(about: string, text: string | null | undefined): void {
  useEffect(() => {
    if (!text) return
    const page = { text, about, href: location.pathname + location.search }
    const others = recentPages.peek().filter(({ href }) => href !== page.href)
    recentPages.value = [page, ...others].slice(0, maxPages)
  }, [text])
}
