// The tabs of an area or a page, each with its own URL.
import { to } from '../router.ts'

export interface TabsProps {
  /** The path segments of the first tab. */
  path: readonly string[]
  label: string
  /** Path segments with their names; undefined for the first tab. */
  parts: readonly (readonly [part: string | undefined, name: string])[]
  now: string | undefined
}

export const Tabs = ({ path, label, parts, now }: TabsProps) => (
  <nav class="tabs" aria-label={label}>
    {parts.map(([part, name]) => (
      <a
        key={name}
        href={part === undefined ? to(...path) : to(...path, part)}
        aria-current={part === now ? 'page' : undefined}
      >
        {name}
      </a>
    ))}
  </nav>
)
