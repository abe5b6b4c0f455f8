// Talks to the page's host: the parent window by exact origin, or the app around a mobile web view (D1 §6.5).
import type { ControlMessage } from '#contract/hosted/embed-message.ts'
import type { LifecycleUpdate } from '#contract/hosted/lifecycle.ts'

export interface Host {
  /** From now on only these windows get messages. */
  allow(origins: string[]): void
  /** Passes a lifecycle update on, unchanged. */
  relay(update: LifecycleUpdate): void
  tell(message: ControlMessage): void
  /** Whether an app must open other pages for us. */
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

/** The used part of a window; a test passes its own. */
export interface Around extends AppWindow {
  parent: Partial<Around> & { postMessage(message: unknown, targetOrigin: string): void }
  location: { ancestorOrigins?: ArrayLike<string> }
}

export function hostOf(around: Around, origins: string[]): Host {
  let allowed = origins
  const app = around.LendloomBridge ?? around.webkit?.messageHandlers?.lendloom
  const framed = around.parent !== around

  const post = (message: ControlMessage | LifecycleUpdate) => {
    app?.postMessage(JSON.stringify(message))
    if (framed)
      for (const origin of targets(allowed, around.location.ancestorOrigins)) around.parent.postMessage(message, origin)
  }
  return {
    allow: (next) => {
      allowed = next
    },
    relay: post,
    tell: post,
    opensPages: app !== undefined,
    framed,
  }
}

/**
 * The origins a message is addressed to. Where the browser names the parent, only it, and only when it is allowed;
 * elsewhere every allowed origin, and the browser drops those that are not the parent. In a sandbox `http://localhost:*`
 * allows every port of this machine, which can only be judged where the parent is named.
 */
export function targets(allowed: string[], ancestors: ArrayLike<string> | undefined): string[] {
  const exact = allowed.filter((origin) => /^https?:\/\/[^/*]+$/.test(origin))
  const parent = ancestors?.[0]
  if (parent === undefined) return exact
  return allowed.some((origin) => origin === parent || origin === parent.replace(/:\d+$/, ':*')) ? [parent] : []
}
