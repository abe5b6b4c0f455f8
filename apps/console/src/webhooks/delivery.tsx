// The page of a delivery: its state, the request, and the answer to each try.

import type { DeliveryDetail, DeliveryTry } from '@lendloom/wire/console/webhooks'
import { answerText } from '@lendloom/wire/webhook/answer-text-en'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { post } from '../api.ts'
import { to } from '../router.ts'
import { tenantId } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { labelOf, shortId, withoutScheme } from '../ui/code-labels.ts'
import { Badge, Crumbs, Empty, Id, Loading, Time, Trouble } from '../ui/components.tsx'
import { stateOf, tryWords, updateName } from '../ui/delivery-state-texts.ts'
import { useAct } from '../ui/form.tsx'
import { duration } from '../ui/format-figures.ts'
import { Json } from '../ui/json-viewer.tsx'
import { useResource } from '../ui/list.tsx'
import { useRefresh } from '../ui/periodic-refresh.ts'
import { api, mayAct } from './access.ts'
import { ReplayDialog } from './replays.tsx'
import { Request } from './webhook-request.tsx'
import { Waiting } from './why-undelivered.tsx'

export function DeliveryPage({ deliveryId }: { deliveryId: string }) {
  const { value, error, reload, refresh } = useResource<DeliveryDetail>(`/webhooks/deliveries/${deliveryId}`, {
    tenantId: tenantId.value,
  })
  const act = useAct()
  const isReplayOpen = useSignal(false)
  useRefresh(refresh)
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
      <Crumbs href={to('webhooks')} name="Webhooks">
        {' / '}
        {endpointId ? (
          <a href={to('webhooks', endpointId)}>{url === null ? 'removed endpoint' : withoutScheme(url)}</a>
        ) : (
          'Callback'
        )}
      </Crumbs>
      <div class="page-head">
        <div>
          <h1>
            {labelOf(status)}, {updateName(sequence).replace(' ', '\u00a0')} <Badge tone={tone}>{word}</Badge>
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

function Tries({ tries }: { tries: DeliveryTry[] }) {
  if (tries.length === 0)
    return (
      <Empty title="Not tried yet">
        <p>Each try appears here with its answer.</p>
      </Empty>
    )
  return (
    <ol class="tries">
      {tries.map(({ number, at, state, answer, tookMs, body }, i) => (
        <li key={number}>
          <p>
            <span class="quiet">Try {number}</span> <Badge tone={tryWords(state)[0]}>{tryWords(state)[1]}</Badge>{' '}
            {answerText(answer)} {/^\d{3}$/.test(answer) && <span class="quiet">{duration(tookMs)}</span>}
            <span class="quiet when">
              <Time at={at} exact />
            </span>
          </p>
          {body && body === tries[i - 1]?.body && <p class="quiet small">Same answer as try {number + 1}</p>}
          {body && body !== tries[i - 1]?.body && <Json value={body} label={`answer to try ${number}`} />}
        </li>
      ))}
    </ol>
  )
}
