// Making, rolling and revoking an API key; its text is shown once.
import { useSignal } from '@preact/signals'
import type { ApplicationSeen, KeySeen, NewKeyReply } from '#contract/console/developers.ts'
import { keyScopes, longestOverlapHours } from '#contract/console/lists.ts'
import { post, remove } from '../api.ts'
import { me, ofTenant } from '../session.ts'
import { assign } from '../ui/assign.ts'
import { inIndiaAs } from '../ui/clock.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Field, Form, useForm } from '../ui/form.tsx'
import { Id } from '../ui/parts.tsx'

/** The text of a new key, for the only time. */
const Made = ({ made, onClose }: { made: NewKeyReply; onClose(): void }) => (
  <>
    <p>
      <strong>Copy it now: it is not shown again.</strong> Store it on your server only, never in an app or a page.
    </p>
    <p class="copyable">
      <Id value={made.apiKey} whole />
    </p>
    <p class="quiet">Try it:</p>
    <pre>{`curl ${location.origin}/api/lab/sessions \\\n  -H 'Authorization: Bearer ${made.apiKey}' \\\n  -H 'Content-Type: application/json' -d '{}'`}</pre>
    <div class="acts">
      <button type="button" class="primary" onClick={onClose}>
        I have copied it
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

export function NewKey({ applications, onClose, onDone }: NewKeyProps) {
  const typed = useSignal<TypedKey>({
    label: '',
    applicationId: applications[0]?.applicationId ?? '',
    days: '',
    scopes: ['sessions', 'webhooks'],
    addresses: '',
  })
  const made = useSignal<NewKeyReply | null>(null)
  const act = useForm(['label', 'scopes', 'addresses'])
  async function submit(): Promise<void> {
    const { days, addresses: lines, ...key } = typed.value
    const addresses = lines.split(/[\s,]+/).filter(Boolean)
    const body = { ...key, addresses, ...(days && { expiresInDays: Number(days) }) }
    made.value = await post<NewKeyReply>(ofTenant(`/developers/keys`), body)
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

const scopeWords: Record<(typeof keyScopes)[number], string> = {
  sessions: 'Open hosted and headless sessions, and read the journeys of your borrowers.',
  webhooks: 'Register endpoints for lifecycle updates, and read and replay their deliveries.',
  sandbox: 'Drive journeys of the sandbox and move its clock, for automated tests.',
}

interface TypedKey {
  label: string
  applicationId: string
  /** Until it ends; empty for never. */
  days: string
  scopes: string[]
  /** One to a line. */
  addresses: string
}

interface KeyFieldsProps {
  typed: TypedKey
  faults: Record<string, string>
  applications: ApplicationSeen[]
  set(change: Partial<TypedKey>): void
}

const KeyFields = ({
  typed: { label, applicationId, days, scopes, addresses },
  faults,
  applications,
  set,
}: KeyFieldsProps) => (
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
      <legend>Scopes</legend>
      {keyScopes
        .filter((each) => each !== 'sandbox' || me.value?.sandbox)
        .map((scope) => (
          <label key={scope} class="scope">
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={() => set({ scopes: toggled(scopes, scope) })}
            />
            <strong>{scope}</strong>
            <span class="hint">{scopeWords[scope]}</span>
          </label>
        ))}
    </fieldset>
    {faults.scopes && <p class="fault">Choose at least one.</p>}
    <Choice label="Expires" value={days} options={lifetimes} onValue={(value) => set({ days: value })} />
    <Field
      label="Allowed addresses"
      hint="IP addresses and networks such as 203.0.113.7 or 10.0.0.0/8, separated by commas. Any address when it is empty."
      value={addresses}
      fault={faults.addresses}
      onValue={(value) => set({ addresses: value })}
    />
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

export function Roll({ of: key, onClose, onDone }: { of: KeySeen; onClose(): void; onDone(): void }) {
  const overlap = useSignal('24')
  const made = useSignal<NewKeyReply | null>(null)
  const act = useForm([])
  async function submit(): Promise<void> {
    made.value = await post<NewKeyReply>(ofTenant(`/developers/keys/${key.keyId}/roll`), {
      overlapHours: Number(overlap.value),
    })
    onDone()
  }
  return (
    <Dialog title={made.value ? 'Your new key' : `Roll “${key.label}”`} onClose={onClose}>
      {made.value ? (
        <Made made={made.value} onClose={onClose} />
      ) : (
        <Form act={act} onSubmit={submit} button="Create the new key">
          <p>
            A new key with the same label and scopes is made. The old key keeps working until the time that you choose.
          </p>
          <Choice
            label="The old key stops working"
            value={overlap.value}
            options={overlaps}
            onValue={(value) => assign(overlap, value)}
          />
        </Form>
      )}
    </Dialog>
  )
}

export function Revoke({ of: key, onClose, onDone }: { of: KeySeen; onClose(): void; onDone(): void }) {
  const act = useForm([])
  async function submit(): Promise<void> {
    await remove(ofTenant(`/developers/keys/${key.keyId}`))
    onDone()
    onClose()
  }
  return (
    <Dialog title={`Revoke “${key.label}”?`} onClose={onClose}>
      <Form act={act} onSubmit={submit} button="Revoke the key">
        <p>
          Within seconds every request with it is refused, and it cannot be brought back.{' '}
          {key.lastUsedOn ? `It was last used on ${inIndiaAs('date', key.lastUsedOn)}.` : 'It was never used.'}
        </p>
      </Form>
    </Dialog>
  )
}
