// Sends messages to the page's host: the parent window by exact origin, or the app of a mobile web view (D1 §6.5).
import type { ControlMessage } from '#contract/hosted/embed-message.ts'
import type { LifecycleUpdate } from '#contract/hosted/lifecycle.ts'

export interface Host {
  /** Replaces the origins that may receive messages. */
  allow(origins: string[]): void
  /** Forwards a lifecycle update unchanged. */
  relay(update: LifecycleUpdate): void
  send(message: ControlMessage): void
  /** Whether the app must open other pages for us. */
  readonly opensPages: boolean
  readonly framed: boolean
}

interface AppChannel {
  postMessage(json: string): void
}

/** The objects that an app adds to a mobile web view. */
interface AppWindow {
  LendloomBridge?: AppChannel
  webkit?: { messageHandlers?: { lendloom?: AppChannel } }
}
declare global {
  interface Window extends AppWindow {}
}

/** The part of `window` that the bridge uses, so that tests can pass their own. */
export interface HostWindow extends AppWindow {
  parent: Partial<HostWindow> & { postMessage(message: unknown, targetOrigin: string): void }
  location: { ancestorOrigins?: ArrayLike<string> }
}

export function hostOf(window: HostWindow, origins: string[]): Host {
  let allowed = origins
  const app = window.LendloomBridge ?? window.webkit?.messageHandlers?.lendloom
  const framed = window.parent !== window

  const post = (message: ControlMessage | LifecycleUpdate) => {
    app?.postMessage(JSON.stringify(message))
    if (framed)
      for (const origin of targetOrigins(allowed, window.location.ancestorOrigins))
        window.parent.postMessage(message, origin)
  }
  return {
    allow: (next) => {
      allowed = next
    },
    relay: post,
    send: post,
    opensPages: app !== undefined,
    framed,
  }
}

/**
 * The origins to which a message is sent. If the browser reports the parent's origin, only that one, if allowed.
 * Otherwise all allowed origins; the browser delivers only to the parent. `http://localhost:*`, which sandboxes use,
 * allows every local port, but only if the parent's origin is known.
 */
export function targetOrigins(allowed: string[], ancestors: ArrayLike<string> | undefined): string[] {
  const exact = allowed.filter((origin) => /^https?:\/\/[^/*]+$/.test(origin))
  const parent = ancestors?.[0]
  if (parent === undefined) return exact
  return allowed.some((origin) => origin === parent || origin === parent.replace(/:\d+$/, ':*')) ? [parent] : []
}
