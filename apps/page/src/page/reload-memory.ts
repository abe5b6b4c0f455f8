// State that survives a reload. It is in `history.state`, because a third-party frame has no cookies or storage.
import type { Language } from '../text.ts'

export interface PageMemory {
  /** The link's single-use token and the idempotency key of its exchange, until the exchange succeeds. */
  bootstrap?: { token: string; key: string } | null
  session?: string
  /** Sequence number of the last lifecycle update that was sent to the host. */
  relayed?: number
  language?: Language
  /** Return URL of a standalone page; it outlives the session. */
  returnUrl?: string
  /** The session of the application from which the borrower has opened an earlier loan, until they return to it. */
  application?: { session: string; relayed: number } | null
  /** The payment whose page at the lender the borrower has opened, until the lender is asked about it. */
  leftToPay?: string | null
  /** Current part of the profile. */
  part?: number
  /**
   * What the borrower has typed into the profile and is wrong, as half a PAN, so that it can be corrected after a reload.
   * Right values are saved by the platform, and no other input is stored here.
   */
  refusedInput?: Partial<Record<string, string>>
}

export interface Memory {
  readonly stored: PageMemory
  update(changes: PageMemory): void
  forget(): void
}

type Window = {
  history: Pick<History, 'state' | 'replaceState'>
  location: Pick<Location, 'hash' | 'pathname' | 'search'>
}

/** Removes the token from the URL at once, so that it never reaches the history, a referrer or a screenshot. */
export function memoryOf({ history, location }: Window, newKey: () => string): Memory {
  const write = (stored: PageMemory) =>
    history.replaceState({ ...history.state, lendloom: stored }, '', location.pathname + location.search)
  const token = tokenIn(location.hash)
  if (token !== null) write({ bootstrap: { token, key: newKey() } })
  const memory: { stored: PageMemory } & Memory = {
    stored: history.state?.lendloom ?? {},
    update(changes: PageMemory) {
      memory.stored = { ...memory.stored, ...changes }
      write(memory.stored)
    },
    forget() {
      const { language, returnUrl } = memory.stored
      memory.stored = { ...(language && { language }), ...(returnUrl && { returnUrl }) }
      write(memory.stored)
    },
  }
  return memory
}

/** Parses the session token from a fragment (D1 §2.2). */
export const tokenIn = (hash: string): string | null => new URLSearchParams(hash.slice(1)).get('token') || null
