// Horizontal bars in SVG, because the content security policy allows no inline styles.
import { number, percent } from '../ui/format-figures.ts'

interface Bar {
  name: string
  count: number
  mark: number
  about?: string
}

/** A funnel: one bar per stage. */
export const Bars = ({ bars }: { bars: Bar[] }) => {
  const largest = Math.max(1, ...bars.map(({ count }) => count))
  return (
    <ul class="bars">
      {bars.map(({ name, count, mark, about }) => (
        <li key={name}>
          <span class="name">{name}</span>
          <Track parts={[{ share: count / largest, tone: `mark-${mark}` }]} />
          <span class="count">{number(count)}</span>
          <span class="quiet about">{about}</span>
        </li>
      ))}
    </ul>
  )
}

/** Bars with nested parts: each count includes the next one. */
export const NestedBars = ({ rows }: { rows: { name: string; counts: number[] }[] }) => {
  const largest = Math.max(1, ...rows.map(({ counts }) => counts[0] ?? 0))
  return (
    <ul class="bars">
      {rows.map(({ name, counts }) => (
        <li key={name}>
          <span class="name">{name}</span>
          <Track parts={counts.map((count, i) => ({ share: count / largest, tone: `part-${i + 1}` }))} />
          <span class="count">{number(counts[0] ?? 0)}</span>
          <span class="quiet about">{percent(counts.at(-2) ?? 0, counts[0] ?? 0)}</span>
        </li>
      ))}
    </ul>
  )
}

const Track = ({ parts }: { parts: { share: number; tone: string }[] }) => (
  <svg class="track" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    {parts.map(({ share, tone }) => (
      <rect key={tone} class={tone} width={share === 0 ? 0 : Math.max(0.6, share * 100)} height={10} />
    ))}
  </svg>
)
