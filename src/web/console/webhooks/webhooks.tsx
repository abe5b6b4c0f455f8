// Webhooks: which part of the area the path means.
import { to } from '../router.ts'
import { tenantId } from '../session.ts'
import { Empty, PageHead } from '../ui/parts.tsx'
import { Deliveries } from './deliveries.tsx'
import { DeliveryPage } from './delivery.tsx'
import { EndpointPage } from './endpoint.tsx'
import { Endpoints } from './endpoints.tsx'
import { ReplayList } from './replays.tsx'
import { SignatureChecker } from './signature.tsx'

const title = 'Webhooks'
const about = 'Where lifecycle updates go, whether they arrive, and how to send again what did not.'

export function Webhooks({ rest: [part, id] }: { rest: string[] }) {
  if (tenantId.value === '')
    return (
      <>
        <PageHead title={title} about={about} />
        <Empty title="Whose webhooks?">
          <p>Choose a tenant above: endpoints and deliveries belong to one.</p>
        </Empty>
      </>
    )
  if (part === 'deliveries' && id) return <DeliveryPage key={id} deliveryId={id} />
  const isTab = part === undefined || part === 'deliveries' || part === 'replays' || part === 'signature'
  if (!isTab) return <EndpointPage key={part} endpointId={part} />
  return (
    <>
      <PageHead title={title} about={about} />
      <nav class="tabs" aria-label="Parts of webhooks">
        <Tab part={undefined} now={part} name="Endpoints" />
        <Tab part="deliveries" now={part} name="Deliveries" />
        <Tab part="replays" now={part} name="Replays" />
        <Tab part="signature" now={part} name="Signature checker" />
      </nav>
      {part === undefined && <Endpoints />}
      {part === 'deliveries' && <Deliveries />}
      {part === 'replays' && <ReplayList />}
      {part === 'signature' && <SignatureChecker />}
    </>
  )
}

const Tab = ({ part, now, name }: { part: string | undefined; now: string | undefined; name: string }) => (
  <a href={part ? to('webhooks', part) : to('webhooks')} aria-current={part === now ? 'page' : undefined}>
    {name}
  </a>
)
