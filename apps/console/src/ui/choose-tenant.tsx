// The choice of a tenant on pages that belong to one, and links without a tenant.
import { useEffect } from 'preact/hooks'
import { setQuery } from '../router.ts'
import { chooseTenant, lastTenantKey, me } from '../session.ts'
import { Empty, Loading, Trouble } from './components.tsx'
import { useResource } from './list.tsx'

/** `what` names what the page shows of a tenant, such as `API keys`. */
export const ChooseTenant = ({ what }: { what: string }) => (
  <Empty title="Choose a tenant">
    <p>
      {what} belong to one tenant. Choose it here or at the top of the page. The other pages then show only this tenant
      too.
    </p>
    <TenantButtons />
  </Empty>
)

/** A button for each tenant; that of the last visit comes first. */
export const TenantButtons = () => (
  <div class="tenant-choice">
    {me.value?.tenants
      .toSorted((a, b) => Number(isLastTenant(b)) - Number(isLastTenant(a)))
      .map((each) => (
        <button
          key={each.tenantId}
          type="button"
          class={isLastTenant(each) ? 'primary' : 'secondary'}
          onClick={() => chooseTenant(each.tenantId)}
        >
          {each.name}
        </button>
      ))}
  </div>
)

const isLastTenant = ({ tenantId }: { tenantId: string }): boolean => tenantId === localStorage.getItem(lastTenantKey)

/** Selects the tenant of the object at an API path, for a link that does not name it. */
export function FindTenant({ path }: { path: string }) {
  const { value, error, reload } = useResource<{ tenantId: string }>(path)
  useEffect(() => {
    if (value) setQuery({ tenant: value.tenantId })
  }, [value])
  return error ? <Trouble error={error} retry={reload} /> : <Loading />
}
