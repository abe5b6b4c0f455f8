// The webhooks area: routes and tabs.
import { tenantId } from '../session.ts'
import { ChooseTenant, FindTenant } from '../ui/choose-tenant.tsx'
import { labelOf } from '../ui/code-labels.ts'
import { PageHead } from '../ui/components.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { AllDeliveries } from './deliveries.tsx'
import { DeliveryPage } from './delivery.tsx'
import { EndpointPage } from './endpoint.tsx'
import { Endpoints } from './endpoints.tsx'
import { Alerts } from './outage-alerts.tsx'
import { ReplayList } from './replays.tsx'
import { SignatureChecker } from './signature-checker.tsx'

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
  const isEndpoint = part !== undefined && !parts.some(([each]) => each === part)
  // All parts but the list of deliveries and the endpoints show one tenant, which a platform user has yet to choose.
  const lacksTenant = tenantId.value === '' && part !== undefined
  if (lacksTenant && isEndpoint) return <FindTenant key={part} path={`/webhooks/endpoints/${part}`} />
  if (lacksTenant && part === 'deliveries' && id) return <FindTenant key={id} path={`/webhooks/deliveries/${id}`} />
  if (lacksTenant && part !== 'deliveries')
    return (
      <>
        <PageHead title={title} about={about} />
        <Tabs path={['webhooks']} label="Parts of webhooks" parts={parts} now={part} />
        <ChooseTenant what={part === 'signature' ? 'Signing secrets' : labelOf(part)} />
      </>
    )
  if (part === 'deliveries' && id) return <DeliveryPage key={id} deliveryId={id} />
  if (isEndpoint) return <EndpointPage key={part} endpointId={part} />
  return (
    <>
      <PageHead title={title} about={about} />
      <Tabs path={['webhooks']} label="Parts of webhooks" parts={parts} now={part} />
      {part === undefined && <Endpoints />}
      {part === 'deliveries' && <AllDeliveries />}
      {part === 'replays' && <ReplayList />}
      {part === 'signature' && <SignatureChecker />}
      {part === 'alerts' && <Alerts />}
    </>
  )
}
