// Pages that show what changes by itself are read anew every few seconds, while somebody looks.
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
