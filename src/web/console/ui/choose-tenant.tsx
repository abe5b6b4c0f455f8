// The choice of a tenant on pages that belong to one, and links without a tenant.
import { useEffect } from 'preact/hooks'
import { setQuery } from '../router.ts'
import { chooseTenant, me } from '../session.ts'
import { useResource } from './list.tsx'
import { Empty, Loading, Trouble } from './parts.tsx'

export const ChooseTenant = ({ title }: { title: string }) => (
  <Empty title={title}>
    <div class="tenant-choice">
      {me.value?.tenants.map(({ tenantId, name }) => (
        <button key={tenantId} type="button" class="secondary" onClick={() => chooseTenant(tenantId)}>
          {name}
        </button>
      ))}
    </div>
  </Empty>
)

/** Selects the tenant of the object at an API path, for a link that does not name it. */
export function FindTenant({ path }: { path: string }) {
  const { value, error, reload } = useResource<{ tenantId: string }>(path)
  useEffect(() => {
    if (value) setQuery({ tenant: value.tenantId })
  }, [value])
  return error ? <Trouble error={error} retry={reload} /> : <Loading />
}
