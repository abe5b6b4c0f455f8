// The list of API keys, with dialogs to create, roll and revoke keys.

import type { Applications, ApplicationView, Keys, KeyView } from '@lendloom/wire/console/developers'
import type { Requests as RequestList } from '@lendloom/wire/console/request-log'
import { useSignal } from '@preact/signals'
import { to, withQuery } from '../router.ts'
import { tenantId } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { now } from '../ui/clock.ts'
import { Badge, Breaking, Copyable, Day, Empty, Id, Loading, SmallButton, Time, Trouble } from '../ui/components.tsx'
import { useOpening } from '../ui/dialog-url.ts'
import { type Column, Rows, useResource } from '../ui/list.tsx'
import { canManage, keyVariable } from './access.ts'
import { NewKey, Revoke, Roll } from './key-dialogs.tsx'

type KeyDialog = { kind: 'new' } | { kind: KeyAct; key: KeyView }

export function KeysPart() {
  const filter = { tenantId: tenantId.value }
  const keys = useResource<Keys>('/developers/keys', filter)
  const applications = useResource<Applications>('/developers/applications', filter)
  const dialog = useSignal<KeyDialog | null>(null)
  useOpening('new-key', () => canManage() && assign(dialog, { kind: 'new' }))
  const error = keys.error ?? applications.error
  return (
    <>
      {canManage() && (
        <div class="acts above">
          <button type="button" class="primary" onClick={() => assign(dialog, { kind: 'new' })}>
            Create a key
          </button>
        </div>
      )}
      {error ? <Trouble error={error} retry={keys.reload} /> : null}
      <KeyList
        keys={keys.value?.items ?? null}
        applications={applications.value?.items ?? []}
        onAct={(kind, key) => assign(dialog, { kind, key })}
      />
      {keys.value && <UseKey keys={keys.value.items.filter((each) => !isOver(each))} />}
      {dialog.value && applications.value && (
        <ChosenDialog
          dialog={dialog.value}
          applications={applications.value.items}
          onClose={() => assign(dialog, null)}
          onDone={keys.reload}
        />
      )}
    </>
  )
}

interface KeyListProps {
  keys: KeyView[] | null
  applications: ApplicationView[]
  onAct(kind: KeyAct, key: KeyView): void
}

function KeyList({ keys, applications, onAct }: KeyListProps) {
  if (!keys) return <Loading rows={3} />
  if (keys.length > 0)
    return (
      <Rows
        label="API keys"
        items={keys}
        keyOf={({ keyId }) => keyId}
        columns={keyColumns(keys, applications, onAct)}
      />
    )
  return (
    <Empty title="No keys yet">
      <p>
        A key lets your server open sessions and manage webhooks. Create one, and store it where only your server can
        read it.
      </p>
    </Empty>
  )
}

/** How to call the API with the newest key, and the last request with any key. */
function UseKey({ keys: [newest] }: { keys: KeyView[] }) {
  const requests = useResource<RequestList>('/developers/requests', { tenantId: tenantId.value, limit: '1' })
  const last = requests.value?.items[0]
  const call = newest?.scopes.includes('webhooks')
    ? `curl ${location.origin}/api/lab/webhook-endpoints -H "authorization: Bearer $${keyVariable}"`
    : null
  return (
    <section class="card use-key">
      <h2>Use a key</h2>
      <dl class="facts">
        <div>
          <dt>Base URL</dt>
          <dd>
            <Id value={location.origin} whole />
          </dd>
        </div>
        <div>
          <dt>Last request</dt>
          <dd>
            {last ? (
              <a href={to('developers', 'requests', last.requestId)}>
                {last.method} <Breaking text={last.route} />: {last.status}, <Time at={last.at} />
              </a>
            ) : (
              requests.value && 'None in the last 30 days'
            )}
          </dd>
        </div>
      </dl>
      {newest && call && (
        <>
          <p>
            Try it, with the key “{newest.label}” in <code>{keyVariable}</code>:
          </p>
          <Copyable text={call} />
        </>
      )}
    </section>
  )
}

interface KeyDialogProps {
  dialog: KeyDialog
  applications: ApplicationView[]
  onClose(): void
  onDone(): void
}

function ChosenDialog({ dialog, applications, onClose, onDone }: KeyDialogProps) {
  if (dialog.kind === 'new') return <NewKey applications={applications} onClose={onClose} onDone={onDone} />
  if (dialog.kind === 'roll') return <Roll keyView={dialog.key} onClose={onClose} onDone={onDone} />
  return <Revoke keyView={dialog.key} onClose={onClose} onDone={onDone} />
}

function stateOf({ revokedAt, expiresAt }: KeyView) {
  if (revokedAt) return <Badge tone="bad">Revoked</Badge>
  if (!expiresAt) return <Badge tone="good">Active</Badge>
  return Date.parse(expiresAt) <= now() ? (
    <Badge tone="plain">Expired</Badge>
  ) : (
    <Badge tone="warn">
      Ends <Time at={expiresAt} />
    </Badge>
  )
}
const isOver = ({ revokedAt, expiresAt }: KeyView): boolean =>
  revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= now())

type KeyAct = 'roll' | 'revoke'

/** The log of the requests with a key. */
const requestsOf = (keyId: string): string =>
  withQuery(to('developers', 'requests'), `key=${encodeURIComponent(keyId)}`)

/** Whether a later key has the name of a key that ends, because it replaces it. */
const isReplaced = ({ keyId, label, applicationId, createdAt, expiresAt }: KeyView, keys: KeyView[]): boolean =>
  expiresAt !== null &&
  keys.some(
    (each) =>
      each.keyId !== keyId &&
      each.label === label &&
      each.applicationId === applicationId &&
      each.createdAt > createdAt,
  )

function keyColumns(
  keys: KeyView[],
  applications: ApplicationView[],
  onAct: (kind: KeyAct, key: KeyView) => void,
): Column<KeyView>[] {
  const names = new Map(applications.map(({ applicationId, name }) => [applicationId, name]))
  return [
    {
      head: 'Key',
      cell: (key) => (
        <>
          <strong>{key.label}</strong>
          {isReplaced(key, keys) && <span class="quiet"> (replaced)</span>}
          <span class="quiet small block">{names.get(key.applicationId)}</span>
          <span class="quiet small block">
            <Id value={key.keyId} />
          </span>
        </>
      ),
    },
    { head: 'State', isState: true, cell: stateOf },
    { head: 'Scopes', isMinor: true, cell: ({ scopes }) => scopes.join(', ') },
    { head: 'Allowed addresses', isMinor: true, cell: ({ addresses }) => addresses.join(', ') || 'Any' },
    {
      head: 'Last used',
      isMinor: true,
      cell: ({ keyId, lastUsedOn }) =>
        lastUsedOn ? (
          <a href={requestsOf(keyId)}>
            <Day on={lastUsedOn} />
          </a>
        ) : (
          'Never'
        ),
    },
    { head: 'Created', isMinor: true, cell: ({ createdAt }) => <Day on={createdAt} /> },
    {
      head: '',
      isNumber: true,
      cell: (key) =>
        canManage() &&
        !isOver(key) && (
          <span class="row-acts">
            <SmallButton onClick={() => onAct('roll', key)}>Replace</SmallButton>
            <SmallButton isDanger onClick={() => onAct('revoke', key)}>
              Revoke
            </SmallButton>
          </span>
        ),
    },
  ]
}
