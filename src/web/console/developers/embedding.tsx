// The pages that may embed journeys: of each application, as the team says.
import type { Applications } from '#contract/console/developers.ts'
import { tenantId } from '../session.ts'
import { useOne } from '../ui/list.tsx'
import { Loading, Trouble } from '../ui/parts.tsx'
import { EmbedChecker } from './embed-checker.tsx'
import { Origins } from './origins.tsx'

export function Embedding() {
  const { value, error, reload } = useOne<Applications>('/developers/applications', { tenantId: tenantId.value })
  if (error && !value) return <Trouble error={error} retry={reload} />
  if (!value) return <Loading rows={3} />
  return (
    <div class="cards">
      {value.items.map((each) => (
        <div key={each.applicationId} class="card">
          <Origins application={each} />
          <EmbedChecker application={each} />
        </div>
      ))}
    </div>
  )
}
