// The hosted journey as a React component: mounts the SDK once, hands its messages to the newest callbacks, cleans up.
'use client'
import { type CSSProperties, createElement, type ReactElement, useEffect, useRef } from 'react'
import { embedAddress } from './address.ts'
import { type ControlMessage, type MountedJourney, type MountOptions, mountLendloom } from './lendloom.ts'

export type { ControlMessage, Language, LifecycleStatus, LifecycleUpdate } from './lendloom.ts'

/** The failure: a code such as `OFFLINE`, `BUSY` or `TIMEOUT`, and whether the page offers a retry. */
export type JourneyError = Omit<Extract<ControlMessage, { type: 'lab.error' }>, 'type'>

/** `language`, `height`, `title`, `timeoutMs` and `retryText` count when the journey is mounted; callbacks may change at any time. */
export interface LendloomJourneyProps extends Omit<MountOptions, 'container' | 'embedUrl'> {
  /** The `embedUrl` from your server; null while you wait for it. A new one continues the journey. */
  url: string | null
  /** The page reports a failure. */
  onError?(error: JourneyError): void
  className?: string
  style?: CSSProperties
}

/**
 * Shows the journey in a `div` of full width and the height that the page needs. Renders an empty `div` on a server. A
 * `url` that is not a web address throws a TypeError, which an error boundary can catch.
 */
export function LendloomJourney(props: LendloomJourneyProps): ReactElement {
  const { url, className, style } = props
  const container = useRef<HTMLDivElement>(null)
  const current = useRef(props)
  const journey = useRef<MountedJourney>(null)
  const loaded = useRef<string>(null)

  useEffect(() => {
    current.current = props
  })

  const isWaiting = url === null
  useEffect(() => {
    const { url: first } = current.current
    const element = container.current
    if (isWaiting || first === null || !element) return
    embedAddress(first)
    let abandoned = false
    // React in strict mode mounts, unmounts and mounts again at once: a link works once, so only what stays is loaded.
    queueMicrotask(() => {
      if (abandoned) return
      loaded.current = first
      journey.current = mountLendloom({ ...optionsOf(current, loaded), container: element, embedUrl: first })
    })
    return () => {
      abandoned = true
      journey.current?.unmount()
      journey.current = null
    }
  }, [isWaiting])

  useEffect(() => {
    if (url === null || !journey.current || url === loaded.current) return
    loaded.current = url
    journey.current.load(url)
  }, [url])

  return createElement('div', { ref: container, className, style })
}

/** The SDK's options: callbacks that always call the newest ones. */
function optionsOf(
  props: { readonly current: LendloomJourneyProps },
  loaded: { current: string | null },
): Omit<MountOptions, 'container' | 'embedUrl'> {
  const { language, colorScheme, height, title, timeoutMs, retryText } = props.current
  return {
    ...(language && { language }),
    ...(colorScheme && { colorScheme }),
    ...(height && { height }),
    ...(title !== undefined && { title }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(retryText !== undefined && { retryText }),
    onUpdate: (update) => props.current.onUpdate?.(update),
    onControl(message) {
      if (message.type === 'lab.error') props.current.onError?.({ code: message.code, retryable: message.retryable })
      props.current.onControl?.(message)
    },
    // The address that your app also sets as `url` is the same, and is not loaded twice.
    async onExpired() {
      const fresh = await props.current.onExpired?.()
      if (fresh) loaded.current = fresh
      return fresh ?? ''
    },
    onExit: () => props.current.onExit?.(),
    onOpen: (address) => props.current.onOpen?.(address),
  }
}
