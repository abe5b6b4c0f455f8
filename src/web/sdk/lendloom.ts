// The browser SDK: puts the hosted journey into a page and hands its messages over, checked and typed (D1 §6.5).
import type { ControlMessage } from '#contract/hosted/embed-message.ts'
import type { LifecycleStatus, LifecycleUpdate } from '#contract/hosted/lifecycle.ts'
import type { Language } from '#contract/language.ts'
import { embedAddress, misused } from './address.ts'
import { clampHeight, keyOf, messageIn } from './message.ts'

export type { ControlMessage, Language, LifecycleStatus, LifecycleUpdate }

export interface MountOptions {
  /** The journey's container: it fills the width. */
  container: HTMLElement
  /** The `embedUrl` that your server got from `POST /api/lab/sessions` (D1 §2.2). It works once, for two minutes. */
  embedUrl: string
  /**
   * `content`, the default: the frame is as high as the journey needs, from 200 to 5000 pixels, and your page scrolls.
   * `container`: it is as high as the container, which needs a fixed height, and scrolls inside. Buttons such as the
   * one that accepts a loan then stay at the lower edge.
   */
  height?: 'content' | 'container'
  language?: Language
  /** Forces a colour scheme, to match your page; by default it follows the device. */
  colorScheme?: 'light' | 'dark'
  /** The accessible name of the frame; `Loan application` when absent. */
  title?: string
  /** Called once per lifecycle update: send it to your own server. */
  onUpdate?(update: LifecycleUpdate): void
  /** Every other message of the page. */
  onControl?(message: ControlMessage): void
  /**
   * The link or the session has expired: get a new `embedUrl` from your server and return it to continue the journey.
   */
  onExpired?(): Promise<string> | undefined
  /** The borrower is done, or goes back. */
  onExit?(): void
  /** Called with the lender's page if the browser blocked the frame from opening a window. */
  onOpen?(url: string): void
  /** After this time without a sign of life a button offers to try again; 15 000 when absent. */
  timeoutMs?: number
  /** The words of that button. */
  retryText?: string
}

export interface MountedJourney {
  readonly frame: HTMLIFrameElement
  /** Continues with a new `embedUrl`. */
  load(embedUrl: string): void
  unmount(): void
}

/**
 * Mounts the journey. Throws a TypeError with the reason when `container` is not an element or `embedUrl` not a web
 * address.
 */
export function mountLendloom(options: MountOptions): MountedJourney {
  const { container, height = 'content', timeoutMs = 15_000 } = options
  const fills = height === 'container'
  if (!container?.append) throw misused('container must be an element of your page')
  const frame = document.createElement('iframe')
  const retry = document.createElement('button')
  const seen = new Set<string>()
  let origin = ''
  let current = ''
  let mounted = true
  let timer: ReturnType<typeof setTimeout>

  function load(embedUrl: string): void {
    const url = embedAddress(embedUrl)
    if (!mounted) return
    current = embedUrl
    origin = url.origin
    if (options.language) url.searchParams.set('lang', options.language)
    if (options.colorScheme) url.searchParams.set('scheme', options.colorScheme)
    alive()
    timer = setTimeout(() => {
      container.append(retry)
      options.onControl?.({ type: 'lab.error', code: 'TIMEOUT', retryable: true })
    }, timeoutMs)
    // A new frame each time: an address that differs only in its fragment would not be loaded again.
    frame.remove()
    frame.src = url.href
    container.append(frame)
  }

  /** A link works once: reloading a used one would loop forever. */
  async function renew(): Promise<void> {
    const fresh = await options.onExpired?.()
    if (fresh && fresh !== current) load(fresh)
  }

  function alive(): void {
    clearTimeout(timer)
    retry.remove()
  }

  function receive(event: MessageEvent): void {
    if (event.origin !== origin || event.source !== frame.contentWindow) return
    const message = messageIn(event.data)
    if (!message) return
    if ('borrower' in message) {
      const key = keyOf(message)
      if (seen.has(key)) return
      seen.add(key)
      options.onUpdate?.(message)
      return
    }
    if (message.type === 'lab.ready') alive()
    if (message.type === 'lab.resize' && !fills) frame.height = String(clampHeight(message.height))
    if (message.type === 'lab.scroll' && !fills) scrollToFrame(frame, message.top)
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
    height: fills ? '100%' : '600',
  })
  frame.setAttribute(
    'sandbox',
    'allow-scripts allow-forms allow-same-origin allow-popups allow-popups-to-escape-sandbox',
  )
  frame.style.border = '0'
  frame.style.display = 'block'
  retry.type = 'button'
  retry.textContent = options.retryText ?? 'Try again'
  // No answer about the link, so it may still be valid.
  retry.onclick = async () => load((await options.onExpired?.()) || current)
  load(options.embedUrl)
  addEventListener('message', receive)

  return {
    frame,
    load,
    unmount() {
      mounted = false
      removeEventListener('message', receive)
      alive()
      frame.remove()
    },
  }
}

/** Only when the new screen begins above what the borrower sees, in the window or in what scrolls around the frame. */
function scrollToFrame(frame: HTMLIFrameElement, top: number): void {
  let edge = 0
  for (let around = frame.parentElement; around; around = around.parentElement)
    if (around.scrollTop > 0 && around !== document.documentElement)
      edge = Math.max(edge, around.getBoundingClientRect().top)
  if (frame.getBoundingClientRect().top + top >= edge) return
  frame.style.scrollMarginTop = `${-top}px`
  frame.scrollIntoView()
}
