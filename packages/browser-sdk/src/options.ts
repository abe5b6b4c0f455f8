// The options of the SDK, and the types of what its callbacks get.

import type { Language } from '@lendloom/lending/language'
import type { ControlMessage } from '@lendloom/wire/hosted/embed-message'
import type { LifecycleStatus, LifecycleUpdate } from '@lendloom/wire/hosted/lifecycle'

export type { ControlMessage, Language, LifecycleStatus, LifecycleUpdate }

/** A failure that the page or the SDK reports. */
export interface JourneyError {
  /**
   * From the page: `OFFLINE`, `BUSY`. From the SDK: `TIMEOUT` if the page did not answer within `timeoutMs`, `RENEWAL` if
   * `onExpired` failed or returned no new URL, `HEIGHT` if the page is too high for its frame and scrolls inside.
   */
  code: string
  /** Whether the borrower sees a button that retries. */
  retryable: boolean
  /** For `RENEWAL`: the error of `onExpired`. */
  cause?: unknown
}

export interface MountOptions {
  /** The journey's container, which shows no other journey; the frame has its full width. */
  container: HTMLElement
  /**
   * The `embedUrl` that your server got from `POST /api/lab/sessions` (D1 §2.2). It works once, for two minutes. With
   * null the skeleton is shown until you call `load`.
   */
  embedUrl: string | null
  /**
   * `content` (default): the frame is as high as the journey needs, at least 200 pixels, and your page scrolls.
   * `container`: the frame is as high as the container, which needs a fixed height, and scrolls inside. Important
   * buttons, such as the one that accepts a loan, then stay visible at the lower edge.
   */
  height?: 'content' | 'container'
  language?: Language
  /** Forces a colour scheme, to match your page; by default it follows the device. */
  colorScheme?: 'light' | 'dark'
  /** Accessible name of the frame and of its skeleton; `Loan application` by default. */
  title?: string
  /** Called once, when the borrower can use the page. The skeleton is gone. */
  onReady?(): void
  /** Called for every failure. */
  onError?(error: JourneyError): void
  /** Called once per lifecycle update. */
  onUpdate?(update: LifecycleUpdate): void
  /** Called for every other message of the page, to log or debug. The callbacks above and below suffice otherwise. */
  onControl?(message: ControlMessage): void
  /**
   * Called when the link or the session has expired. Return a new `embedUrl` from your server to continue the journey.
   */
  onExpired?(): Promise<string> | undefined
  /** Called when the borrower finishes or leaves the journey. */
  onExit?(): void
  /** Called with the URL of the lender's page if the browser blocked the new window. */
  onOpen?(url: string): void
  /** Time after which a retry button replaces the skeleton if the page has not loaded; 15 000 by default. */
  timeoutMs?: number
  /** Label of the retry button. */
  retryText?: string
}
