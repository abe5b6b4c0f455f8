// The phone: an app that offers credit and mounts the journey with the SDK.

import { defaultProduct } from '@lendloom/lending/product/products'
import { ordinaryDigits } from '@lendloom/wire/sandbox/journeys'
import { useEffect, useRef } from 'preact/hooks'
import { openJourney } from './journey.ts'
import { currentJourney, failure, nameOf, openingScenario, product } from './state.ts'

export function Phone() {
  const screen = useRef<HTMLElement>(null)
  const { value: journey } = currentJourney
  useEffect(() => (screen.current ? journey?.mount(screen.current) : undefined), [journey])
  return (
    <section class="phone" aria-labelledby="app">
      <h2 class="unseen" id="app">
        The app
      </h2>
      <div class="bar">
        {/* A journey names the app itself. */}
        {!journey && <b>Demo App</b>}
        <span>
          {nameOf(journey?.scenario.product ?? openingScenario.value?.product ?? product.value ?? defaultProduct)}
        </span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be reachable by keyboard */}
      <section class="screen" tabIndex={0} aria-label="The phone’s screen" ref={screen}>
        {!journey && <EmptyScreen />}
      </section>
    </section>
  )
}

/** The screen before a journey is mounted. */
function EmptyScreen() {
  const { value: failed } = failure
  if (openingScenario.value)
    return (
      <div class="waiting" role="status">
        <div class="spinner" aria-hidden="true" />
        <p>The app’s server is requesting a journey…</p>
      </div>
    )
  if (failed)
    return (
      <div class="waiting" role="alert">
        <h3>We could not open the journey</h3>
        <p>{failed.reason}</p>
        <p class="quiet">The platform may still be starting. Try again in a few seconds.</p>
        <button type="button" class="primary" onClick={() => void openJourney(failed.scenario)}>
          Try again
        </button>
      </div>
    )
  return (
    <div class="waiting">
      <p class="figure">₹2,00,000</p>
      <h3>Money for what matters</h3>
      <p class="quiet">Compare offers from several lenders in one place. All people and lenders here are fictional.</p>
      <button
        type="button"
        class="primary"
        onClick={() => void openJourney({ product: product.value, digits: ordinaryDigits })}
      >
        See my offers
      </button>
    </div>
  )
}
