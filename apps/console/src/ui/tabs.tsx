// The tabs of an area or a page, each with its own URL.
import { useEffect, useRef } from 'preact/hooks'
import { attentionCountAt } from '../attention.ts'
import { to } from '../router.ts'
import { number } from './format-figures.ts'

/**
 * The ref of a line of links that is wider than a phone. It scrolls to the current link when one of the values changes, and
 * its classes say at which ends more links follow.
 */
export function useCurrentLink(...values: unknown[]) {
  const line = useRef<HTMLElement>(null)
  useEffect(() => {
    const link = line.current?.querySelector<HTMLElement>('[aria-current]')
    if (link && line.current)
      line.current.scrollLeft = link.offsetLeft - (line.current.clientWidth - link.offsetWidth) / 2
  }, values)
  useEffect(() => {
    const element = line.current
    if (!element) return
    const mark = () => {
      const { scrollLeft, scrollWidth, clientWidth } = element
      element.classList.add('more-links')
      element.classList.toggle('before', scrollLeft > 1)
      element.classList.toggle('after', scrollLeft + clientWidth < scrollWidth - 1)
    }
    mark()
    const observer = new ResizeObserver(mark)
    observer.observe(element)
    element.addEventListener('scroll', mark, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', mark)
    }
  }, [])
  return line
}

export const AttentionCount = ({ count }: { count: number }) =>
  count === 0 ? null : (
    <span class="attention-count">
      {number(count)} <span class="unseen">need attention</span>
    </span>
  )

export interface TabsProps {
  /** The path segments of the first tab. */
  path: readonly string[]
  label: string
  /** Path segments with their names; undefined for the first tab. */
  parts: readonly (readonly [part: string | undefined, name: string])[]
  now: string | undefined
}

export const Tabs = ({ path, label, parts, now }: TabsProps) => (
  <nav ref={useCurrentLink(now)} class="tabs" aria-label={label}>
    {parts.map(([part, name]) => {
      const href = part === undefined ? to(...path) : to(...path, part)
      return (
        <a key={name} href={href} aria-current={part === now ? 'page' : undefined}>
          {name} {part !== undefined && <AttentionCount count={attentionCountAt(href)} />}
        </a>
      )
    })}
  </nav>
)
