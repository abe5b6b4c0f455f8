// Which borrower applies: a product, then what is to become of the journey. One click begins.
import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { productIds } from '#contract/product/products.ts'
import { endings, journeysOf, ordinaryDigits, type SandboxJourney } from '#contract/sandbox/journeys.ts'
import { openJourney } from './journey.ts'
import { current, nameOf, opening, product } from './state.ts'

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
  const words = useSignal('')
  const groups = useComputed(() => {
    const sought = words.value.toLowerCase().trim()
    const matches = ({ title, what, digits }: SandboxJourney) =>
      `${title} ${what} ${digits}`.toLowerCase().includes(sought)
    return endings
      .map((ending) => ({ ...ending, journeys: journeysOf(product.value, ending) }))
      .map((group) =>
        group.title.toLowerCase().includes(sought) ? group : { ...group, journeys: group.journeys.filter(matches) },
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
        value={words.value}
        onInput={({ currentTarget }) => {
          words.value = currentTarget.value
        }}
      />
      {groups.value.length === 0 && (
        <p class="quiet" role="status">
          No scenarios match.
        </p>
      )}
      {groups.value.map(({ id, title, about, journeys }) => (
        <section key={id} class="ending" aria-labelledby={`ending-${id}`}>
          <h3 id={`ending-${id}`} class={id}>
            {title}
          </h3>
          <p class="hint">{about}</p>
          <ul>
            {journeys.map((journey) => (
              <li key={journey.digits}>
                <Card journey={journey} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  )
}

function Card({ journey: { digits, title, what } }: { journey: SandboxJourney }) {
  const shown = opening.value ?? current.value?.played
  const isOpen = shown?.product === product.value && shown.digits === digits
  const card = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isOpen) card.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  return (
    <button
      ref={card}
      type="button"
      class="scenario"
      aria-pressed={isOpen}
      onClick={() => void openJourney({ product: product.value, digits })}
    >
      <b>{title}</b>
      <span>{what}</span>
      {digits !== ordinaryDigits && <code>{digits}</code>}
    </button>
  )
}
