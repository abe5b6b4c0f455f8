// Sandbox tools: start a journey with a scenario, and move the clock.

import { contractOf, defaultProduct, type ProductId, productsThat } from '@lendloom/lending/product/products'
import type { Applications } from '@lendloom/wire/console/developers'
import type { ClockReply, SandboxJourneyReply } from '@lendloom/wire/console/sandbox-tools'
import { isPossibleFor } from '@lendloom/wire/sandbox/fault-products'
import { faultRules } from '@lendloom/wire/sandbox/fault-rules'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { post } from '../api.ts'
import { productName } from '../journeys/journey-texts.ts'
import { to } from '../router.ts'
import { ofTenant, tenantId } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { inIndiaAs } from '../ui/clock.ts'
import { Id, Loading, Time, Trouble } from '../ui/components.tsx'
import { Choice, Form, useForm, useTyped } from '../ui/form.tsx'
import { useResource } from '../ui/list.tsx'

export function Sandbox() {
  const { value, error, reload } = useResource<Applications>('/developers/applications', { tenantId: tenantId.value })
  if (error && !value) return <Trouble error={error} retry={reload} />
  if (!value) return <Loading rows={3} />
  return (
    <div class="columns">
      <NewJourney applications={value} />
      <Clock />
    </div>
  )
}

const products = productsThat('opensBySession')
const noFaultDigits = '1234'
const rulesFor = (product: ProductId) => faultRules.filter(({ digits }) => isPossibleFor(digits, contractOf(product)))
const scenariosFor = (product: ProductId) => [
  [noFaultDigits, 'No problems'] as const,
  ...rulesFor(product).map(({ digits, title }) => [digits, `${digits} · ${title}`] as const),
]

function NewJourney({ applications: { items } }: { applications: Applications }) {
  const { act, bind, set, typed } = useTyped<{ applicationId: string; product: ProductId; digits: string }>({
    applicationId: items[0]?.applicationId ?? '',
    product: defaultProduct,
    digits: noFaultDigits,
  })
  const startedJourney = useSignal<SandboxJourneyReply | null>(null)
  const begin = async () =>
    assign(startedJourney, await post<SandboxJourneyReply>(ofTenant('/developers/sandbox/journeys'), typed))
  const rule = faultRules.find((each) => each.digits === typed.digits)
  const choose = (value: string) => {
    const chosen = products.find((each) => each === value) ?? typed.product
    const isPossible = rulesFor(chosen).some((each) => each.digits === typed.digits)
    set({ product: chosen, digits: isPossible ? typed.digits : noFaultDigits })
  }
  return (
    <section class="card">
      <h2>Start a journey</h2>
      <Form act={act} button="Start" onSubmit={begin}>
        <Choice
          label="Application"
          options={items.map((each) => [each.applicationId, each.name] as const)}
          {...bind('applicationId')}
        />
        <Choice
          label="Product"
          options={products.map((each) => [each, productName(each)] as const)}
          {...bind('product')}
          onValue={choose}
        />
        <Choice label="Scenario" options={scenariosFor(typed.product)} {...bind('digits')} />
        <p class="hint">
          {rule ? `${rule.what} ${rule.outcome ?? ''}` : 'Each lender decides based on the applicant’s data.'}
        </p>
      </Form>
      {startedJourney.value && <StartedJourney journey={startedJourney.value} />}
    </section>
  )
}

const StartedJourney = ({ journey: { journeyId, embedUrl, pan } }: { journey: SandboxJourneyReply }) => (
  <div class="notice good" role="status">
    <p>
      The journey for PAN <Id value={pan} whole /> has started.
    </p>
    <p class="acts">
      <a class="secondary" href={embedUrl} target="_blank" rel="noreferrer">
        Open the borrower’s page
      </a>
      <a class="secondary" href={to('journeys', journeyId)}>
        See the journey
      </a>
    </p>
    <p class="quiet small">
      The link to the borrower’s page works once, within two minutes. On the journey’s page you can also act as the
      borrower.
    </p>
  </div>
)

const clockMoves = [
  ['1', '1 hour'],
  ['6', '6 hours'],
  ['24', '1 day'],
  ['168', '7 days'],
  ['720', '30 days'],
  ['2160', '90 days'],
] as const
const pollMs = 1000

function Clock() {
  const { value, error, reload } = useResource<ClockReply>('/developers/sandbox/clock')
  const hours = useSignal('24')
  const act = useForm(['hours'])
  const isMoving = value?.moving ? !value.moving.isDone : false
  useEffect(() => {
    const timer = setInterval(reload, isMoving ? pollMs : 10 * pollMs)
    return () => clearInterval(timer)
  }, [isMoving])
  if (error && !value) return <Trouble error={error} retry={reload} />
  if (!value) return <Loading rows={3} />
  return (
    <section class="card">
      <h2>Sandbox clock</h2>
      <p>
        Sandbox time: <strong>{inIndiaAs('minute', value.now)}</strong>{' '}
        {value.aheadMs > 0 ? `(${offsetText(value.aheadMs)} ahead of real time)` : '(same as real time)'}
      </p>
      {value.moving && <ClockProgress moving={value.moving} />}
      <Form
        act={act}
        button={isMoving ? 'The clock is moving…' : 'Move the clock'}
        onSubmit={async () => {
          await post<ClockReply>('/developers/sandbox/clock', { hours: Number(hours.value) })
          setTimeout(reload, pollMs / 2)
        }}
      >
        <Choice
          label="Move it forward by"
          value={hours.value}
          options={clockMoves}
          fault={act.faults.hours}
          onValue={(each) => assign(hours, each)}
        />
        <p class="hint">
          Everything due in between happens in order: instalments, reminders, retries. All tenants of this sandbox share
          the clock, and it only moves forward.
        </p>
      </Form>
    </section>
  )
}

const ClockProgress = ({
  moving: { beganAt, endsAt, isAt, isDone, problem },
}: {
  moving: NonNullable<ClockReply['moving']>
}) => {
  const startMs = Date.parse(beganAt)
  if (problem) return <p class="notice bad">The clock stopped: {problem}</p>
  if (isDone)
    return (
      <p class="quiet">
        The clock is now at <Time at={isAt} exact />.
      </p>
    )
  return (
    <progress
      max={Date.parse(endsAt) - startMs}
      value={Date.parse(isAt) - startMs}
      aria-label="Progress of the clock"
    />
  )
}

const offsetText = (ms: number): string =>
  ms < 2 * 86_400_000 ? `${Math.round(ms / 3_600_000)} hours` : `${Math.round(ms / 86_400_000)} days`
