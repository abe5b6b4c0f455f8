// The hosted journey as a React component: mounts the SDK once, and passes its messages to the newest callbacks.
'use client'
import { type CSSProperties, createElement, type ReactElement, useEffect, useRef } from 'react'
import { embedAddress } from './address.ts'
import { type MountedJourney, type MountOptions, mountLendloom } from './lendloom.ts'

export type { ControlMessage, JourneyError, Language, LifecycleStatus, LifecycleUpdate } from './lendloom.ts'
export { version } from './lendloom.ts'

/** Callbacks may change at any time; changes of other options except `url` are ignored after mounting. */
export interface LendloomJourneyProps extends Omit<MountOptions, 'container' | 'embedUrl'> {
  /** The `embedUrl` from your server; null, with a skeleton, while you wait for it. A new value continues the journey. */
  url: string | null
  className?: string
  style?: CSSProperties
}

/**
 * Shows the journey in a `div`; renders an empty `div` on a server. A `url` that is not an http(s) URL throws a TypeError,
 * which an error boundary can catch.
 */
export function LendloomJourney(props: LendloomJourneyProps): ReactElement {
  const { url, className, style } = props
  const container = useRef<HTMLDivElement>(null)
  const latestProps = useRef(props)
  const journey = useRef<MountedJourney>(null)
  const loadedUrl = useRef<string>(null)

  useEffect(() => {
    latestProps.current = props
  })

  useEffect(() => {
    let isUnmounted = false
    // Deferred, because strict mode mounts, unmounts and mounts again at once, but a link works only once.
    queueMicrotask(() => {
      const { url: embedUrl } = latestProps.current
      if (isUnmounted || !container.current) return
      loadedUrl.current = embedUrl
      journey.current = mountLendloom({ ...optionsOf(latestProps, loadedUrl), container: container.current, embedUrl })
    })
    return () => {
      isUnmounted = true
      journey.current?.unmount()
      journey.current = null
    }
  }, [])

  useEffect(() => {
    if (url === null) return
    embedAddress(url)
    if (!journey.current || url === loadedUrl.current) return
    loadedUrl.current = url
    journey.current.load(url)
  }, [url])

  return createElement('div', { ref: container, className, style })
}

/** The SDK's options, with callbacks that call the newest props. */
function optionsOf(
  props: { readonly current: LendloomJourneyProps },
  loadedUrl: { current: string | null },
): Omit<MountOptions, 'container' | 'embedUrl'> {
  const { language, colorScheme, height, title, timeoutMs, retryText } = props.current
  return {
    ...(language && { language }),
    ...(colorScheme && { colorScheme }),
    ...(height && { height }),
    ...(title !== undefined && { title }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(retryText !== undefined && { retryText }),
    onReady: () => props.current.onReady?.(),
    onError: (error) => props.current.onError?.(error),
    onUpdate: (update) => props.current.onUpdate?.(update),
    onControl: (message) => props.current.onControl?.(message),
    // Remembers the new URL, so that it is not loaded twice when the app also sets it as `url`.
    async onExpired() {
      const newUrl = await props.current.onExpired?.()
      if (newUrl) loadedUrl.current = newUrl
      return newUrl ?? ''
    },
    onExit: () => props.current.onExit?.(),
    onOpen: (address) => props.current.onOpen?.(address),
  }
}
