// The tabs of an area, each with its own URL.
import { to } from '../router.ts'

interface TabsProps {
  area: string
  label: string
  /** Path segments with their names; undefined for the area's first tab. */
  parts: readonly (readonly [part: string | undefined, name: string])[]
  now: string | undefined
}

export const Tabs = ({ area, label, parts, now }: TabsProps) => (
  <nav class="tabs" aria-label={label}>
    {parts.map(([part, name]) => (
      <a
        key={name}
        href={part === undefined ? to(area) : to(area, part)}
        aria-current={part === now ? 'page' : undefined}
      >
        {name}
      </a>
    ))}
  </nav>
)
