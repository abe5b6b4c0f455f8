// Reloads changing content periodically while the page is visible.
import { useEffect, useRef } from 'preact/hooks'

const refreshMs = 5000

export function useRefresh(reload: () => void, everyMs = refreshMs): void {
  // The newest function, which uses the current filters.
  const newest = useRef(reload)
  newest.current = reload
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && newest.current(), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
}
