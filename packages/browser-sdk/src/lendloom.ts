// The browser SDK: mounts the hosted journey in a page, and passes its validated messages to callbacks (D1 §6.5).
import { helloType } from '@lendloom/wire/hosted/embed-message'
import { embedAddress, usageError } from './address.ts'
import { coverOf } from './cover.ts'
import { frameOf, scrollToFrame } from './frame.ts'
import { frameHeight, keyOf, messageIn } from './message.ts'
import type { JourneyError, MountOptions } from './options.ts'

export * from './options.ts'
export { version } from './values.ts'

export interface MountedJourney {
  readonly frame: HTMLIFrameElement
  /** Continues with a new `embedUrl`. */
  load(embedUrl: string): void
  unmount(): void
}

/**
 * Mounts the journey. Throws a TypeError if `container` is not an element or already shows a journey, or `embedUrl` is
 * not an http(s) URL.
 */
export function mountLendloom(options: MountOptions): MountedJourney {
  const { container, timeoutMs = 15_000, title = 'Loan application' } = options
  if (!container?.append) throw usageError('container must be an element of your page')
  if (container.querySelector(':scope>[data-lendloom]'))
    throw usageError('container already shows a journey; call unmount() first')
  if (options.embedUrl !== null) embedAddress(options.embedUrl)
  const fillsContainer = options.height === 'container'
  const box = document.createElement('div')
  const frame = frameOf(options, title)
  const cover = coverOf(options, title, () => renew(currentUrl))
  const seenUpdates = new Set<string>()
  let origin = ''
  let currentUrl = ''
  let isMounted = true
  let isReady = false
  let isLoading = false
  let isRenewing = false
  let isTooHigh = false
  let timer: ReturnType<typeof setTimeout>

  function load(embedUrl: string): void {
    const url = embedAddress(embedUrl)
    if (!isMounted) return
    currentUrl = embedUrl
    origin = url.origin
    if (options.language) url.searchParams.set('lang', options.language)
    if (options.colorScheme) url.searchParams.set('scheme', options.colorScheme)
    clearTimeout(timer)
    timer = setTimeout(() => {
      // The host has removed the container.
      if (!box.isConnected) return
      box.removeAttribute('aria-busy')
      cover.showRetry()
      console.warn(
        `Lendloom: no message from ${origin} within ${timeoutMs} ms. Is ${location.origin} an origin of your application?`,
      )
      report({ code: 'TIMEOUT', retryable: true })
    }, timeoutMs)
    isLoading = true
    isRenewing = false
    showSkeleton()
    // Inserts the frame again, because a URL that differs only in its fragment would not reload.
    frame.remove()
    frame.src = url.href
    frame.style.visibility = 'hidden'
    cover.element.before(frame)
  }

  function showSkeleton(): void {
    box.setAttribute('aria-busy', 'true')
    cover.showSkeleton()
    box.append(cover.element)
  }

  function reveal(): void {
    clearTimeout(timer)
    isLoading = false
    box.removeAttribute('aria-busy')
    cover.element.remove()
    frame.style.visibility = ''
    if (isReady) return
    isReady = true
    options.onReady?.()
  }

  function report(error: JourneyError): void {
    if (isMounted) options.onError?.(error)
  }

  /**
   * Loads a new link. `unansweredUrl` may be loaded again unless its page answers now, because it may still be valid; an
   * opened link has been used, and reloading it would loop forever.
   */
  async function renew(unansweredUrl?: string): Promise<void> {
    if (isRenewing) return
    isRenewing = true
    const oldUrl = currentUrl
    try {
      const newUrl = (await options.onExpired?.()) || unansweredUrl
      // The host has called `load`, or the page has answered.
      if (currentUrl !== oldUrl || (unansweredUrl && !isLoading)) return
      if (newUrl === oldUrl && !unansweredUrl) throw usageError('onExpired must return a new embedUrl')
      if (newUrl) load(newUrl)
    } catch (cause) {
      report({ code: 'RENEWAL', retryable: unansweredUrl !== undefined, cause })
    } finally {
      isRenewing = false
    }
  }

  function resize(contentHeight: number): void {
    const height = frameHeight(contentHeight)
    if (height !== null) frame.height = String(height)
    else if (!isTooHigh) report({ code: 'HEIGHT', retryable: false })
    isTooHigh = height === null
  }

  function receive(event: MessageEvent): void {
    if (event.origin !== origin || !event.source || event.source !== frame.contentWindow) return
    const message = messageIn(event.data)
    if (!message) return
    if ('borrower' in message) {
      const key = keyOf(message)
      if (seenUpdates.has(key)) return
      seenUpdates.add(key)
      options.onUpdate?.(message)
      return
    }
    if (message.type === 'lab.ready') reveal()
    if (message.type === 'lab.resize' && !fillsContainer) resize(message.height)
    if (message.type === 'lab.scroll' && !fillsContainer) scrollToFrame(frame, message.top)
    if (message.type === 'lab.session_expired') void renew()
    if (message.type === 'lab.error') report({ code: message.code, retryable: message.retryable })
    if (message.type === 'lab.open') options.onOpen?.(message.url)
    if (message.type === 'lab.exit') options.onExit?.()
    options.onControl?.(message)
  }

  // Some browsers do not name the parent window to the page, which then learns its origin from this message.
  frame.addEventListener('load', () => frame.contentWindow?.postMessage({ type: helloType }, origin))
  box.dataset.lendloom = ''
  box.style.cssText = `display:grid;${fillsContainer ? 'height:100%' : ''}`
  container.append(box)
  showSkeleton()
  if (options.embedUrl !== null) load(options.embedUrl)
  addEventListener('message', receive)

  return {
    frame,
    load,
    unmount() {
      isMounted = false
      removeEventListener('message', receive)
      clearTimeout(timer)
      box.remove()
    },
  }
}
