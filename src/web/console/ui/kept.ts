// Lists as they were left, for whoever comes back to them by the browser's back or forward.
import { isReturn } from '../router.ts'
import type { PageRead, View } from './pages.ts'

export interface KeptList<T> {
  items: T[]
  next: string | null
  pages: PageRead[]
  view: View<T>
}

const most = 5
/** Older ones are read anew, in milliseconds. */
const longest = 15 * 60_000

// What a list was kept as, it is asked for as: the key holds the path of its API.
// biome-ignore lint/suspicious/noExplicitAny: lists of every type are kept in one place
const kept = new Map<string, { list: KeptList<any>; at: number }>()
const nameOf = (entry: number, key: string): string => `${entry} ${key}`

export function keep<T>(entry: number, key: string, list: KeptList<T>): void {
  const name = nameOf(entry, key)
  kept.delete(name)
  kept.set(name, { list, at: Date.now() })
  for (const oldest of [...kept.keys()].slice(0, -most)) kept.delete(oldest)
}

/** Gives it once, and only to whoever comes back. */
export function takeKept<T>(entry: number, key: string): KeptList<T> | null {
  const name = nameOf(entry, key)
  const found = kept.get(name)
  kept.delete(name)
  return found && isReturn() && Date.now() - found.at < longest ? found.list : null
}
