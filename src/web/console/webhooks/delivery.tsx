// The page of a delivery: its state, the request, and the answer to each try.

import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { DeliveryDetail, DeliveryTry } from '#contract/console/webhooks.ts'
import { post } from '../api.ts'
import { to } from '../router.ts'
import { tenantId } from '../session.ts'
import { assign } from '../ui/assign.ts'
import { now } from '../ui/clock.ts'
import { answerText, stateOf, tryWords } from '../ui/delivery-state.ts'
import { countText, duration } from '../ui/figures.ts'
import { useAct } from '../ui/form.tsx'
import { Json } from '../ui/json.tsx'
import { useResource } from '../ui/list.tsx'
import { Badge, Empty, Id, Loading, Time, Trouble } from '../ui/parts.tsx'
import { useRefresh } from '../ui/refresh.ts'
import { labelOf, shortId } from '../ui/words.ts'
import { ReplayDialog } from './replays.tsx'
import { Request } from './request.tsx'
import { api, mayAct } from './words.ts'

export function DeliveryPage({ deliveryId }: { deliveryId: string }) {
  const { value, error, reload } = useResource<DeliveryDetail>(`/webhooks/deliveries/${deliveryId}`, {
    tenantId: tenantId.value,
  })
  const act = useAct()
  const isReplayOpen = useSignal(false)
  useRefresh(reload)
  if (error && !value) return <Trouble error={error} retry={reload} />
  if (!value) return <Loading />
  const replay = () => act.run(() => post(api(`/deliveries/${deliveryId}/replay`)), reload)
  const { endpointId, status, journeyId } = value
  return (
    <>
      <Head delivery={value}>
        {mayAct() && (
          <div class="acts">
            <button type="button" class="secondary" onClick={() => assign(isReplayOpen, true)}>
              Replay this and later updates
            </button>
            <button type="button" class="primary" onClick={replay}>
              {value.state === 'PENDING' ? 'Try now' : 'Replay it'}
            </button>
          </div>
        )}
      </Head>
      {act.problem ? <Trouble error={act.problem} /> : null}
      <Waiting delivery={value} />
      <Contents delivery={value} />
      {isReplayOpen.value && (
        <ReplayDialog
          filter={{ journeyId, ...(endpointId && { endpointId }), statuses: [status], states: [value.state] }}
          onClose={() => assign(isReplayOpen, false)}
          onDone={reload}
        />
      )}
    </>
  )
}

const Contents = ({ delivery: { tries, request } }: { delivery: DeliveryDetail }) => (
  <div class="delivery">
    <section>
      <h2>Tries</h2>
      <Tries tries={tries} />
    </section>
    <section>
      <h2>Request</h2>
      <Request request={request} />
      <p class="quiet small">
        {tries.length === 0 ? 'As it will be sent' : 'As it was last sent'}, signed with the secrets that are valid now.
        Personal data is masked here, but not in the actual request.
      </p>
    </section>
  </div>
)

function Head({ delivery, children }: { delivery: DeliveryDetail; children: ComponentChildren }) {
  const { endpointId, url, status, sequence, journeyId, eventId, correlationId } = delivery
  const { tone, word } = stateOf(delivery)
  return (
    <>
      <nav aria-label="Breadcrumbs" class="crumbs">
        <a href={to('webhooks')}>Webhooks</a> /{' '}
        {endpointId ? (
          <a href={to('webhooks', endpointId)}>{url?.replace(/^https?:\/\//, '') ?? 'removed endpoint'}</a>
        ) : (
          'Callback'
        )}
      </nav>
      <div class="page-head">
        <div>
          <h1>
            {labelOf(status)}, update&nbsp;{sequence} <Badge tone={tone}>{word}</Badge>
          </h1>
          <p class="quiet">
            Journey <a href={to('journeys', journeyId)}>{shortId(journeyId)}</a> · webhook-id <Id value={eventId} />
            {correlationId && (
              <>
                {' '}
                · correlation <Id value={correlationId} />
              </>
            )}
          </p>
        </div>
        {children}
      </div>
    </>
  )
}

/** Why the delivery has not arrived yet. */
function Waiting({
  delivery: {
    waitsFor,
    nextAttemptAt,
    behindDeliveryId,
    behindSequence,
    state,
    totalAttempts,
    attemptsSinceReplay,
    endpointId,
  },
}: {
  delivery: DeliveryDetail
}) {
  if (waitsFor === 'paused')
    return (
      <p class="notice">
        <strong>Waiting:</strong> the endpoint is paused.{' '}
        {endpointId && <a href={to('webhooks', endpointId)}>Go to the endpoint to resume it</a>}
      </p>
    )
  if (waitsFor === 'earlier-update' && behindDeliveryId)
    return (
      <p class="notice">
        <strong>Waiting</strong> after update {behindSequence} of the journey, so that they arrive in order.{' '}
        <a href={to('webhooks', 'deliveries', behindDeliveryId)}>See that update</a>
      </p>
    )
  if (waitsFor === 'next-attempt' && nextAttemptAt && Date.parse(nextAttemptAt) > now())
    return (
      <p class="notice">
        <strong>Next try:</strong> <Time at={nextAttemptAt} />
      </p>
    )
  if (state === 'EXHAUSTED')
    return (
      <p class="notice bad">Given up after {tryCountText(totalAttempts, attemptsSinceReplay)}. You can replay it.</p>
    )
  if (state === 'STOPPED') return <p class="notice bad">Stopped because the endpoint was removed or answered 410.</p>
  return null
}

/** The number of tries, and how many of them followed the last replay. */
const tryCountText = (count: number, sinceReplay: number): string =>
  countText(count, 'try', 'tries') + (sinceReplay < count ? `, ${sinceReplay} since it was replayed` : '')

function Tries({ tries }: { tries: DeliveryTry[] }) {
  if (tries.length === 0)
    return (
      <Empty title="Not tried yet">
        <p>Each try appears here with its answer.</p>
      </Empty>
    )
  return (
    <ol class="tries">
      {tries.map(({ number, at, state, answer, tookMs, body }) => (
        <li key={number}>
          <p>
            <span class="quiet">Try {number}</span> <Badge tone={tryWords(state)[0]}>{tryWords(state)[1]}</Badge>{' '}
            {answerText(answer)} <span class="quiet">{duration(tookMs)}</span>
            <span class="quiet when">
              <Time at={at} exact />
            </span>
          </p>
          {body && <Json value={body} label={`answer to try ${number}`} />}
        </li>
      ))}
    </ol>
  )
}
