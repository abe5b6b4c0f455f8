// The page of an endpoint: health, figures, actions and deliveries.

import type { Endpoint, RotatedSecret, TestResult } from '@lendloom/wire/console/webhooks'
import { answerText } from '@lendloom/wire/webhook/answer-text-en'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { patch, post, remove } from '../api.ts'
import { readAttention } from '../attention.ts'
import { useRecentPage } from '../recent-pages.ts'
import { go, to } from '../router.ts'
import { tenantId } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { now } from '../ui/clock.ts'
import { labelOf, withoutScheme } from '../ui/code-labels.ts'
import { Badge, Breaking, Crumbs, Id, Loading, Trouble } from '../ui/components.tsx'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { useOpening } from '../ui/dialog-url.ts'
import { Choice, Field, Form, useAct, useForm, useTyped } from '../ui/form.tsx'
import { cappedCount, duration } from '../ui/format-figures.ts'
import { useResource } from '../ui/list.tsx'
import { useRefresh } from '../ui/periodic-refresh.ts'
import { api, mayAct } from './access.ts'
import { AccessFields } from './access-fields.tsx'
import { accessRequestOf, accessText, hasAccess, noTypedAccess } from './access-texts.ts'
import { Deliveries, useDeliveries } from './deliveries.tsx'
import { Figures } from './endpoint-figures.tsx'
import { HealthBadge, listenerText, Secret, StatusChoice } from './endpoints.tsx'
import { LoanEventChoice, loanEventText } from './loan-event-choice.tsx'
import { Request } from './webhook-request.tsx'
import { failureText, Obstacle, type SentTest, TestNote } from './why-undelivered.tsx'

type EndpointDialog = 'change' | 'rotate' | 'remove' | 'test' | null

/** Reads an endpoint with its deliveries, and reads both again together. */
function useEndpoint(endpointId: string) {
  const { value, error, reload, refresh } = useResource<Endpoint>(`/webhooks/endpoints/${endpointId}`, {
    tenantId: tenantId.value,
  })
  const deliveries = useDeliveries(endpointId)
  const readWith = (read: () => void) => () => {
    read()
    deliveries.refresh()
  }
  useRefresh(readWith(refresh))
  useEffect(readAttention, [value?.health])
  return { value, error, deliveries, reload: readWith(reload) }
}

/** The result of the last test, until a delivery fails after it. */
function useLastTest(lastFailureAt: string | null) {
  const last = useSignal<(SentTest & Pick<Endpoint, 'lastFailureAt'>) | null>(null)
  const noteTest = (result: TestResult) => assign(last, { ...result, at: new Date(now()).toISOString(), lastFailureAt })
  return { test: last.value?.lastFailureAt === lastFailureAt ? last.value : null, noteTest }
}

/** The page; one of its dialogs may be open. */
export function EndpointPage({ endpointId }: { endpointId: string }) {
  const { value, error, deliveries, reload } = useEndpoint(endpointId)
  const openDialog = useSignal<EndpointDialog>(null)
  const { test, noteTest } = useLastTest(value?.lastFailureAt ?? null)
  useOpening('rotate', () => assign(openDialog, 'rotate'))
  useOpening('change', () => assign(openDialog, 'change'))
  const act = useAct()
  useRecentPage('Endpoint', value && withoutScheme(value.url))
  if (error && !value) return <Trouble error={error} retry={reload} />
  if (!value) return <Loading />
  const close = () => {
    openDialog.value = null
    reload()
  }
  const isTested = test?.isSuccess === true
  const callAction = (action: string) => act.run(() => post(api(`/endpoints/${endpointId}/${action}`)), reload)
  return (
    <>
      <Crumbs href={to('webhooks')} name="Webhooks" />
      <div class="page-head">
        <div>
          <h1>
            <Breaking text={value.url.replace(/^https:\/\//, '')} /> <HealthBadge health={value.health} />
          </h1>
          <p class="quiet">
            {listenerText(value)}
            {hasAccess(value) && `sends ${accessText(value)} · `}
            {value.applicationName} · {value.statuses ? value.statuses.map(labelOf).join(', ') : 'all statuses'}
            {value.loanEvents && `, ${loanEventText(value.loanEvents)}`} · <Id value={endpointId} />
          </p>
        </div>
        {mayAct() && <Acts endpoint={value} onOpen={(name) => assign(openDialog, name)} onAct={callAction} />}
      </div>
      {act.problem ? <Trouble error={act.problem} /> : null}
      {test && (isTested || value.health !== 'failing') && <TestNote endpoint={value} test={test} />}
      <Obstacle endpoint={value} isTested={isTested} />
      <Figures endpoint={value} />
      <section>
        <h2>Deliveries</h2>
        <Deliveries endpointId={endpointId} missed={value.missed} list={deliveries} />
      </section>
      {openDialog.value === 'test' && <Test endpoint={value} onClose={close} onResult={noteTest} />}
      {openDialog.value === 'change' && mayAct() && <Change endpoint={value} onClose={close} />}
      {openDialog.value === 'rotate' && mayAct() && <Rotate endpoint={value} onClose={close} />}
      {openDialog.value === 'remove' && <Remove endpoint={value} onClose={close} />}
    </>
  )
}

const More = ({ endpoint, onOpen }: { endpoint: Endpoint; onOpen(dialog: EndpointDialog): void }) => (
  <>
    <button type="button" class="secondary" popovertarget="endpoint-more" aria-haspopup="menu">
      More
    </button>
    <div id="endpoint-more" popover="auto" class="menu below">
      {(
        [
          ...(endpoint.isListener
            ? []
            : ([
                ['change', 'Change'],
                ['rotate', 'Rotate the secret'],
              ] as const)),
          ['remove', 'Remove'],
        ] as const
      ).map(([dialog, name]) => (
        <button
          key={dialog}
          type="button"
          onClick={() => {
            document.getElementById('endpoint-more')?.hidePopover()
            onOpen(dialog)
          }}
        >
          {name}
        </button>
      ))}
    </div>
  </>
)

const Acts = ({
  endpoint,
  onOpen,
  onAct,
}: {
  endpoint: Endpoint
  onOpen(dialog: EndpointDialog): void
  onAct(action: string): void
}) => (
  <>
    <div class="acts">
      {endpoint.pausedAt || endpoint.disabledAt ? (
        <button type="button" class="primary" onClick={() => onAct('resume')}>
          {endpoint.pausedAt ? 'Resume' : 'Enable again'}
        </button>
      ) : (
        <button type="button" class="secondary" onClick={() => onAct('pause')}>
          Pause
        </button>
      )}
      {!endpoint.isListener && (
        <button
          type="button"
          class={endpoint.health === 'failing' || endpoint.health === 'untried' ? 'primary' : 'secondary'}
          onClick={() => onOpen('test')}
        >
          Send a test
        </button>
      )}
      <More endpoint={endpoint} onOpen={onOpen} />
    </div>
  </>
)

interface EndpointDialogProps {
  endpoint: Endpoint
  onClose(): void
}

function Test({ endpoint, onClose, onResult }: EndpointDialogProps & { onResult(result: TestResult): void }) {
  const result = useSignal<TestResult | null>(null)
  const act = useForm([])
  async function submit(): Promise<void> {
    result.value = await post<TestResult>(api(`/endpoints/${endpoint.endpointId}/test`))
    onResult(result.value)
  }
  const test = result.value
  return (
    <Dialog title="Send a test" onClose={onClose} wide={test !== null}>
      {test && (
        <>
          <p class={`notice ${test.isSuccess ? 'good' : 'bad'}`}>
            <Badge tone={test.isSuccess ? 'good' : 'bad'}>{answerText(test.answer)}</Badge> after{' '}
            {duration(test.tookMs)}
            {!test.isSuccess && `: ${failureText(test.answer)}`}
          </p>
          {test.body && <pre>{test.body}</pre>}
          <Request request={test.request} />
        </>
      )}
      <Form act={act} onSubmit={submit} button={test ? 'Send another' : 'Send it now'}>
        {!test && (
          <p>
            We send an example update to this endpoint only, now, even while it is paused. It contains{' '}
            <code>"test": true</code>, belongs to no journey, and is not retried.
          </p>
        )}
      </Form>
    </Dialog>
  )
}

function Change({ endpoint, onClose }: EndpointDialogProps) {
  const selected: string[] | null = endpoint.statuses
  const { act, bind, typed } = useTyped({
    url: endpoint.url,
    statuses: selected,
    loanEvents: endpoint.loanEvents as string[] | null,
    keeps: hasAccess(endpoint) ? 'yes' : 'no',
    ...noTypedAccess,
  })
  async function submit(): Promise<void> {
    const { url, statuses, loanEvents, keeps, ...access } = typed
    const body = { url, statuses, loanEvents, ...(keeps !== 'yes' && accessRequestOf(access)) }
    await patch(api(`/endpoints/${endpoint.endpointId}`), body)
    onClose()
  }
  return (
    <Dialog title="Change the endpoint" onClose={onClose}>
      <Form act={act} onSubmit={submit} button="Save">
        <Field label="URL" hint="Waiting updates go to the new address too." {...bind('url')} />
        <StatusChoice {...bind('statuses')} />
        <LoanEventChoice {...bind('loanEvents')} />
        {hasAccess(endpoint) && (
          <Choice
            label="Headers and token"
            options={[
              ['yes', `Keep ${accessText(endpoint)}`],
              ['no', 'Replace or remove them'],
            ]}
            {...bind('keeps')}
          />
        )}
        {typed.keeps !== 'yes' && <AccessFields bind={bind} isOpen={hasAccess(endpoint)} />}
      </Form>
    </Dialog>
  )
}

function Rotate({ endpoint, onClose }: EndpointDialogProps) {
  const rotated = useSignal<RotatedSecret | null>(null)
  const act = useForm([])
  async function submit(): Promise<void> {
    rotated.value = await post<RotatedSecret>(api(`/endpoints/${endpoint.endpointId}/rotate-secret`))
  }
  if (rotated.value)
    return (
      <Dialog title="The new secret" onClose={onClose}>
        <Secret secret={rotated.value.secret} until={rotated.value.oldSecretUntil} />
        <div class="acts">
          <button type="button" class="primary" onClick={onClose}>
            I have saved it
          </button>
        </div>
      </Dialog>
    )
  return (
    <Dialog title="Rotate the secret?" onClose={onClose}>
      <Form act={act} onSubmit={submit} button="Create a new secret">
        <p>
          Both secrets sign for a day, so your receivers can switch without rejecting updates.
          {endpoint.oldSecretUntil && ' The secret before the last rotation stops signing at once.'}
        </p>
      </Form>
    </Dialog>
  )
}

function Remove({ endpoint, onClose }: EndpointDialogProps) {
  const act = useAct()
  const confirm = () =>
    act.run(
      () => remove(api(`/endpoints/${endpoint.endpointId}`)),
      () => go(to('webhooks')),
    )
  return (
    <Confirm
      title="Remove this endpoint?"
      button={endpoint.waiting > 0 ? `Remove it and stop ${cappedCount(endpoint.waiting)}` : 'Remove it'}
      onConfirm={confirm}
      onClose={onClose}
    >
      {act.problem ? <Trouble error={act.problem} /> : null}
      <p>
        The endpoint receives no more updates.{' '}
        {endpoint.waiting > 0 && `Waiting updates (${cappedCount(endpoint.waiting)}) are stopped. `}To stop updates for
        a while, pause the endpoint instead.
      </p>
    </Confirm>
  )
}
