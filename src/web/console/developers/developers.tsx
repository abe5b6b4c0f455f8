// For an integrator's team: API keys, and the pages that may embed journeys.
import { useSignal } from '@preact/signals'
import { keyScopes, longestOverlapHours } from '#contract/console/developer-lists.ts'
import type { ApplicationSeen, Applications, KeySeen, Keys, NewKeyReply } from '#contract/console/developers.ts'
import { post, put, queryText, remove } from '../api.ts'
import { hasRole, isOfPlatform, me, tenantId } from '../session.ts'
import { assign } from '../ui/assign.ts'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { Choice, Field, Form, useForm } from '../ui/form.tsx'
import { useOne } from '../ui/list.tsx'
import { Badge, Empty, Id, Loading, PageHead, Time, Trouble } from '../ui/parts.tsx'

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

function OfTenant() {
  const filter = { tenantId: tenantId.value }
  const keys = useOne<Keys>('/developers/keys', filter)
  const applications = useOne<Applications>('/developers/applications', filter)
  const dialog = useSignal<{ kind: 'new' } | { kind: 'roll' | 'revoke'; key: KeySeen } | null>(null)
  const problem = useSignal<unknown>(null)
  const close = () => assign(dialog, null)
  const revoke = (key: KeySeen) => {
    close()
    remove(`/developers/keys/${key.keyId}${of()}`).then(keys.reload, (reason) => assign(problem, reason))
  }
  const error = problem.value ?? keys.error ?? applications.error
  return (
    <>
      <PageHead title="Developers" about="API keys for your servers, and the pages that may hold the hosted journey.">
        <a class="secondary" href="/docs" target="_blank" rel="noreferrer">
          API reference
        </a>
        {canManage() && (
          <button type="button" class="primary" onClick={() => assign(dialog, { kind: 'new' })}>
            Create a key
          </button>
        )}
      </PageHead>
      {error ? <Trouble error={error} retry={keys.reload} /> : null}
      <section>
        <h2>API keys</h2>
        {!keys.value && !keys.error && <Loading rows={3} />}
        {keys.value?.items.length === 0 && (
          <Empty title="No key yet">
            <p>
              A key lets your server open sessions and manage webhooks. Create one, and keep it where only your server
              reads it.
            </p>
          </Empty>
        )}
        {keys.value && keys.value.items.length > 0 && (
          <KeyTable
            keys={keys.value.items}
            applications={applications.value?.items ?? []}
            onAct={(kind, key) => assign(dialog, { kind, key })}
          />
        )}
      </section>
      <section>
        <h2>Pages that may embed journeys</h2>
        {!applications.value && !applications.error && <Loading rows={2} />}
        <div class="cards">
          {applications.value?.items.map((each) => (
            <Origins key={each.applicationId} application={each} />
          ))}
        </div>
      </section>
      {dialog.value?.kind === 'new' && applications.value && (
        <NewKey applications={applications.value.items} onClose={close} onDone={keys.reload} />
      )}
      {dialog.value?.kind === 'roll' && <Roll of={dialog.value.key} onClose={close} onDone={keys.reload} />}
      {dialog.value?.kind === 'revoke' && <Revoke of={dialog.value.key} onClose={close} onConfirm={revoke} />}
    </>
  )
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

interface KeyTableProps {
  keys: KeySeen[]
  applications: ApplicationSeen[]
  onAct(kind: 'roll' | 'revoke', key: KeySeen): void
}

function KeyTable({ keys, applications, onAct }: KeyTableProps) {
  const names = new Map(applications.map(({ applicationId, name }) => [applicationId, name]))
  return (
    <div class="table">
      <table>
        <thead>
          <tr>
            <th scope="col">Key</th>
            <th scope="col">State</th>
            <th scope="col" class="minor">
              May
            </th>
            <th scope="col" class="minor">
              Last used
            </th>
            <th scope="col" class="minor">
              Created
            </th>
            <th scope="col">
              <span class="unseen">What can be done</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <tr key={key.keyId}>
              <td>
                <strong>{key.label}</strong>
                <div class="quiet small">
                  {names.get(key.applicationId)} · <Id value={key.keyId} />
                </div>
              </td>
              <td>{stateOf(key)}</td>
              <td class="minor">{key.scopes.join(', ')}</td>
              <td class="minor">{key.lastUsedOn ?? 'Never'}</td>
              <td class="minor">
                <Time at={key.createdAt} />
              </td>
              <td class="number">
                {canManage() && !isOver(key) && (
                  <span class="acts">
                    <button type="button" class="secondary small" onClick={() => onAct('roll', key)}>
                      Roll
                    </button>
                    <button type="button" class="secondary small" onClick={() => onAct('revoke', key)}>
                      Revoke
                    </button>
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
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
  const offered = keyScopes.filter((each) => each !== 'sandbox' || me.value?.sandbox)
  const typed = useSignal({
    label: '',
    applicationId: applications[0]?.applicationId ?? '',
    days: '',
    scopes: ['sessions', 'webhooks'] as string[],
  })
  const made = useSignal<NewKeyReply | null>(null)
  const act = useForm(['label', 'scopes'])
  const set = (change: Partial<typeof typed.value>) => assign(typed, { ...typed.value, ...change })
  const { label, applicationId, days, scopes } = typed.value
  const toggle = (scope: string) =>
    set({ scopes: scopes.includes(scope) ? scopes.filter((each) => each !== scope) : [...scopes, scope] })
  async function submit(): Promise<void> {
    const body = { label, applicationId, scopes, ...(days && { expiresInDays: Number(days) }) }
    made.value = await post<NewKeyReply>(`/developers/keys${of()}`, body)
    onDone()
  }
  return (
    <Dialog title={made.value ? 'Your new key' : 'Create a key'} onClose={onClose}>
      {made.value ? (
        <Made made={made.value} onClose={onClose} />
      ) : (
        <Form act={act} onSubmit={submit} button="Create the key">
          <Field
            label="Label"
            hint="What it is for, such as “checkout server”."
            autoFocus
            required
            value={label}
            fault={act.faults.label}
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
            {offered.map((scope) => (
              <label key={scope}>
                <input type="checkbox" checked={scopes.includes(scope)} onChange={() => toggle(scope)} /> {scope}
              </label>
            ))}
          </fieldset>
          {act.faults.scopes && <p class="fault">Choose at least one.</p>}
          <Choice label="Ends" value={days} options={lifetimes} onValue={(value) => set({ days: value })} />
        </Form>
      )}
    </Dialog>
  )
}

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

const Revoke = ({ of: key, onClose, onConfirm }: { of: KeySeen; onClose(): void; onConfirm(key: KeySeen): void }) => (
  <Confirm title={`Revoke “${key.label}”?`} button="Revoke the key" onClose={onClose} onConfirm={() => onConfirm(key)}>
    <p>
      Within seconds every request with it is refused, and it cannot be brought back.{' '}
      {key.lastUsedOn ? `It was last used on ${key.lastUsedOn}.` : 'It was never used.'}
    </p>
  </Confirm>
)

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
