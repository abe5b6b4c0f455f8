// Figures and newest events of a lending partner, on its page as a lender.
import type { LenderDetail } from '@lendloom/wire/console/lenders'
import type { PartnerEvents } from '@lendloom/wire/console/partner-events'
import { to } from '../router.ts'
import { isOfPlatform, tenantId } from '../session.ts'
import { minuteBefore } from '../ui/clock.ts'
import { Empty, Loading, Time, Trouble } from '../ui/components.tsx'
import { number } from '../ui/format-figures.ts'
import { Rows, useResource } from '../ui/list.tsx'
import { eventColumns } from './partner-events.tsx'
import { rupees, usePartners } from './partners.tsx'

export const PartnerFigures = ({ lender: { partnerId, offers, lastMessageAt } }: { lender: LenderDetail }) => (
  <dl class="figures">
    {isOfPlatform.value && <PlatformFigures partnerId={partnerId} />}
    <div>
      <dt>Offers, seven days</dt>
      <dd>{number(offers.offered)}</dd>
      <dd class="quiet small">of {number(offers.requested)} requested</dd>
    </div>
    <div>
      <dt>Chosen, seven days</dt>
      <dd>{number(offers.chosen)}</dd>
      <dd class="quiet small">of {number(offers.offered)} offers</dd>
    </div>
    <div>
      <dt>Last event</dt>
      <dd>{lastMessageAt ? <Time at={lastMessageAt} /> : 'None'}</dd>
      <dd class="quiet small">in the last day</dd>
    </div>
  </dl>
)

function PlatformFigures({ partnerId }: Pick<LenderDetail, 'partnerId'>) {
  const partner = usePartners().value?.items.find((each) => each.partnerId === partnerId)
  if (!partner) return null
  const { rules, waitingEvents, deadEvents } = partner
  return (
    <>
      <div>
        <dt>Recommended up to</dt>
        <dd>{rupees(rules.mostRupees)}</dd>
        <dd class="quiet small">from {rupees(rules.leastRupees)}</dd>
      </div>
      <div>
        <dt>Interest</dt>
        <dd>{Number(rules.ratePercent)}%</dd>
        <dd class="quiet small">a year</dd>
      </div>
      <div>
        <dt>Events waiting</dt>
        <dd>{number(waitingEvents)}</dd>
        <dd class="quiet small">{number(deadEvents)} given up</dd>
      </div>
    </>
  )
}

const newestEventsDays = 30

export function NewestEvents({ partnerId }: Pick<LenderDetail, 'partnerId'>) {
  const { value, error, reload } = useResource<PartnerEvents>('/partner/events', {
    tenantId: tenantId.value,
    partnerId: partnerId ?? undefined,
    limit: '10',
    from: minuteBefore(newestEventsDays * 86_400),
  })
  return (
    <section>
      <h2>Newest events</h2>
      {error && <Trouble error={error} retry={reload} />}
      {!value && !error && <Loading rows={4} />}
      {value?.items.length === 0 && <Empty title={`No events in the last ${newestEventsDays} days`} />}
      {value && value.items.length > 0 && (
        <Rows
          label="Newest events"
          items={value.items}
          keyOf={({ direction, eventId }) => `${direction}.${eventId}`}
          href={({ direction, eventId }) => to('lenders', direction, eventId)}
          columns={eventColumns}
        />
      )}
      <p class="small more">
        <a href={to('lenders', 'partners')}>All events of partners</a>
      </p>
    </section>
  )
}
