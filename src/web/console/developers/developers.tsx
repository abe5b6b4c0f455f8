// For an integrator's team: API keys, and the pages that may embed journeys.
import { useSignal } from '@preact/signals'
import { keyScopes, longestOverlapHours } from '#contract/console/developer-lists.ts'
import type { ApplicationSeen, Applications, KeySeen, Keys, NewKeyReply } from '#contract/console/developers.ts'
import { post, put, queryText, remove } from '../api.ts'
import { hasRole, isOfPlatform, me, tenantId } from '../session.ts'
import { assign } from '../ui/assign.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Field, Form, useForm } from '../ui/form.tsx'
import { type Column, Rows, useOne } from '../ui/list.tsx'
import { Badge, Empty, Id, Loading, PageHead, Small, Time, Trouble } from '../ui/parts.tsx'

const of = (): string => queryText({ tenantId: isOfPlatform.value ? tenantId.value : '' })
const canManage = (): boolean => hasRole('developer', 'admin')

export function Developers() {
  if (tenantId.value === '')
    return (
      <>
        <PageHead title="Developers" />
        <Empty title="Choose a tenant">
          <p>Keys and origins belong to one tenant: choose it at the top of the page.</p>
        </Empty>
      </>
    )
  return <OfTenant key={tenantId.value} />
}

type Shown = { kind: 'new' } | { kind: Act; key: KeySeen }

function OfTenant() {
  const filter = { tenantId: tenantId.value }
  const keys = useOne<Keys>('/developers/keys', filter)
  const applications = useOne<Applications>('/developers/applications', filter)
  const shown = useSignal<Shown | null>(null)
  const error = keys.error ?? applications.error
  return (
    <>
      <PageHead title="Developers" about="API keys for your servers, and the pages that may hold the hosted journey.">
        <a class="secondary" href="/docs" target="_blank" rel="noreferrer">
          API reference
        </a>
        {canManage() && (
          <button type="button" class="primary" onClick={() => assign(shown, { kind: 'new' })}>
            Create a key
          </button>
        )}
      </PageHead>
      {error ? <Trouble error={error} retry={keys.reload} /> : null}
      <section>
        <h2>API keys</h2>
        <KeyList
          keys={keys.value?.items ?? null}
          applications={applications.value?.items ?? []}
          onAct={(kind, key) => assign(shown, { kind, key })}
        />
      </section>
      <section>
        <h2>Pages that may embed journeys</h2>
        <div class="cards">
          {applications.value?.items.map((each) => (
            <Origins key={each.applicationId} application={each} />
          ))}
        </div>
      </section>
      {shown.value && applications.value && (
        <Shown
          shown={shown.value}
          applications={applications.value.items}
          onClose={() => assign(shown, null)}
          onDone={keys.reload}
        />
      )}
    </>
  )
}

interface KeyListProps {
  keys: KeySeen[] | null
  applications: ApplicationSeen[]
  onAct(kind: Act, key: KeySeen): void
}

function KeyList({ keys, applications, onAct }: KeyListProps) {
  if (!keys) return <Loading rows={3} />
  if (keys.length > 0)
    return <Rows label="API keys" items={keys} keyOf={({ keyId }) => keyId} columns={keyColumns(applications, onAct)} />
  return (
    <Empty title="No key yet">
      <p>
        A key lets your server open sessions and manage webhooks. Create one, and keep it where only your server reads
        it.
      </p>
    </Empty>
  )
}

interface ShownProps {
  shown: Shown
  applications: ApplicationSeen[]
  onClose(): void
  onDone(): void
}

function Shown({ shown, applications, onClose, onDone }: ShownProps) {
  if (shown.kind === 'new') return <NewKey applications={applications} onClose={onClose} onDone={onDone} />
  if (shown.kind === 'roll') return <Roll of={shown.key} onClose={onClose} onDone={onDone} />
  return <Revoke of={shown.key} onClose={onClose} onDone={onDone} />
}

function stateOf({ revokedAt, expiresAt }: KeySeen) {
  if (revokedAt) return <Badge tone="bad">Revoked</Badge>
  if (!expiresAt) return <Badge tone="good">Active</Badge>
  return Date.parse(expiresAt) <= Date.now() ? (
    <Badge tone="plain">Expired</Badge>
  ) : (
    <Badge tone="warn">
      Ends <Time at={expiresAt} />
    </Badge>
  )
}
const isOver = ({ revokedAt, expiresAt }: KeySeen): boolean =>
  revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now())

type Act = 'roll' | 'revoke'

function keyColumns(applications: ApplicationSeen[], onAct: (kind: Act, key: KeySeen) => void): Column<KeySeen>[] {
  const names = new Map(applications.map(({ applicationId, name }) => [applicationId, name]))
  return [
    {
      head: 'Key',
      cell: ({ label, applicationId, keyId }) => (
        <>
          <strong>{label}</strong>
          <div class="quiet small">
            {names.get(applicationId)} · <Id value={keyId} />
          </div>
        </>
      ),
    },
    { head: 'State', cell: stateOf },
    { head: 'May', isMinor: true, cell: ({ scopes }) => scopes.join(', ') },
    { head: 'Last used', isMinor: true, cell: ({ lastUsedOn }) => lastUsedOn ?? 'Never' },
    { head: 'Created', isMinor: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      head: '',
      isNumber: true,
      cell: (key) =>
        canManage() &&
        !isOver(key) && (
          <span class="acts">
            <Small onClick={() => onAct('roll', key)}>Roll</Small>
            <Small onClick={() => onAct('revoke', key)}>Revoke</Small>
          </span>
        ),
    },
  ]
}

/** The text of a new key, for the only time. */
const Made = ({ made, onClose }: { made: NewKeyReply; onClose(): void }) => (
  <>
    <p>
      <strong>Copy it now: it is not shown again.</strong> Keep it on your server alone, never in an app or a page.
    </p>
    <p class="copyable">
      <Id value={made.apiKey} whole />
    </p>
    <p class="quiet">Try it:</p>
    <pre>{`curl ${location.origin}/api/lab/sessions \\\n  -H 'Authorization: Bearer ${made.apiKey}' \\\n  -H 'Content-Type: application/json' -d '{}'`}</pre>
    <div class="acts">
      <button type="button" class="primary" onClick={onClose}>
        I have it
      </button>
    </div>
  </>
)

const lifetimes = [
  ['', 'Never'],
  ['30', 'After 30 days'],
  ['90', 'After 90 days'],
  ['365', 'After a year'],
] as const

interface NewKeyProps {
  applications: ApplicationSeen[]
  onClose(): void
  onDone(): void
}

function NewKey({ applications, onClose, onDone }: NewKeyProps) {
  const typed = useSignal<TypedKey>({
    label: '',
    applicationId: applications[0]?.applicationId ?? '',
    days: '',
    scopes: ['sessions', 'webhooks'],
  })
  const made = useSignal<NewKeyReply | null>(null)
  const act = useForm(['label', 'scopes'])
  async function submit(): Promise<void> {
    const { days, ...key } = typed.value
    const body = { ...key, ...(days && { expiresInDays: Number(days) }) }
    made.value = await post<NewKeyReply>(`/developers/keys${of()}`, body)
    onDone()
  }
  return (
    <Dialog title={made.value ? 'Your new key' : 'Create a key'} onClose={onClose}>
      {made.value ? (
        <Made made={made.value} onClose={onClose} />
      ) : (
        <Form act={act} onSubmit={submit} button="Create the key">
          <KeyFields
            typed={typed.value}
            faults={act.faults}
            applications={applications}
            set={(change) => assign(typed, { ...typed.value, ...change })}
          />
        </Form>
      )}
    </Dialog>
  )
}

interface TypedKey {
  label: string
  applicationId: string
  /** Until it ends; empty for never. */
  days: string
  scopes: string[]
}

interface KeyFieldsProps {
  typed: TypedKey
  faults: Record<string, string>
  applications: ApplicationSeen[]
  set(change: Partial<TypedKey>): void
}

const KeyFields = ({ typed: { label, applicationId, days, scopes }, faults, applications, set }: KeyFieldsProps) => (
  <>
    <Field
      label="Label"
      hint="What it is for, such as “checkout server”."
      autoFocus
      required
      value={label}
      fault={faults.label}
      onValue={(value) => set({ label: value })}
    />
    <Choice
      label="Application"
      value={applicationId}
      options={applications.map((each) => [each.applicationId, each.name] as const)}
      onValue={(value) => set({ applicationId: value })}
    />
    <fieldset class="options">
      <legend>What it may do</legend>
      {keyScopes
        .filter((each) => each !== 'sandbox' || me.value?.sandbox)
        .map((scope) => (
          <label key={scope}>
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={() => set({ scopes: toggled(scopes, scope) })}
            />{' '}
            {scope}
          </label>
        ))}
    </fieldset>
    {faults.scopes && <p class="fault">Choose at least one.</p>}
    <Choice label="Ends" value={days} options={lifetimes} onValue={(value) => set({ days: value })} />
  </>
)

const toggled = (all: string[], one: string): string[] =>
  all.includes(one) ? all.filter((each) => each !== one) : [...all, one]

const overlaps = [
  ['0', 'At once'],
  ['1', 'In an hour'],
  ['24', 'In a day'],
  [String(longestOverlapHours), 'In a week'],
] as const

function Roll({ of: key, onClose, onDone }: { of: KeySeen; onClose(): void; onDone(): void }) {
  const overlap = useSignal('24')
  const made = useSignal<NewKeyReply | null>(null)
  const act = useForm([])
  async function submit(): Promise<void> {
    made.value = await post<NewKeyReply>(`/developers/keys/${key.keyId}/roll${of()}`, {
      overlapHours: Number(overlap.value),
    })
    onDone()
  }
  return (
    <Dialog title={made.value ? 'Your new key' : `Roll “${key.label}”`} onClose={onClose}>
      {made.value ? (
        <Made made={made.value} onClose={onClose} />
      ) : (
        <Form act={act} onSubmit={submit} button="Make the new key">
          <p>
            A new key with the same label and scopes is made. The former one goes on working until your servers have
            taken up the new one.
          </p>
          <Choice
            label="The former key ends"
            value={overlap.value}
            options={overlaps}
            onValue={(value) => assign(overlap, value)}
          />
        </Form>
      )}
    </Dialog>
  )
}

function Revoke({ of: key, onClose, onDone }: { of: KeySeen; onClose(): void; onDone(): void }) {
  const act = useForm([])
  async function submit(): Promise<void> {
    await remove(`/developers/keys/${key.keyId}${of()}`)
    onDone()
    onClose()
  }
  return (
    <Dialog title={`Revoke “${key.label}”?`} onClose={onClose}>
      <Form act={act} onSubmit={submit} button="Revoke the key">
        <p>
          Within seconds every request with it is refused, and it cannot be brought back.{' '}
          {key.lastUsedOn ? `It was last used on ${key.lastUsedOn}.` : 'It was never used.'}
        </p>
      </Form>
    </Dialog>
  )
}

function Origins({ application: { applicationId, name, origins } }: { application: ApplicationSeen }) {
  const text = useSignal(origins.join('\n'))
  const isDone = useSignal(false)
  const act = useForm(['origin', 'origins'])
  async function submit(): Promise<void> {
    const lines = text.value.split(/\s+/).filter(Boolean)
    await put(`/developers/applications/${applicationId}/origins${of()}`, { origins: lines })
    isDone.value = true
  }
  const fault = act.faults.origin ?? act.faults.origins
  return (
    <div class="card">
      <h3>{name}</h3>
      <Form act={act} onSubmit={submit} button="Save the origins">
        <div class="field">
          <label htmlFor={applicationId}>Origins, one on each line</label>
          <p class="hint">Such as https://app.example: no path and no wildcard.</p>
          <textarea
            id={applicationId}
            rows={4}
            readOnly={!canManage()}
            aria-invalid={fault ? true : undefined}
            value={text.value}
            onInput={(event) => {
              text.value = event.currentTarget.value
              isDone.value = false
            }}
          />
          {fault && <p class="fault">An origin {fault}</p>}
        </div>
      </Form>
      <p role="status" class="good-words">
        {isDone.value && 'Saved. Pages of other origins can no longer hold the journey.'}
      </p>
    </div>
  )
}
