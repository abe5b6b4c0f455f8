// State that survives a reload: in `history.state`, because a third-party frame has no cookies and no storage.
import type { Language } from '../text.ts'

export interface PageMemory {
  /** The single-use token of the link and the key under which it is traded, until the trade has succeeded. */
  bootstrap?: { token: string; key: string } | null
  session?: string
  /** The sequence of the last lifecycle update passed on to the host. */
  relayed?: number
  language?: Language
  /** A standalone page's return address, for when nothing else is left. */
  returnUrl?: string
  /** The part of the profile the borrower was at. Never anything the borrower typed. */
  part?: number
}

export interface Memory {
  readonly kept: PageMemory
  keep(more: PageMemory): void
  forget(): void
}

type Window = {
  history: Pick<History, 'state' | 'replaceState'>
  location: Pick<Location, 'hash' | 'pathname' | 'search'>
}

/** Takes the token out of the address at once, so that it is in no history, no referrer and no screenshot. */
export function memoryOf({ history, location }: Window, newKey: () => string): Memory {
  const write = (kept: PageMemory) =>
    history.replaceState({ ...history.state, lendloom: kept }, '', location.pathname + location.search)
  const token = tokenIn(location.hash)
  if (token !== null) write({ bootstrap: { token, key: newKey() } })
  const memory: { kept: PageMemory } & Memory = {
    kept: history.state?.lendloom ?? {},
    keep(more: PageMemory) {
      memory.kept = { ...memory.kept, ...more }
      write(memory.kept)
    },
    forget() {
      const { language, returnUrl } = memory.kept
      memory.kept = { ...(language && { language }), ...(returnUrl && { returnUrl }) }
      write(memory.kept)
    },
  }
  return memory
}

/** The session token in a fragment (D1 §2.2); null when there is none. */
export const tokenIn = (hash: string): string | null => new URLSearchParams(hash.slice(1)).get('token') || null
