// Sends messages to the page's host: the parent window by exact origin, or the app of a mobile web view (D1 §6.5).
import { type ControlMessage, helloType } from '@lendloom/wire/hosted/embed-message'
import type { LifecycleUpdate } from '@lendloom/wire/hosted/lifecycle'

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

type PageMessage = ControlMessage | LifecycleUpdate
type HostMessage = Pick<MessageEvent<unknown>, 'data' | 'origin' | 'source'>

/** The part of `window` that the bridge uses, so that tests can pass their own. */
export interface HostWindow extends AppWindow {
  parent: Partial<HostWindow> & { postMessage(message: unknown, targetOrigin: string): void }
  location: { ancestorOrigins?: ArrayLike<string> }
  addEventListener(type: 'message', listener: (event: HostMessage) => void): void
}

export function hostOf(window: HostWindow, origins: string[]): Host {
  let allowed = origins
  const app = window.LendloomBridge ?? window.webkit?.messageHandlers?.lendloom
  const framed = window.parent !== window
  const reportedOrigin = window.location.ancestorOrigins?.[0]
  // `null` hides the parent of a frame that sends no referrer. As an origin it is never allowed.
  let parentOrigin = reportedOrigin === 'null' ? undefined : reportedOrigin
  const unconfirmed: PageMessage[] = []

  function postToParent(message: PageMessage): void {
    for (const origin of targetOrigins(allowed, parentOrigin)) window.parent.postMessage(message, origin)
    if (!parentOrigin) unconfirmed.push(message)
  }
  function post(message: PageMessage): void {
    app?.postMessage(JSON.stringify(message))
    if (framed) postToParent(message)
  }
  // A hello only reveals the parent's origin, against which every message is checked. It gives no instruction.
  window.addEventListener('message', ({ data, origin, source }) => {
    if (parentOrigin || source !== window.parent || Object(data).type !== helloType) return
    const triedOrigins = targetOrigins(allowed)
    parentOrigin = origin
    if (!triedOrigins.includes(origin)) unconfirmed.forEach(postToParent)
  })
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
 * The origins to which a message is sent: the parent's, if it is known and allowed. While it is unknown, because the
 * browser does not report it and the parent has not sent its hello, all exact origins; the browser delivers only to the
 * parent. `http://localhost:*`, which sandboxes use, allows every local port, but only of a known parent.
 */
export function targetOrigins(allowed: string[], parent?: string): string[] {
  if (!parent) return allowed.filter((origin) => /^https?:\/\/[^/*]+$/.test(origin))
  return allowed.some((origin) => origin === parent || origin === parent.replace(/:\d+$/, ':*')) ? [parent] : []
}
