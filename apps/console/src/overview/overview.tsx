// The overview, the console's start page.
import type { Overview as Figures } from '@lendloom/wire/console/overview'
import { NeedsAttention } from '../attention-lines.tsx'
import { keyVariable } from '../developers/access.ts'
import { me } from '../session.ts'
import { ago } from '../ui/clock.ts'
import { Empty, Loading, PageHead, Trouble } from '../ui/components.tsx'
import { useResource } from '../ui/list.tsx'
import { hasChanges, KeyFigures } from './key-figures.tsx'
import { currentFilters, Filters } from './overview-filters.tsx'
import { ListsEmptyPanels } from './panel.tsx'
import { Deliveries, DeliveryTime } from './panels-delivery.tsx'
import { JourneySteps, Journeys, Offers, TimeToMoney } from './panels-journey.tsx'
import { PartnerEvents, Requests } from './panels-lender.tsx'

export function Overview() {
  const { value, error, reload } = useResource<Figures>('/overview', currentFilters())
  return (
    <>
      <PageHead title="Overview" about={aboutOf(value)} />
      <NeedsAttention />
      {value?.hasJourneys !== false && <Filters applications={value?.applications ?? []} />}
      {error && <Trouble error={error} retry={reload} />}
      {!value && !error && <Loading rows={8} />}
      {value && !value.hasJourneys && <NoJourneys />}
      {value?.hasJourneys && <Panels figures={value} />}
    </>
  )
}

const aboutOf = (figures: Figures | null): string =>
  figures?.countedUntil && figures.hasJourneys
    ? `Updated ${ago(figures.countedUntil)}.${hasChanges(figures) ? ' Arrows compare with the previous period.' : ''}`
    : 'Progress of journeys, answers of lenders, and delivery of updates.'

function Panels({ figures }: { figures: Figures }) {
  const all = panels.map((Each, i) => <Each key={i} figures={figures} />)
  return (
    <>
      <KeyFigures overview={figures} />
      <div class="panels">{all}</div>
      <div class="card no-data quiet">
        <strong>No data for this period:</strong>{' '}
        <ul>
          <ListsEmptyPanels.Provider value={true}>{all}</ListsEmptyPanels.Provider>
        </ul>
      </div>
    </>
  )
}

const panels = [JourneySteps, Journeys, Offers, TimeToMoney, Deliveries, DeliveryTime, Requests, PartnerEvents]

const firstSession = (): string => `curl ${location.origin}/api/lab/sessions \\
  -H "Authorization: Bearer $${keyVariable}" \\
  -H "Content-Type: application/json" \\
  -d '{"borrowerProviderID": "user-42",
       "profile": {"contactNumber": "9876543210"}}'`

const NoJourneys = () => (
  <Empty title="No journeys yet">
    <p>
      A journey starts when an app’s server creates a session. This page then shows the progress of journeys, the
      answers of lenders, and the delivery of updates.
    </p>
    <pre class="copyable code">{firstSession()}</pre>
    <p>
      {me.value?.sandbox && <a href="/demo">Start one in the demo</a>}
      {me.value?.sandbox && ' · '}
      <a href="/docs">Read the API reference</a>
    </p>
  </Empty>
)
