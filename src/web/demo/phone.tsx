// The phone: an app that offers credit, with the journey mounted as any integrator mounts it.
import { useEffect, useRef } from 'preact/hooks'
import { defaultProduct } from '#contract/product/products.ts'
import { ordinaryDigits } from '#contract/sandbox/journeys.ts'
import { openJourney } from './journey.ts'
import { current, nameOf, opening, product, trouble } from './state.ts'

export function Phone() {
  const screen = useRef<HTMLElement>(null)
  const { value: journey } = current
  useEffect(() => (screen.current ? journey?.mount(screen.current) : undefined), [journey])
  return (
    <section class="phone" aria-labelledby="app">
      <h2 class="unseen" id="app">
        The app
      </h2>
      <div class="bar">
        <b>Demo App</b>
        <span>{nameOf(journey?.played.product ?? opening.value?.product ?? product.value ?? defaultProduct)}</span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="screen" tabIndex={0} aria-label="The phone’s screen" ref={screen}>
        {!journey && <Waiting />}
      </section>
    </section>
  )
}

/** The screen without a journey. */
function Waiting() {
  const { value: failed } = trouble
  if (opening.value)
    return (
      <div class="waiting" role="status">
        <div class="spinner" aria-hidden="true" />
        <p>The app’s server asks the platform for a journey…</p>
      </div>
    )
  if (failed)
    return (
      <div class="waiting" role="alert">
        <h3>We could not open the journey</h3>
        <p>{failed.why}</p>
        <p class="quiet">Nothing is lost. The platform may still be starting; it is ready within seconds.</p>
        <button type="button" class="primary" onClick={() => void openJourney(failed.played)}>
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
