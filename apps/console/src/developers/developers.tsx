// The developers area: keys, embedding, appearance, API requests, and the sandbox.
import type { Applications } from '@lendloom/wire/console/developers'
import type { AreaProps } from '../area.ts'
import { me, tenantId } from '../session.ts'
import { ChooseTenant } from '../ui/choose-tenant.tsx'
import { Loading, PageHead, Trouble } from '../ui/components.tsx'
import { useResource } from '../ui/list.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { KeysPart } from './api-keys.tsx'
import { RequestPage } from './api-request.tsx'
import { RequestList } from './api-requests.tsx'
import { Appearance } from './appearance.tsx'
import { EmbedChecker } from './embed-checker.tsx'
import { Origins } from './embed-origins.tsx'
import { Sandbox } from './sandbox.tsx'

const title = 'Developers'
const about = 'API keys, embedding, and every API request.'

export function Developers({ rest: [part, id] }: AreaProps) {
  if (tenantId.value === '')
    return (
      <>
        <PageHead title={title} about={about} />
        <ChooseTenant what="API keys, requests and the appearance of journeys" />
      </>
    )
  if (part === 'requests' && id) return <RequestPage key={id} requestId={id} />
  return (
    <div key={tenantId.value}>
      <PageHead title={title} about={about}>
        <a class="secondary" href="/docs/guide/" target="_blank" rel="noreferrer">
          Guides
        </a>
        <a class="secondary" href="/docs" target="_blank" rel="noreferrer">
          API reference
        </a>
      </PageHead>
      <Tabs
        path={['developers']}
        label="Parts for developers"
        parts={me.value?.sandbox ? [...parts, sandboxPart] : parts}
        now={part}
      />
      {part === undefined && <KeysPart />}
      {part === 'requests' && <RequestList />}
      {part === 'embedding' && <Embedding />}
      {part === 'appearance' && <Appearance />}
      {part === 'sandbox' && <Sandbox />}
    </div>
  )
}

const parts = [
  [undefined, 'Keys'],
  ['requests', 'Requests'],
  ['embedding', 'Embedding'],
  ['appearance', 'Appearance'],
] as const
const sandboxPart = ['sandbox', 'Sandbox'] as const

function Embedding() {
  const { value, error, reload } = useResource<Applications>('/developers/applications', { tenantId: tenantId.value })
  if (error && !value) return <Trouble error={error} retry={reload} />
  if (!value) return <Loading rows={3} />
  return (
    <div class="embedding">
      {value.items.map((each) => (
        <div key={each.applicationId} class="application">
          <Origins application={each} />
          <EmbedChecker application={each} />
        </div>
      ))}
    </div>
  )
}
