// Replays of deliveries: the dialog that counts the updates and starts a replay, the progress, and the list.

import type { Endpoint, Replay, ReplayCount, ReplayFilter } from '@lendloom/wire/console/webhooks'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { ApiError, post } from '../api.ts'
import { to } from '../router.ts'
import { tenantId } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { inIndiaAs } from '../ui/clock.ts'
import { inlineLabelOf, shortId, withoutScheme } from '../ui/code-labels.ts'
import { Badge, Breaking, Empty, Loading, Time, type Tone, Trouble } from '../ui/components.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Form, useAct, useForm } from '../ui/form.tsx'
import { countText, number } from '../ui/format-figures.ts'
import { type Column, Table, useList, useResource } from '../ui/list.tsx'
import { useRefresh } from '../ui/periodic-refresh.ts'
import { api, mayAct } from './access.ts'
import { replayedText, stateWords } from './webhook-texts.ts'

const stateBadges: Record<Replay['state'], readonly [Tone, string]> = {
  RUNNING: ['info', 'Running'],
  STOPPED: ['warn', 'Stopped'],
  DONE: ['good', 'Sent'],
}
const progressMs = 1000
const speeds = ['10', '50', '200', '500']

interface DialogProps {
  ofTenantId?: string
  filter: ReplayFilter
  onClose(): void
  onDone(): void
}

export function ReplayDialog({ ofTenantId = tenantId.value, filter, onClose, onDone }: DialogProps) {
  const dryRun = useSignal<ReplayCount | null>(null)
  const problem = useSignal<unknown>(null)
  const startedId = useSignal<string | null>(null)
  /** How many updates arrived between the count and the start, if that were all; null otherwise. */
  const arrived = useSignal<number | null>(null)
  const perSecond = useSignal('50')
  const act = useForm(['perSecond'])
  const key = JSON.stringify(filter)
  useEffect(() => {
    problem.value = null
    post<ReplayCount>(api('/replays', ofTenantId), { filter, dryRun: true, perSecond: Number(perSecond.value) }).then(
      (count) => assign(dryRun, count),
      (reason) => assign(problem, reason),
    )
  }, [key, perSecond.value])
  async function submit(): Promise<void> {
    const body = { filter, perSecond: Number(perSecond.value) }
    try {
      startedId.value = (await post<Replay>(api('/replays', ofTenantId), body)).replayId
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 409)) throw error
      // What waited when it was counted may have arrived since.
      const recount = await post<ReplayCount>(api('/replays', ofTenantId), { ...body, dryRun: true })
      if (recount.updates > 0) throw error
      assign(arrived, dryRun.value?.updates ?? 0)
      return
    }
    onDone()
  }
  function close(): void {
    onClose()
    // Only now, because a reload of the list may remove this dialog.
    if (arrived.value !== null) onDone()
  }
  const count = dryRun.value
  return (
    <Dialog title="Replay deliveries" onClose={close}>
      <p class="quiet small">{filterText(filter)}</p>
      {startedId.value ? (
        <Progress ofTenantId={ofTenantId} replayId={startedId.value} onDone={onDone} />
      ) : arrived.value !== null ? (
        <p role="status">
          {arrived.value === 1 ? 'The update has' : `All ${countText(arrived.value, 'update')} have`} arrived meanwhile;
          nothing to replay.
        </p>
      ) : problem.value ? (
        <Trouble error={problem.value} />
      ) : !count ? (
        <Loading rows={2} />
      ) : count.journeys === 0 ? (
        <p>
          Nothing to send: no deliveries match, or their endpoint was removed. To send delivered updates again, filter
          the deliveries by the state Delivered.
        </p>
      ) : (
        <Form act={act} onSubmit={submit} button={`Send ${countText(count.updates, 'update')}`}>
          <Count count={count} />
          <Choice
            label="Speed"
            value={perSecond.value}
            options={speeds.map((each) => [each, `${each} updates a second`] as const)}
            fault={act.faults.perSecond}
            onValue={(value) => assign(perSecond, value)}
          />
        </Form>
      )}
    </Dialog>
  )
}

const Count = ({ count: { journeys, updates, missed, waiting, seconds } }: { count: ReplayCount }) => (
  <div class="count">
    <p>
      <strong>{replayedText({ updates, missed, waiting })}</strong>, of {countText(journeys, 'journey')}, in about{' '}
      {seconds < 90 ? countText(seconds, 'second') : countText(Math.ceil(seconds / 60), 'minute')}
    </p>
    <p class="quiet">
      {updates > missed && 'We also send the later updates, so each journey ends on its latest status. '}
      IDs stay the same, so your server can skip duplicates. New updates wait until the replay is done.
    </p>
  </div>
)

const stateText = (states: ReplayFilter['states'] = []): string =>
  states.length === 0
    ? 'All deliveries'
    : states.length > 1
      ? 'Missed and waiting updates'
      : `Deliveries ${states.map((state) => stateWords[state][1].toLowerCase()).join()}`

const filterText = (
  { endpointId, journeyId, from, until, states = [], statuses = [] }: ReplayFilter,
  target = 'this endpoint',
): string =>
  [
    stateText(states),
    statuses.length > 0 && statuses.map(inlineLabelOf).join(' or '),
    from && `since ${inIndiaAs('minute', from)}`,
    until && `until ${inIndiaAs('minute', until)}`,
    !from && !until && !journeyId && 'all time',
    journeyId && `journey ${shortId(journeyId)}`,
    endpointId ? target : 'every endpoint',
  ]
    .filter(Boolean)
    .join(', ')
    .replace(',', ':')

interface ProgressProps {
  ofTenantId: string
  replayId: string
  onDone?(): void
}

/** Progress of a replay, refreshed every second, with buttons to stop or resume it. */
function Progress({ ofTenantId, replayId, onDone }: ProgressProps) {
  const { value, error, reload, refresh } = useResource<Replay>(`/webhooks/replays/${replayId}`, {
    tenantId: ofTenantId,
  })
  const act = useAct()
  useRefresh(refresh, progressMs)
  const state = value?.state
  useEffect(() => {
    if (state === 'DONE') onDone?.()
  }, [state])
  if (error && !value) return <Trouble error={error} retry={reload} />
  if (!value) return <Loading rows={2} />
  const callAction = (action: string) => act.run(() => post(api(`/replays/${replayId}/${action}`, ofTenantId)), reload)
  const [tone, text] = stateBadges[value.state]
  return (
    <div class="progress">
      {act.problem ? <Trouble error={act.problem} /> : null}
      <p>
        <Badge tone={tone}>{text}</Badge> {number(value.journeysDone)} of {countText(value.journeys, 'journey')},{' '}
        {countText(value.updatesDone, 'update')} {value.state === 'DONE' ? 'sent again' : 'queued'}
        {value.journeysSkipped > 0 &&
          `, ${countText(value.journeysSkipped, 'journey')} skipped because the endpoint was removed`}{' '}
        {value.state === 'DONE' && <a href={to('webhooks', 'deliveries')}>See the deliveries</a>}
      </p>
      <progress max={value.journeys} value={value.journeysDone} aria-label="Journeys done" />
      {mayAct() && value.state !== 'DONE' && (
        <div class="acts">
          {value.state === 'RUNNING' ? (
            <button type="button" class="danger" onClick={() => callAction('stop')}>
              Stop
            </button>
          ) : (
            <button type="button" class="primary" onClick={() => callAction('resume')}>
              Continue with {countText(value.journeys - value.journeysDone, 'journey')}
            </button>
          )}
        </div>
      )}
    </div>
  )
}

const columns = (onShow: (replay: Replay) => void, textOf: (replay: Replay) => string): Column<Replay>[] => [
  {
    head: 'What',
    cell: (each) => (
      <button type="button" class="link-button" onClick={() => onShow(each)}>
        <Breaking text={textOf(each)} />
      </button>
    ),
  },
  {
    head: 'State',
    isState: true,
    cell: ({ state }) => <Badge tone={stateBadges[state][0]}>{stateBadges[state][1]}</Badge>,
  },
  {
    head: 'Journeys',
    isNumber: true,
    cell: ({ journeysDone, journeys }) => `${number(journeysDone)} of ${number(journeys)}`,
  },
  {
    head: 'Updates',
    isNumber: true,
    isMinor: true,
    cell: ({ updatesDone }) => number(updatesDone),
  },
  { head: 'Per second', isNumber: true, isMinor: true, cell: ({ perSecond }) => perSecond },
  { head: 'Started', isNumber: true, cell: ({ startedAt }) => <Time at={startedAt} /> },
]

const allUndelivered: ReplayFilter = { states: ['PENDING', 'EXHAUSTED', 'STOPPED'] }

/** Explains replays, and offers one if updates of the tenant were missed or wait. */
function NoReplay({ onDone }: { onDone(): void }) {
  const undelivered = useSignal({ missed: 0, updates: 0 })
  const isReplaying = useSignal(false)
  const tenant = tenantId.value
  useEffect(() => {
    undelivered.value = { missed: 0, updates: 0 }
    if (!mayAct() || tenant === '') return
    post<ReplayCount>(api('/replays', tenant), { filter: allUndelivered, dryRun: true }).then(
      (count) => assign(undelivered, count),
      () => {},
    )
  }, [tenant])
  const { missed, updates } = undelivered.value
  return (
    <Empty title="No replays yet">
      <p>
        After an endpoint was down, replay what it missed here or on <a href={to('webhooks')}>its page</a>. We count the
        updates first, and they arrive in order.
      </p>
      {updates > 0 && (
        <button type="button" class="primary" onClick={() => assign(isReplaying, true)}>
          {missed > 0 ? `Replay missed updates (${number(missed)})` : `Replay waiting updates (${number(updates)})`}
        </button>
      )}
      {isReplaying.value && (
        <ReplayDialog filter={allUndelivered} onClose={() => assign(isReplaying, false)} onDone={onDone} />
      )}
    </Empty>
  )
}

export function ReplayList() {
  const list = useList<Replay>('/webhooks/replays', { tenantId: tenantId.value })
  const endpoints = useList<Endpoint>('/webhooks/endpoints', { tenantId: tenantId.value, limit: '200' })
  const selected = useSignal<Replay | null>(null)
  const textOf = ({ filter }: Replay): string => {
    const endpoint = endpoints.items?.find(({ endpointId }) => endpointId === filter.endpointId)
    return filterText(filter, endpoint ? withoutScheme(endpoint.url) : `endpoint ${shortId(filter.endpointId ?? '')}`)
  }
  return (
    <>
      <Table
        label="Replays"
        list={list}
        keyOf={({ replayId }) => replayId}
        columns={columns((each) => assign(selected, each), textOf)}
        empty={<NoReplay onDone={list.reload} />}
      />
      {selected.value && (
        <Dialog
          title="Replay"
          onClose={() => {
            selected.value = null
            list.reload()
          }}
        >
          <p class="quiet small">{textOf(selected.value)}</p>
          <Progress ofTenantId={tenantId.value} replayId={selected.value.replayId} />
        </Dialog>
      )}
    </>
  )
}
