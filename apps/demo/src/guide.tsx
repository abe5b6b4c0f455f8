// The current scenario: what happens, what to enter, and how the borrower leaves and returns.
import { findJourney } from '@lendloom/wire/sandbox/journeys'
import { openJourney } from './journey.ts'
import { Copy } from './log.tsx'
import { addressOf, currentJourney, nameOf, openingScenario, titleOf } from './state.ts'
import { instructionsFor } from './words.ts'

export function Guide() {
  const { value: open } = currentJourney
  const scenario = openingScenario.value ?? open?.scenario
  if (!scenario) return null
  const { journey, ending } = findJourney(scenario.product, scenario.digits) ?? {}
  return (
    <section class="guide" aria-labelledby="guide">
      <p class="hint">
        {nameOf(scenario.product)}
        {ending && <> · {ending.title}</>}
      </p>
      <h2 id="guide">{titleOf(scenario)}</h2>
      <p>
        {journey?.what ?? 'A provider or bank scenario. The sandbox front page describes it.'}{' '}
        {journey?.outcome && renderCode(journey.outcome)}
      </p>
      <ol class="steps">
        {[...instructionsFor(scenario.product), ...(ending ? [ending.todo] : [])].map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <div class="acts">
        <button type="button" class="secondary" onClick={() => void openJourney(scenario)}>
          New borrower
        </button>
        {open && (
          <button type="button" class="secondary" onClick={() => void openJourney(open.scenario, open.borrower)}>
            Close and come back later
          </button>
        )}
        <Copy text={new URL(addressOf(scenario), location.href).href} label="Copy link" look="secondary" />
      </div>
    </section>
  )
}

/** Renders names of the API, which the table of scenarios has in backticks, as code. */
const renderCode = (text: string) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))
