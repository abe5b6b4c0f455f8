// Choice of a product and of a scenario, grouped by the journey's outcome.

import { productIds } from '@lendloom/lending/product/products'
import { endings, journeysOf, ordinaryDigits, type SandboxJourney } from '@lendloom/wire/sandbox/journeys'
import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { openJourney } from './journey.ts'
import { currentJourney, nameOf, openingScenario, product } from './state.ts'

export function Products() {
  return (
    <fieldset class="products">
      <legend class="unseen">Product</legend>
      {productIds.map((id) => (
        <button
          key={id}
          type="button"
          aria-pressed={product.value === id}
          onClick={() => {
            product.value = id
          }}
        >
          {nameOf(id)}
        </button>
      ))}
    </fieldset>
  )
}

export function Picker() {
  const searchText = useSignal('')
  const groups = useComputed(() => {
    const query = searchText.value.toLowerCase().trim()
    const matches = ({ title, what, digits }: SandboxJourney) =>
      `${title} ${what} ${digits}`.toLowerCase().includes(query)
    return endings
      .map((ending) => ({ ...ending, journeys: journeysOf(product.value, ending) }))
      .map((group) =>
        group.title.toLowerCase().includes(query) ? group : { ...group, journeys: group.journeys.filter(matches) },
      )
      .filter(({ journeys }) => journeys.length > 0)
  })
  return (
    <section class="picker" aria-labelledby="picker">
      <h2 id="picker">Choose an outcome</h2>
      <p class="quiet">One click starts a journey with this outcome.</p>
      <input
        type="search"
        aria-label="Search scenarios"
        placeholder="Search, for example KYC"
        value={searchText.value}
        onInput={({ currentTarget }) => {
          searchText.value = currentTarget.value
        }}
      />
      {groups.value.length === 0 && (
        <p class="quiet" role="status">
          No scenarios match.
        </p>
      )}
      {groups.value.map((group, i) => (
        <Group key={group.id} group={group} isOpen={!isPhone() || i === 0 || searchText.value.trim() !== ''} />
      ))}
    </section>
  )
}

/** On a phone the list of all scenarios is many screens long. */
const isPhone = (): boolean => matchMedia('(max-width: 40rem)').matches

interface GroupProps {
  group: (typeof endings)[number] & { journeys: readonly SandboxJourney[] }
  isOpen: boolean
}

const Group = ({ group: { id, title, about, journeys }, isOpen }: GroupProps) => (
  <details class="ending" open={isOpen}>
    <summary>
      <h3 class={id}>{title}</h3> <span class="hint">{about}</span>
    </summary>
    <ul>
      {journeys.map((journey) => (
        <li key={journey.digits}>
          <Card journey={journey} />
        </li>
      ))}
    </ul>
  </details>
)

/** The sentence for a person: the network's codes are for the integrator's documentation. */
const withoutCodes = (what: string): string => what.replace(/ \((?:\d{5}|quote ttl \w+)\)/g, '')

function Card({ journey: { digits, title, what } }: { journey: SandboxJourney }) {
  const activeScenario = openingScenario.value ?? currentJourney.value?.scenario
  const isActive = activeScenario?.product === product.value && activeScenario.digits === digits
  const card = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isActive) card.current?.scrollIntoView({ block: 'nearest' })
  }, [isActive])
  return (
    <button
      ref={card}
      type="button"
      class="scenario"
      aria-pressed={isActive}
      onClick={() => void openJourney({ product: product.value, digits })}
    >
      <b>{title}</b>
      <span>{withoutCodes(what)}</span>
      {digits !== ordinaryDigits && <code>{digits}</code>}
    </button>
  )
}
