// Settings for alerts about failing endpoints, and past outages.

import { capitalize } from '@lendloom/foundation/text'
import type { AlertSettingsRequest, Alerts as AlertsWire, Endpoint, Outage } from '@lendloom/wire/console/webhooks'
import { causeText } from '@lendloom/wire/webhook/answer-text-en'
import { useSignal } from '@preact/signals'
import { put } from '../api.ts'
import { to } from '../router.ts'
import { tenantId } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { withoutScheme } from '../ui/code-labels.ts'
import { Badge, Breaking, Empty, Loading, Time, Trouble } from '../ui/components.tsx'
import { Choice, Field, Form, type TypedFields, useTyped } from '../ui/form.tsx'
import { type Column, Rows, useList, useResource } from '../ui/list.tsx'
import { api, mayAct } from './access.ts'
import { Ticks } from './ticks.tsx'

export function Alerts() {
  const { value, error, reload } = useResource<AlertsWire>('/webhooks/alerts', { tenantId: tenantId.value })
  const endpoints = useList<Endpoint>('/webhooks/endpoints', { tenantId: tenantId.value, limit: '200' })
  if (!mayAct())
    return (
      <Empty title="Your role cannot see alerts">
        <p>Only developers, operators and admins can change alerts.</p>
      </Empty>
    )
  if (error && !value) return <Trouble error={error} retry={reload} />
  if (!value || !endpoints.items) return <Loading />
  return (
    <div class="alerts">
      <p class="quiet">
        An alert is sent once when an endpoint starts failing and once when it recovers. In between, updates wait and
        are retried in order. You can replay given-up updates from the endpoint’s page.
      </p>
      <Settings key={tenantId.value} settings={value.settings} endpoints={endpoints.items} onDone={reload} />
      <div>
        <h2>Outages</h2>
        {value.outages.length === 0 ? (
          <p class="quiet">No outages so far.</p>
        ) : (
          <Rows label="Outages" items={value.outages} columns={columns} keyOf={({ outageId }) => outageId} />
        )}
      </div>
    </div>
  )
}

const reasonTexts: Record<Outage['why'], (outage: Outage) => string> = {
  FAILURES: ({ failures }) => `${failures} tries failed`,
  WAITING: () => 'An update has waited too long',
  DISABLED: () => 'The endpoint answered 410',
}

const columns: Column<Outage>[] = [
  {
    head: 'Endpoint',
    cell: ({ url, endpointId }) => (
      <span class="wraps">
        {url === null ? (
          'removed'
        ) : (
          <a href={to('webhooks', endpointId)}>
            <Breaking text={withoutScheme(url)} />
          </a>
        )}
      </span>
    ),
  },
  { head: 'Reason', isMinor: true, cell: (outage) => reasonTexts[outage.why](outage) },
  {
    head: 'Cause',
    isMinor: true,
    cell: ({ why, lastAnswer }) => why !== 'DISABLED' && lastAnswer && capitalize(causeText(lastAnswer)),
  },
  { head: 'Began', cell: ({ beganAt }) => <Time at={beganAt} /> },
  {
    head: 'Ended',
    isState: true,
    cell: ({ endedAt }) => (endedAt === null ? <Badge tone="bad">Still failing</Badge> : <Time at={endedAt} />),
  },
]

interface SettingsProps {
  settings: AlertSettingsRequest
  endpoints: Endpoint[]
  onDone(): void
}

function Settings({ settings, endpoints, onDone }: SettingsProps) {
  const { act, bind, typed } = useTyped(inputOf(settings))
  const savedInput = useSignal<object | null>(null)
  async function submit(): Promise<void> {
    const { isOn, failures, waitingMinutes, emails, endpointIds } = typed
    const addresses = emails.split(/[\s,;]+/).filter(Boolean)
    await put(api('/alerts'), {
      isOn: isOn === 'on',
      failures: Number(failures),
      waitingMinutes: Number(waitingMinutes),
      endpointIds,
      emails: addresses.length > 0 ? addresses : null,
    })
    assign(savedInput, typed)
    onDone()
  }
  return (
    <Form act={act} onSubmit={submit} button="Save">
      {savedInput.value === typed && (
        <p class="notice good" role="status">
          Saved.
        </p>
      )}
      <Thresholds bind={bind} />
      <Targets endpoints={endpoints} {...bind('endpointIds')} />
    </Form>
  )
}

const inputOf = ({ isOn, failures, waitingMinutes, emails, endpointIds }: AlertSettingsRequest) => ({
  isOn: isOn ? 'on' : 'off',
  failures: String(failures),
  waitingMinutes: String(waitingMinutes),
  emails: emails?.join(', ') ?? '',
  endpointIds,
})

const Thresholds = ({ bind }: Pick<TypedFields<ReturnType<typeof inputOf>>, 'bind'>) => (
  <>
    <Choice
      label="Alerts"
      options={[
        ['on', 'On'],
        ['off', 'Off'],
      ]}
      {...bind('isOn')}
    />
    <Field
      label="Failed tries"
      hint="How many tries in a row may fail before an alert: 1 to 1000."
      inputMode="numeric"
      {...bind('failures')}
    />
    <Field
      label="Waiting time (minutes)"
      hint="How long an update may wait before an alert: 1 to 10080."
      inputMode="numeric"
      {...bind('waitingMinutes')}
    />
    <Field
      label="Email addresses"
      hint="Separated by commas. Leave empty for the admins and developers of the tenant."
      {...bind('emails')}
    />
  </>
)

interface TargetsProps {
  endpoints: Endpoint[]
  value: string[]
  fault: string | undefined
  onValue(value: string[]): void
}

const Targets = ({ endpoints, value, fault, onValue }: TargetsProps) => (
  <fieldset class="options">
    <legend>Endpoints that receive alerts as signed events; an endpoint gets no alerts about itself</legend>
    {endpoints.length === 0 ? (
      <p class="quiet">No endpoints yet.</p>
    ) : (
      <Ticks
        options={endpoints.map(({ endpointId, url }) => [endpointId, url])}
        chosen={value}
        kind="wide"
        onChoose={onValue}
      />
    )}
    {fault && <p class="fault">{fault}</p>}
  </fieldset>
)
