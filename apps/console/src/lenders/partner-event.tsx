// The page of a partner event: state, reason, masked body and retry.

import type { EventState } from '@lendloom/wire/console/lists'
import type { PartnerEventDetail } from '@lendloom/wire/console/partner-events'
import type { ComponentChildren } from 'preact'
import { post } from '../api.ts'
import { to } from '../router.ts'
import { hasRole, isOfPlatform, ofTenant, tenantId } from '../session.ts'
import { inlineLabelOf, labelOf } from '../ui/code-labels.ts'
import { Crumbs, Id, Loading, Time, Trouble } from '../ui/components.tsx'
import { useAct } from '../ui/form.tsx'
import { Json } from '../ui/json-viewer.tsx'
import { useResource } from '../ui/list.tsx'
import { borrowerName, EventTitle, StateBadge, stateWords } from './partner-events.tsx'

export function EventPage({ direction, eventId }: { direction: string; eventId: string }) {
  const path = `/partner/events/${direction}/${eventId}`
  const { value, error, reload } = useResource<PartnerEventDetail>(path, { tenantId: tenantId.value })
  const act = useAct()
  if (error && !value) return <Trouble error={error} retry={reload} />
  if (!value) return <Loading />
  const repeat = () => act.run(() => post(ofTenant(`${path}/again`)), reload)
  return (
    <>
      <Crumbs href={to('lenders', 'partners')} name="Partners" />
      <div class="page-head">
        <h1>
          <EventTitle event={value} /> <StateBadge state={value.state} />
        </h1>
        {mayRepeat(value) && (
          <div class="acts">
            <button type="button" class="primary" onClick={repeat}>
              {value.direction === 'sent' ? 'Send again' : 'Retry now'}
            </button>
          </div>
        )}
      </div>
      {act.problem ? <Trouble error={act.problem} /> : null}
      <p class={`notice ${stateWords[value.state][0]}`}>{decisions[value.state](value)}</p>
      <Facts event={value} />
      <details class="own-entry">
        <summary>Body, masked</summary>
        <Json value={value.body} label="body, masked" />
      </details>
    </>
  )
}

/** A sent event can always be resent; a received one can be retried only while it is stuck. */
const mayRepeat = ({ direction, stuckSince }: PartnerEventDetail): boolean =>
  isOfPlatform.value && hasRole('operator', 'admin') && (direction === 'sent' || stuckSince !== null)

const decisions: Record<EventState, (event: PartnerEventDetail) => string> = {
  DELIVERED: ({ partner }) => `${partner} has received it.`,
  APPLIED: () => 'It was applied to the journey.',
  WAITING: ({ direction }) => (direction === 'sent' ? 'It waits to be sent.' : 'It waits to be applied.'),
  GAP: ({ missingVersion, entityType }) =>
    `Version ${missingVersion} of this ${inlineLabelOf(entityType)} has not arrived: this event waits for it. Ask the partner to resend it.`,
  FAILING: ({ because }) => `It could not be applied yet and is retried: ${because ?? 'no reason recorded'}`,
  CONFLICT: () =>
    'The partner already has other content under this ID (409). Resend the event only after the partner has corrected that.',
  GIVEN_UP: ({ partner, because }) => `It is no longer sent. Last answer of ${partner}: ${because ?? 'none'}`,
  FAILED: ({ because }) => `It was refused: ${because ?? 'no reason recorded'}`,
  SUPERSEDED: ({ because }) => because ?? 'A newer event replaces it.',
}

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const endNames: Partial<Record<EventState, string>> = {
  DELIVERED: 'Delivered',
  APPLIED: 'Applied',
  FAILED: 'Refused',
}

const Facts = ({ event }: { event: PartnerEventDetail }) => (
  <section>
    <dl class="facts upright">
      <Fact name={event.direction === 'sent' ? 'To' : 'From'}>{event.partner}</Fact>
      <Fact name="Borrower">
        <a href={to('journeys', event.journeyId)}>{borrowerName(event)}</a>
      </Fact>
      <Fact name={event.direction === 'sent' ? 'Queued' : 'Received'}>
        <Time at={event.at} exact />
      </Fact>
      <Fact name={endNames[event.state] ?? 'Settled'}>
        {event.settledAt ? <Time at={event.settledAt} exact /> : <span class="quiet">not yet</span>}
      </Fact>
      {(event.direction === 'sent' || event.tries > 0) && (
        <Fact name={event.direction === 'sent' ? 'Tries' : 'Failed tries'}>
          {event.tries}
          {event.because && event.direction === 'sent' && <span class="quiet"> · last answer {event.because}</span>}
        </Fact>
      )}
      {event.stuckSince && (
        <Fact name="Stuck since">
          <Time at={event.stuckSince} exact />
        </Fact>
      )}
      {event.nextTryAt && (
        <Fact name="Next try">
          <Time at={event.nextTryAt} />
        </Fact>
      )}
      <Fact name="Event">
        {labelOf(event.type)}, {inlineLabelOf(event.entityType)} version {event.entityVersion}{' '}
        <Id value={event.eventId} />
      </Fact>
      <Fact name="Case">
        <Id value={event.caseRef} />
      </Fact>
    </dl>
  </section>
)
