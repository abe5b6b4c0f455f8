// The demo app in the browser: mounts the journey as an integrator would, beside its server's log.
import './demo.css'
import { render } from 'preact'
import { Guide } from './guide.tsx'
import { openJourney } from './journey.ts'
import { EventLog } from './log.tsx'
import { Phone } from './phone.tsx'
import { Picker, Products } from './picker.tsx'
import { currentJourney, entries, language, languages, product, scenarioFromUrl, view, views } from './state.ts'
import { applyTheme, chooseTheme, theme, themes } from './theme.ts'

/** Opens the current journey again, in the new language or colours. */
function reopenJourney(): void {
  const { value: journey } = currentJourney
  if (journey) void openJourney(journey.scenario, journey.borrower)
}

function Demo() {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the demo
      </a>
      <header data-view={view.value}>
        <h1>
          Lendloom <span>demo</span>
        </h1>
        <Products />
        <div class="settings">
          <Choice
            label="Language"
            value={language.value}
            options={languages}
            onChoose={(next) => {
              language.value = next
              reopenJourney()
            }}
          />
          <Choice
            label="Colours"
            value={theme.value}
            options={themes}
            onChoose={(next) => {
              chooseTheme(next)
              reopenJourney()
            }}
          />
          <nav aria-label="More">
            <a href="/docs">API reference</a>
          </nav>
        </div>
      </header>
      <Views />
      <main id="main" data-view={view.value} tabIndex={-1}>
        <Picker />
        <Phone />
        <div class="server">
          <Guide />
          <EventLog />
        </div>
      </main>
    </>
  )
}

/** Switches between the three views of a narrow screen. */
function Views() {
  const entryCount = entries.value.filter(({ channel }) => channel !== 'control').length
  return (
    <fieldset class="views">
      <legend class="unseen">View</legend>
      {views.map(([id, text]) => (
        <button
          key={id}
          type="button"
          aria-pressed={view.value === id}
          onClick={() => {
            view.value = id
          }}
        >
          {text}
          {id === 'server' && entryCount > 0 && <small>{entryCount}</small>}
        </button>
      ))}
    </fieldset>
  )
}

interface ChoiceProps<Value extends string> {
  label: string
  value: Value
  options: readonly (readonly [value: Value, text: string])[]
  onChoose(value: Value): void
}

function Choice<Value extends string>({ label, value, options, onChoose }: ChoiceProps<Value>) {
  return (
    <label>
      <span class="unseen">{label}</span>
      <select
        value={value}
        onChange={({ currentTarget }) => {
          for (const [each] of options) if (each === currentTarget.value) onChoose(each)
        }}
      >
        {options.map(([each, text]) => (
          <option key={each} value={each}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

applyTheme()
render(<Demo />, document.getElementById('demo') ?? document.body)

// A URL with a scenario starts it; reloading the window continues with the same borrower.
const { product: urlProduct, digits } = scenarioFromUrl(location.search)
product.value = urlProduct
if (digits !== null) void openJourney({ product: urlProduct, digits }, history.state?.borrower)
