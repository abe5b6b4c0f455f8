// A row of the timeline. A click expands its entries, or opens a single entry.

import { clockText, exactText } from '@lendloom/lending/time-text'
import type { TimelineEntry } from '@lendloom/wire/console/journeys'
import { useSignal } from '@preact/signals'
import { assign } from '../ui/assign-signal.ts'
import { dueText, inIndiaAs } from '../ui/clock.ts'
import { Badge, Breaking, TimeText } from '../ui/components.tsx'
import { momentOf, type TimelineFold } from './fold-timeline.ts'
import { entryTexts, type RowWords, rowTexts } from './timeline-row-texts.ts'

/** The time of a part, with the date if it differs from that of its row. */
const partText = (at: string, rowAt: string): string =>
  (inIndiaAs('date', rowAt) === inIndiaAs('date', at) ? clockText : exactText)(new Date(at))

interface RowProps {
  row: TimelineFold
  /** Whether it is yet to come, so that its day counts more than its second. */
  isPlanned?: boolean
  show(entry: TimelineEntry): void
}

export function TimelineRow({ row, isPlanned = false, show }: RowProps) {
  const { entries } = row
  const isOpen = useSignal(false)
  const [newest] = entries
  const at = momentOf(row)
  const words = rowTexts(row)
  // A delivery expands to its tries, without the entry of its queueing.
  const parts = entries.length > 1 && newest.kind === 'delivery' ? entries.filter(isTry) : entries
  const isFolded = parts.length > 1
  const isBad = words.badge?.[0] === 'bad'
  return (
    <li class={`entry of-${newest.kind} ${isBad ? 'is-bad' : ''}`}>
      <TimeText at={at} text={isPlanned ? dueText(at) : clockText(new Date(at))} />
      <button
        type="button"
        {...(isFolded && { 'aria-expanded': isOpen.value })}
        onClick={() => (isFolded ? assign(isOpen, !isOpen.value) : show(parts[0] ?? newest))}
      >
        <Line words={words} isFolded={isFolded} />
      </button>
      {isFolded && isOpen.value && (
        <ol class="parts">
          {parts.map((part) => (
            <li key={part.id}>
              <TimeText at={part.at} text={partText(part.at, at)} />
              <button type="button" onClick={() => show(part)}>
                <Line words={entryTexts(part, row.entries)} />
              </button>
            </li>
          ))}
        </ol>
      )}
    </li>
  )
}

const isTry = ({ title: { code } }: TimelineEntry): boolean => code === 'delivery-try'

const Line = ({
  words: { what, code, badge, note, result },
  isFolded = false,
}: {
  words: RowWords
  isFolded?: boolean
}) => (
  <>
    <span class="what">
      <Breaking text={what} />
      {code && ' '}
      <span class="code-and-arrow">
        {code && <code>{code}</code>}
        {isFolded && <span class="opens" aria-hidden="true" />}
      </span>
      {note && <span class="quiet small block">{note}</span>}
    </span>
    {badge ? <Badge tone={badge[0]}>{badge[1]}</Badge> : <span class="quiet small">{result}</span>}
  </>
)
