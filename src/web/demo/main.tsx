// The demo app in the browser: mounts the journey as an integrator would, beside its server's log.
import './demo.css'
import { render } from 'preact'
import { Guide } from './guide.tsx'
import { openJourney } from './journey.ts'
import { EventLog } from './log.tsx'
import { Phone } from './phone.tsx'
import { Picker, Products } from './picker.tsx'
import { current, entries, language, languages, product, view, views, wanted } from './state.ts'
import { applyTheme, chooseTheme, theme, themes } from './theme.ts'

/** Shows the journey in the phone. */
function openAgain(): void {
  const { value: open } = current
  if (open) void openJourney(open.played, open.borrower)
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
              openAgain()
            }}
          />
          <Choice
            label="Colours"
            value={theme.value}
            options={themes}
            onChoose={(next) => {
              chooseTheme(next)
              openAgain()
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

/** On a narrow screen one of three is seen. */
function Views() {
  const heard = entries.value.filter(({ channel }) => channel !== 'control').length
  return (
    <fieldset class="views">
      <legend class="unseen">What is shown</legend>
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
          {id === 'server' && heard > 0 && <small>{heard}</small>}
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

// An address with a scenario starts it; reloading the window continues with its borrower.
const { product: named, digits } = wanted(location.search)
product.value = named
if (digits !== null) void openJourney({ product: named, digits }, history.state?.borrower)
