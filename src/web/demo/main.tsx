// The demo app in the browser: mounts the journey as an integrator would, and shows every update as it arrives.
import './demo.css'
import { useSignal } from '@preact/signals'
import { render } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { productIds } from '#contract/product/product.ts'
import { contractOf, defaultProduct } from '#contract/product/products.ts'
import { openJourney } from './journey.ts'
import { EventLog } from './log.tsx'
import { current, language, type Scenario, scenarios, trouble } from './state.ts'

type Product = Scenario['journeyType']
const nameOf = (product: Product): string => contractOf(product).name.replace(/^./, (first) => first.toUpperCase())
/** Only those that somebody is there to apply for. */
const products = productIds.filter((each) => scenarios.some(({ journeyType }) => journeyType === each))

function Demo() {
  return (
    <>
      <header>
        <div>
          <h1>
            Demo App <span>an app that offers credit</span>
          </h1>
          <p>
            Left, the journey as a borrower sees it inside an app. Right, what the app’s page and its server are told.
            All people and lenders are invented.
          </p>
        </div>
        <nav aria-label="More">
          <a href="/docs">API reference</a>
        </nav>
      </header>
      <main>
        <Picker />
        <Phone />
        <EventLog />
      </main>
    </>
  )
}

function Picker() {
  const product = useSignal<Product>(defaultProduct)
  const chosen = useSignal<Scenario>(scenarios[0]!)
  const offered = scenarios.filter(({ journeyType }) => journeyType === product.value)
  return (
    <section class="picker" aria-labelledby="picker">
      <h2 id="picker">Borrower</h2>
      <label>
        Product
        <select
          onChange={(event) => {
            product.value = event.currentTarget.value as Product
            chosen.value = scenarios.find(({ journeyType }) => journeyType === product.value)!
          }}
        >
          {products.map((each) => (
            <option key={each} value={each}>
              {nameOf(each)}
            </option>
          ))}
        </select>
      </label>
      <label>
        Who applies
        <select
          onChange={(event) => {
            chosen.value = offered.find(({ id }) => id === event.currentTarget.value)!
          }}
        >
          {offered.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <p>
        {chosen.value.about} <code>PAN {chosen.value.pan}</code>
      </p>
      <label>
        Language
        <select
          onChange={(event) => {
            language.value = event.currentTarget.value as 'en' | 'hi'
          }}
        >
          <option value="en">English</option>
          <option value="hi">हिन्दी</option>
        </select>
      </label>
      <button type="button" onClick={() => void openJourney(chosen.value)}>
        {current.value ? 'Start with a new borrower' : 'Start'}
      </button>
      {current.value && (
        <button
          type="button"
          class="plain"
          onClick={() => void openJourney(current.value!.scenario, current.value!.borrower)}
        >
          Close and come back later
        </button>
      )}
      <p role="alert">{trouble.value}</p>
    </section>
  )
}

function Phone() {
  const screen = useRef<HTMLElement>(null)
  const { value: journey } = current
  useEffect(() => journey?.mount(screen.current!), [journey])
  return (
    <section class="phone" aria-label="The app">
      <div class="bar">
        <b>Demo App</b>
        <span>{nameOf(journey?.scenario.journeyType ?? defaultProduct)}</span>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="screen" tabIndex={0} aria-label="The phone’s screen" ref={screen}>
        {!journey && <p class="empty">Choose a borrower and start. The journey opens here.</p>}
      </section>
    </section>
  )
}

render(<Demo />, document.getElementById('demo')!)
