// The demo app in the browser: mounts the journey as an integrator would, and shows every update as it arrives.
import './demo.css'
import { useSignal } from '@preact/signals'
import { render } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { languageNames, languages } from '#contract/language.ts'
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
  const chosen = useSignal<Scenario>(
    scenarios.find(({ journeyType }) => journeyType === defaultProduct) ?? scenarios[0],
  )
  const offered = scenarios.filter(({ journeyType }) => journeyType === chosen.value.journeyType)
  const choose = (scenario: Scenario) => {
    chosen.value = scenario
  }
  const { value: open } = current
  return (
    <section class="picker" aria-labelledby="picker">
      <h2 id="picker">Borrower</h2>
      <Choice
        label="Product"
        options={products.map((each) => [each, nameOf(each)])}
        onChoose={(product) =>
          scenarios
            .filter(({ journeyType }) => journeyType === product)
            .slice(0, 1)
            .forEach(choose)
        }
      />
      <Choice
        label="Who applies"
        options={offered.map(({ id, title }) => [id, title])}
        onChoose={(wanted) => offered.filter(({ id }) => id === wanted).forEach(choose)}
      />
      <p>
        {chosen.value.about} <code>PAN {chosen.value.pan}</code>
      </p>
      <Choice
        label="Language"
        options={languages.map((each) => [each, languageNames[each]])}
        onChoose={(wanted) => {
          language.value = wanted
        }}
      />
      <button type="button" class="primary" onClick={() => void openJourney(chosen.value)}>
        {open ? 'Start with a new borrower' : 'Start'}
      </button>
      {open && (
        <button type="button" class="secondary" onClick={() => void openJourney(open.scenario, open.borrower)}>
          Close and come back later
        </button>
      )}
      <p role="alert">{trouble.value}</p>
    </section>
  )
}

interface ChoiceProps<Value extends string> {
  label: string
  options: readonly (readonly [value: Value, text: string])[]
  onChoose(value: Value): void
}

function Choice<Value extends string>({ label, options, onChoose }: ChoiceProps<Value>) {
  return (
    <label>
      {label}
      <select
        onChange={({ currentTarget }) => {
          for (const [value] of options) if (value === currentTarget.value) onChoose(value)
        }}
      >
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

function Phone() {
  const screen = useRef<HTMLElement>(null)
  const { value: journey } = current
  useEffect(() => (screen.current ? journey?.mount(screen.current) : undefined), [journey])
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

render(<Demo />, document.getElementById('demo') ?? document.body)
