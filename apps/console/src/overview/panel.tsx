// A panel of the overview: a chart, its numbers as a table, and a CSV file.

import type { FigureFile } from '@lendloom/wire/console/lists'
import { useSignal } from '@preact/signals'
import { type ComponentChildren, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { queryText } from '../api.ts'
import { assign } from '../ui/assign-signal.ts'
import { currentFilters } from './overview-filters.tsx'

export interface Numbers {
  head: string[]
  rows: (string | number)[][]
}

export interface PanelProps {
  title: string
  about?: ComponentChildren
  file: FigureFile
  numbers: Numbers | null
  isOpenOnPhone?: boolean
  children: ComponentChildren
}

/** Within this context, panels without data render their title, and the others render nothing. */
export const ListsEmptyPanels = createContext(false)

export const Panel = ({ title, about, file, numbers, isOpenOnPhone = false, children }: PanelProps) => {
  const listsEmptyPanels = useContext(ListsEmptyPanels)
  const isPhone = matchMedia('(max-width: 599px)').matches
  const isOpen = useSignal(isOpenOnPhone || !isPhone)
  if (numbers === null) return listsEmptyPanels ? <li>{title}</li> : null
  return listsEmptyPanels ? null : (
    <section class="card panel" aria-label={title}>
      <header>
        <h2>
          {isPhone ? (
            <button
              type="button"
              class="fold"
              aria-expanded={isOpen.value}
              onClick={() => assign(isOpen, !isOpen.value)}
            >
              {title}
            </button>
          ) : (
            title
          )}
        </h2>
        {about && isOpen.value && <p class="quiet">{about}</p>}
      </header>
      {isOpen.value && (
        <>
          <div class="picture">{children}</div>
          <footer>
            <details>
              <summary>Show numbers</summary>
              <NumberTable label={title} {...numbers} />
            </details>
            <a href={`/api/console/overview/${file}.csv${queryText(currentFilters())}`} download={`${file}.csv`}>
              CSV<span class="unseen"> of {title}</span>
            </a>
          </footer>
        </>
      )}
    </section>
  )
}

const NumberTable = ({ label, head, rows }: Numbers & { label: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard
  <section class="table numbers" aria-label={`${label}: numbers`} tabIndex={0}>
    <table>
      <thead>
        <tr>
          {head.map((each, i) => (
            <th key={each} scope="col" class={i > 0 ? 'number' : ''}>
              {each}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.join(' ')}>
            {row.map((cell, i) => (
              <td key={head[i]} class={typeof cell === 'number' || i > 0 ? 'number' : ''}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)
