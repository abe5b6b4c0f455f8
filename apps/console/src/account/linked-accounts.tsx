// The user's linked accounts at the OpenID provider.
import type { LinkedAccounts as LinkedList, SignInWays } from '@lendloom/wire/console/staff'
import { remove } from '../api.ts'
import { SmallButton, Time, Trouble } from '../ui/components.tsx'
import { useAct } from '../ui/form.tsx'
import { useResource } from '../ui/list.tsx'

export function LinkedAccounts() {
  const { value, error, reload } = useResource<LinkedList>('/linked-accounts')
  const { value: ways } = useResource<SignInWays>('/sign-in/ways')
  const act = useAct()
  const trouble = act.problem ?? error
  if (!value || !ways || (ways.openId === null && value.items.length === 0))
    return error ? <Trouble error={error} retry={reload} /> : null
  return (
    <section class="card">
      <h2>Linked accounts</h2>
      {trouble ? <Trouble error={trouble} retry={reload} /> : null}
      {value.items.length === 0 && (
        <p>
          No linked accounts yet. The next time you sign in, choose “Sign in with {ways.openId}” to link the account
          with your email address.
        </p>
      )}
      <ul class="entry-list">
        {value.items.map(({ linkId, issuer, usedAt }) => (
          <li key={linkId}>
            <span>
              <strong>{ways.openId ?? new URL(issuer).host}</strong>
              <span class="quiet small">
                {issuer} · used <Time at={usedAt} />
              </span>
            </span>
            <SmallButton onClick={() => act.run(() => remove(`/linked-accounts/${linkId}`), reload)}>
              Unlink
            </SmallButton>
          </li>
        ))}
      </ul>
    </section>
  )
}
