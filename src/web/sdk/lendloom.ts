// The browser SDK: mounts the hosted journey in a page, and passes its validated messages to callbacks (D1 §6.5).
import type { ControlMessage } from '#contract/hosted/embed-message.ts'
import type { LifecycleStatus, LifecycleUpdate } from '#contract/hosted/lifecycle.ts'
import type { Language } from '#contract/language.ts'
import { embedAddress, usageError } from './address.ts'
import { clampHeight, keyOf, messageIn } from './message.ts'

export type { ControlMessage, Language, LifecycleStatus, LifecycleUpdate }

export interface MountOptions {
  /** The journey's container; the frame has its full width. */
  container: HTMLElement
  /** The `embedUrl` that your server got from `POST /api/lab/sessions` (D1 §2.2). It works once, for two minutes. */
  embedUrl: string
  /**
   * `content` (default): the frame is as high as the journey needs, from 200 to 5000 pixels, and your page scrolls.
   * `container`: the frame is as high as the container, which needs a fixed height, and scrolls inside. Important
   * buttons, such as the one that accepts a loan, then stay visible at the lower edge.
   */
  height?: 'content' | 'container'
  language?: Language
  /** Forces a colour scheme, to match your page; by default it follows the device. */
  colorScheme?: 'light' | 'dark'
  /** Accessible name of the frame; `Loan application` by default. */
  title?: string
  /** Called once per lifecycle update. */
  onUpdate?(update: LifecycleUpdate): void
  /** Called for every other message of the page. */
  onControl?(message: ControlMessage): void
  /**
   * Called when the link or the session has expired. Return a new `embedUrl` from your server to continue the journey.
   */
  onExpired?(): Promise<string> | undefined
  /** Called when the borrower finishes or leaves the journey. */
  onExit?(): void
  /** Called with the URL of the lender's page if the browser blocked the new window. */
  onOpen?(url: string): void
  /** Time after which a retry button appears if the page has not loaded; 15 000 by default. */
  timeoutMs?: number
  /** Label of the retry button. */
  retryText?: string
}

export interface MountedJourney {
  readonly frame: HTMLIFrameElement
  /** Continues with a new `embedUrl`. */
  load(embedUrl: string): void
  unmount(): void
}

/**
 * Mounts the journey. Throws a TypeError if `container` is not an element or `embedUrl` is not an http(s) URL.
 */
export function mountLendloom(options: MountOptions): MountedJourney {
  const { container, height = 'content', timeoutMs = 15_000 } = options
  const fillsContainer = height === 'container'
  if (!container?.append) throw usageError('container must be an element of your page')
  const frame = document.createElement('iframe')
  const retry = document.createElement('button')
  const seenUpdates = new Set<string>()
  let origin = ''
  let currentUrl = ''
  let isMounted = true
  let timer: ReturnType<typeof setTimeout>

  function load(embedUrl: string): void {
    const url = embedAddress(embedUrl)
    if (!isMounted) return
    currentUrl = embedUrl
    origin = url.origin
    if (options.language) url.searchParams.set('lang', options.language)
    if (options.colorScheme) url.searchParams.set('scheme', options.colorScheme)
    stopWaiting()
    timer = setTimeout(() => {
      container.append(retry)
      options.onControl?.({ type: 'lab.error', code: 'TIMEOUT', retryable: true })
    }, timeoutMs)
    // Inserts the frame again, because a URL that differs only in its fragment would not reload.
    frame.remove()
    frame.src = url.href
    container.append(frame)
  }

  /** Loads a new link. Ignores the current one, because a link works once and reloading it would loop forever. */
  async function renew(): Promise<void> {
    const newUrl = await options.onExpired?.()
    if (newUrl && newUrl !== currentUrl) load(newUrl)
  }

  function stopWaiting(): void {
    clearTimeout(timer)
    retry.remove()
  }

  function receive(event: MessageEvent): void {
    if (event.origin !== origin || event.source !== frame.contentWindow) return
    const message = messageIn(event.data)
    if (!message) return
    if ('borrower' in message) {
      const key = keyOf(message)
      if (seenUpdates.has(key)) return
      seenUpdates.add(key)
      options.onUpdate?.(message)
      return
    }
    if (message.type === 'lab.ready') stopWaiting()
    if (message.type === 'lab.resize' && !fillsContainer) frame.height = String(clampHeight(message.height))
    if (message.type === 'lab.scroll' && !fillsContainer) scrollToFrame(frame, message.top)
    if (message.type === 'lab.open') options.onOpen?.(message.url)
    if (message.type === 'lab.exit') options.onExit?.()
    options.onControl?.(message)
    if (message.type === 'lab.session_expired') void renew()
  }

  Object.assign(frame, {
    title: options.title ?? 'Loan application',
    referrerPolicy: 'strict-origin',
    allow: 'camera; microphone',
    width: '100%',
    height: fillsContainer ? '100%' : '600',
  })
  frame.setAttribute(
    'sandbox',
    'allow-scripts allow-forms allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  )
  frame.style.border = '0'
  frame.style.display = 'block'
  retry.type = 'button'
  retry.textContent = options.retryText ?? 'Try again'
  // The page has not answered, so the current link may still be valid.
  retry.onclick = async () => load((await options.onExpired?.()) || currentUrl)
  load(options.embedUrl)
  addEventListener('message', receive)

  return {
    frame,
    load,
    unmount() {
      isMounted = false
      removeEventListener('message', receive)
      stopWaiting()
      frame.remove()
    },
  }
}

/** Scrolls to a new screen only if its top is above the visible area of the window or of a scrolling ancestor. */
function scrollToFrame(frame: HTMLIFrameElement, top: number): void {
  let visibleTop = 0
  for (let ancestor = frame.parentElement; ancestor; ancestor = ancestor.parentElement)
    if (ancestor.scrollTop > 0 && ancestor !== document.documentElement)
      visibleTop = Math.max(visibleTop, ancestor.getBoundingClientRect().top)
  if (frame.getBoundingClientRect().top + top >= visibleTop) return
  frame.style.scrollMarginTop = `${-top}px`
  frame.scrollIntoView()
}
