// The page of a partner event: state, reason, masked body and retry.
import type { ComponentChildren } from 'preact'
import type { PartnerEventDetail } from '#contract/console/partner.ts'
import { post } from '../api.ts'
import { to } from '../router.ts'
import { hasRole, isOfPlatform, ofTenant, tenantId } from '../session.ts'
import { useAct } from '../ui/form.tsx'
import { Json } from '../ui/json.tsx'
import { useResource } from '../ui/list.tsx'
import { Id, Loading, Time, Trouble } from '../ui/parts.tsx'
import { inlineLabelOf, labelOf } from '../ui/words.ts'
import { StateBadge } from './events.tsx'

export function EventPage({ direction, eventId }: { direction: string; eventId: string }) {
  const path = `/partner/events/${direction}/${eventId}`
  const { value, error, reload } = useResource<PartnerEventDetail>(path, { tenantId: tenantId.value })
  const act = useAct()
  if (error && !value) return <Trouble error={error} retry={reload} />
  if (!value) return <Loading />
  const repeat = () => act.run(() => post(ofTenant(`${path}/again`)), reload)
  return (
    <>
      <nav aria-label="Breadcrumbs" class="crumbs">
        <a href={to('lenders', 'partners')}>Partners</a>
      </nav>
      <div class="page-head">
        <div>
          <h1>
            {labelOf(value.type)} <StateBadge state={value.state} />
          </h1>
          <p class="quiet">
            {value.direction === 'sent' ? 'To' : 'From'} {value.partner} · <Time at={value.at} exact /> ·{' '}
            <Id value={value.eventId} />
          </p>
        </div>
        {mayRepeat(value) && (
          <div class="acts">
            <button type="button" class="primary" onClick={repeat}>
              {value.direction === 'sent' ? 'Send again' : 'Retry now'}
            </button>
          </div>
        )}
      </div>
      {act.problem ? <Trouble error={act.problem} /> : null}
      <StateNotice event={value} />
      <div class="delivery">
        <Facts event={value} />
        <section>
          <h2>Body, masked</h2>
          <Json value={value.body} label="body, masked" />
        </section>
      </div>
    </>
  )
}

/** A sent event can always be resent; a received one can be retried only while it is stuck. */
const mayRepeat = ({ direction, stuckSince }: PartnerEventDetail): boolean =>
  isOfPlatform.value && hasRole('operator', 'admin') && (direction === 'sent' || stuckSince !== null)

function StateNotice({ event: { state, because, missingVersion, entityType } }: { event: PartnerEventDetail }) {
  if (state === 'GAP')
    return (
      <div class="notice warn">
        <p>
          Version {missingVersion} of this {inlineLabelOf(entityType)} has not arrived: this event waits for it. Ask the
          partner to resend it.
        </p>
      </div>
    )
  if (state === 'CONFLICT')
    return (
      <div class="notice bad">
        <p>
          The partner already has other content under this ID (409). Resend the event only after the partner has
          corrected that.
        </p>
      </div>
    )
  return because && state !== 'DELIVERED' && state !== 'APPLIED' ? (
    <div class="notice warn">
      <p>{because}</p>
    </div>
  ) : null
}

const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const Facts = ({ event }: { event: PartnerEventDetail }) => (
  <section>
    <h2>State</h2>
    <dl class="facts">
      <Fact name="Object">
        {`${labelOf(event.entityType)}, version ${event.entityVersion}`}{' '}
        {event.entityId !== event.caseRef && <Id value={event.entityId} />}
      </Fact>
      <Fact name={event.direction === 'sent' ? 'Queued' : 'Received'}>
        <Time at={event.at} exact />
      </Fact>
      <Fact name="Settled">
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
      <Fact name="Case">
        <Id value={event.caseRef} />
      </Fact>
      <Fact name="Journey">
        <a href={to('journeys', event.journeyId)}>Open its timeline</a>
      </Fact>
    </dl>
  </section>
)
