// The webhooks area: routes and tabs.
import { tenantId } from '../session.ts'
import { Empty, PageHead } from '../ui/parts.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { Alerts } from './alerts.tsx'
import { Deliveries } from './deliveries.tsx'
import { DeliveryPage } from './delivery.tsx'
import { EndpointPage } from './endpoint.tsx'
import { Endpoints } from './endpoints.tsx'
import { ReplayList } from './replays.tsx'
import { SignatureChecker } from './signature.tsx'

const title = 'Webhooks'
const about = 'Endpoints that receive lifecycle updates, their deliveries, and replays of missed updates.'

const parts = [
  [undefined, 'Endpoints'],
  ['deliveries', 'Deliveries'],
  ['replays', 'Replays'],
  ['signature', 'Signature checker'],
  ['alerts', 'Alerts'],
] as const

export function Webhooks({ rest: [part, id] }: { rest: string[] }) {
  const isAcrossTenants = tenantId.value === '' && (part === undefined || (part === 'deliveries' && !id))
  if (tenantId.value === '' && !isAcrossTenants)
    return (
      <>
        <PageHead title={title} about={about} />
        <Empty title="Choose a tenant to see its webhooks">
          <p>
            Replays, signatures and alerts belong to one tenant; choose it at the top of the page. Endpoints and
            deliveries are listed across tenants.
          </p>
        </Empty>
      </>
    )
  if (part === 'deliveries' && id) return <DeliveryPage key={id} deliveryId={id} />
  if (part !== undefined && !parts.some(([each]) => each === part)) return <EndpointPage key={part} endpointId={part} />
  return (
    <>
      <PageHead title={title} about={about} />
      <Tabs path={['webhooks']} label="Parts of webhooks" parts={parts} now={part} />
      {part === undefined && <Endpoints />}
      {part === 'deliveries' && <Deliveries />}
      {part === 'replays' && <ReplayList />}
      {part === 'signature' && <SignatureChecker />}
      {part === 'alerts' && <Alerts />}
    </>
  )
}
