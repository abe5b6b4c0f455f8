// The current scenario: what happens, what to enter, and how the borrower leaves and returns.
import { findJourney } from '#contract/sandbox/journeys.ts'
import { openJourney } from './journey.ts'
import { Copy } from './log.tsx'
import { addressOf, current, nameOf, opening, titleOf } from './state.ts'
import { entriesOf } from './words.ts'

export function Guide() {
  const { value: open } = current
  const played = opening.value ?? open?.played
  if (!played) return null
  const { journey, ending } = findJourney(played.product, played.digits) ?? {}
  return (
    <section class="guide" aria-labelledby="guide">
      <p class="hint">
        {nameOf(played.product)}
        {ending && <> · {ending.title}</>}
      </p>
      <h2 id="guide">{titleOf(played)}</h2>
      <p>
        {journey?.what ?? 'A provider or bank scenario. The sandbox front page describes it.'}{' '}
        {journey?.outcome && plain(journey.outcome)}
      </p>
      <ol class="steps">
        {[...entriesOf(played.product), ...(ending ? [ending.todo] : [])].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <div class="acts">
        <button type="button" class="secondary" onClick={() => void openJourney(played)}>
          New borrower
        </button>
        {open && (
          <button type="button" class="secondary" onClick={() => void openJourney(open.played, open.borrower)}>
            Close and come back later
          </button>
        )}
        <Copy text={new URL(addressOf(played), location.href).href} label="Copy link" />
      </div>
    </section>
  )
}

/** Names of the API are in backticks in the table. */
const plain = (text: string) =>
  text.split('`').map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part))
