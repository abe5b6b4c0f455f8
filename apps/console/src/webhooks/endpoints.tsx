// The list of a tenant's endpoints, and the dialog to add one.

import { capitalize } from '@lendloom/foundation/text'
import { zonedText } from '@lendloom/lending/time-text'
import type { Application, Endpoint, Endpoints as EndpointList, NewEndpoint } from '@lendloom/wire/console/webhooks'
import { statuses } from '@lendloom/wire/hosted/lifecycle-status'
import { answerText, causeText } from '@lendloom/wire/webhook/answer-text-en'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { post } from '../api.ts'
import { keyVariable } from '../developers/access.ts'
import { go, to } from '../router.ts'
import { tenantId } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { ChooseTenant, TenantButtons } from '../ui/choose-tenant.tsx'
import { momentText } from '../ui/clock.ts'
import { labelOf } from '../ui/code-labels.ts'
import { Badge, Breaking, Copyable, Empty, Time } from '../ui/components.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Field, Form, useTyped } from '../ui/form.tsx'
import { cappedCount, duration } from '../ui/format-figures.ts'
import { type Column, Table, useList, useResource } from '../ui/list.tsx'
import { tenantName, toRow, withTenant } from '../ui/tenant-column.tsx'
import { api, mayAct } from './access.ts'
import { AccessFields } from './access-fields.tsx'
import { accessRequestOf, noTypedAccess } from './access-texts.ts'
import { LoanEventChoice, loanEventText } from './loan-event-choice.tsx'
import { Ticks } from './ticks.tsx'
import { healthWords } from './webhook-texts.ts'

const columns: Column<Endpoint>[] = [
  { head: 'Endpoint', cell: (each) => <Address endpoint={each} /> },
  {
    head: 'Health',
    isState: true,
    cell: (each) => (
      <>
        <HealthBadge health={each.health} />
        <Cause endpoint={each} />
      </>
    ),
  },
  { head: 'Answers', isMinor: true, cell: (each) => <Answers endpoint={each} limit={10} /> },
  {
    head: 'Delivered, 24 h',
    isNumber: true,
    isMinor: true,
    cell: ({ lastDay }) => cappedCount(lastDay.delivered),
  },
  { head: 'Median answer', isNumber: true, isMinor: true, cell: ({ lastDay }) => duration(lastDay.p50Ms) },
  { head: 'Waiting', isNumber: true, isMinor: true, cell: ({ waiting }) => cappedCount(waiting) },
  { head: 'Missed', isNumber: true, cell: ({ missed }) => cappedCount(missed) },
]

const firstEndpoint = (): string =>
  [
    `curl -X POST ${location.origin}/api/lab/webhook-endpoints`,
    `-H "authorization: Bearer $${keyVariable}"`,
    "-H 'content-type: application/json'",
    `-d '{"url":"https://example.com/hooks"}'`,
  ].join(' ')

const NoEndpoint = ({ children }: { children: ComponentChildren }) => (
  <Empty title="No endpoints yet">
    <p>
      We post lifecycle updates of your borrowers’ journeys to your server as they happen, signed and in order. Add the
      address that should receive them, or register it from your server:
    </p>
    <Copyable text={firstEndpoint()} />
    {children}
  </Empty>
)

export function Endpoints() {
  const list = useList<Endpoint>('/webhooks/endpoints', { tenantId: tenantId.value })
  const firstPage = useResource<EndpointList>('/webhooks/endpoints', { tenantId: tenantId.value, limit: '1' })
  const isAdding = useSignal(false)
  const add = mayAct() && tenantId.value !== '' && (
    <button type="button" class="primary" onClick={() => assign(isAdding, true)}>
      Add an endpoint
    </button>
  )
  return (
    <>
      {list.items && list.items.length > 0 && add && <div class="acts above">{add}</div>}
      {mayAct() && tenantId.value === '' && list.items?.length !== 0 && (
        <div class="above one-tenant">
          <span class="quiet">Add an endpoint for</span>
          <TenantButtons />
        </div>
      )}
      <Table
        label="Webhook endpoints"
        list={list}
        keyOf={({ endpointId }) => endpointId}
        href={(endpoint) => toRow(endpoint, 'webhooks', endpoint.endpointId)}
        columns={withTenant(columns)}
        empty={mayAct() && tenantId.value === '' ? <ChooseTenant what="Endpoints" /> : <NoEndpoint>{add}</NoEndpoint>}
      />
      {isAdding.value && (
        <Add
          applications={firstPage.value?.applications ?? []}
          onClose={() => assign(isAdding, false)}
          onDone={list.reload}
        />
      )}
    </>
  )
}

/** Who asks for the updates of a listener or of a feed; nothing for an endpoint that the platform calls. */
export function listenerText({ listenerName, listenerUpdates, feedAt }: Endpoint): string {
  if (feedAt !== null) return `the app asks for updates, last ${momentText(feedAt)} · `
  return listenerName === null ? '' : `lendloom webhook listen of ${listenerName}, ${listenerUpdates} updates pulled · `
}

const Address = ({ endpoint }: { endpoint: Endpoint }) => {
  const { url, applicationName, statuses: selected, loanEvents } = endpoint
  const isNamed = tenantId.value !== '' || applicationName !== tenantName(endpoint)
  return (
    <>
      <span class="endpoint-url">
        <Breaking text={url.replace(/^https:\/\//, '')} />
      </span>
      <span class="quiet small block">
        {listenerText(endpoint)}
        {isNamed && `${applicationName} · `}
        {selected ? selected.map(labelOf).join(', ') : 'all statuses'}
        {loanEvents && `, ${loanEventText(loanEvents)}`}
      </span>
    </>
  )
}

function Cause({ endpoint }: { endpoint: Endpoint }) {
  const { health, lastFailure, failingSince, untriedSince, pausedAt, disabledAt, disabledBecause } = endpoint
  const since = pausedAt ?? disabledAt ?? untriedSince ?? failingSince
  const cause =
    health !== 'failing' ? disabledBecause : lastFailure ? causeText(lastFailure.answer) : 'does not accept updates'
  if (!since) return null
  return (
    <span class="small block cause">
      {cause && capitalize(cause)} <span class="quiet">since {momentText(since)}</span>
    </span>
  )
}

export const HealthBadge = ({ health }: Pick<Endpoint, 'health'>) => {
  const [tone, text] = healthWords[health]
  return <Badge tone={tone}>{text}</Badge>
}

/** A bar for each of the last answers, newest on the right, grey if older than the endpoint's last change. */
export const Answers = ({ endpoint, limit }: { endpoint: Endpoint; limit?: number }) => {
  const { lastAnswers, untriedSince } = endpoint
  const answers = lastAnswers.slice(0, limit)
  return answers.length === 0 ? (
    <span class="quiet">None</span>
  ) : (
    <span
      class="answers"
      role="img"
      aria-label={`Latest answers, newest first: ${answers.map(({ answer }) => answerText(answer)).join(', ')}`}
    >
      {[...answers].reverse().map(({ at, state, answer, tookMs }) => (
        <i
          key={at + answer}
          class={untriedSince && at < untriedSince ? 'old' : state === 'DELIVERED' ? 'good' : 'bad'}
          title={`${answerText(answer)} in ${duration(tookMs)}, ${zonedText(new Date(at))}`}
        />
      ))}
    </span>
  )
}

interface StatusChoiceProps {
  /** Null for all statuses. */
  value: string[] | null
  fault?: string | undefined
  onValue(value: string[] | null): void
}

export function StatusChoice({ value, fault, onValue }: StatusChoiceProps) {
  // A change of mind brings the selected statuses back.
  const lastSelected = useRef(value ?? [])
  const select = (selected: string[]) => {
    lastSelected.current = selected
    onValue(selected)
  }
  return (
    <fieldset class="options">
      <legend>Send</legend>
      <label>
        <input type="radio" name="send" checked={value === null} onChange={() => onValue(null)} /> All statuses
      </label>
      <label>
        <input type="radio" name="send" checked={value !== null} onChange={() => onValue(lastSelected.current)} /> Only
        these
      </label>
      {value !== null && (
        <Ticks
          options={statuses.map((status) => [status, labelOf(status)])}
          chosen={value}
          kind="nested"
          onChoose={select}
        />
      )}
      {fault && <p class="fault">{value?.length === 0 ? 'Choose at least one status' : fault}</p>}
    </fieldset>
  )
}

function Add({ applications, onClose, onDone }: { applications: Application[]; onClose(): void; onDone(): void }) {
  const allStatuses: string[] | null = null
  const { act, bind, typed } = useTyped({
    applicationId: applications[0]?.applicationId ?? '',
    url: '',
    statuses: allStatuses as string[] | null,
    loanEvents: allStatuses as string[] | null,
    ...noTypedAccess,
  })
  const created = useSignal<NewEndpoint | null>(null)
  async function submit(): Promise<void> {
    const { applicationId, url, statuses: selected, loanEvents, ...access } = typed
    created.value = await post<NewEndpoint>(api('/endpoints'), {
      applicationId,
      url,
      ...(selected && { statuses: selected }),
      loanEvents,
      ...accessRequestOf(access),
    })
    onDone()
  }
  if (created.value) return <Added created={created.value} onClose={onClose} />
  return (
    <Dialog title="Add an endpoint" onClose={onClose}>
      <Form act={act} onSubmit={submit} button="Add the endpoint">
        {applications.length > 1 && (
          <Choice
            label="Application"
            options={applications.map(({ applicationId, name }) => [applicationId, name] as const)}
            {...bind('applicationId')}
          />
        )}
        <Field
          label="URL"
          hint="An https address on your server that answers a POST with 2xx within ten seconds."
          autoFocus
          required
          {...bind('url')}
        />
        <StatusChoice {...bind('statuses')} />
        <LoanEventChoice {...bind('loanEvents')} />
        <AccessFields bind={bind} />
      </Form>
    </Dialog>
  )
}

const Added = ({ created: { endpoint, secret }, onClose }: { created: NewEndpoint; onClose(): void }) => (
  <Dialog title="Endpoint added" onClose={onClose}>
    <Secret secret={secret} />
    <div class="acts">
      <button type="button" class="primary" onClick={() => go(to('webhooks', endpoint.endpointId))}>
        I have saved it
      </button>
    </div>
  </Dialog>
)

export const Secret = ({ secret, until }: { secret: string; until?: string }) => (
  <>
    <p>This secret signs what the endpoint receives. We show it only once: store it where your receiver reads it.</p>
    <Copyable text={secret} />
    {until && (
      <p class="quiet">
        The previous secret also signs until <Time at={until} exact />.
      </p>
    )}
  </>
)
