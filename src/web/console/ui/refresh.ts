// Refreshes pages with changing content every few seconds while they are visible.
import { useEffect, useRef } from 'preact/hooks'

const refreshMs = 5000

export function useRefresh(reload: () => void, everyMs = refreshMs): void {
  // The newest one: it knows the filters that are set now.
  const newest = useRef(reload)
  newest.current = reload
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && newest.current(), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
}
