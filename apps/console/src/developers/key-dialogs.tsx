// Dialogs to create, roll and revoke an API key. A new key is shown once.

import type { ApplicationView, KeyView, NewKeyReply } from '@lendloom/wire/console/developers'
import { keyScopes, maxOverlapHours } from '@lendloom/wire/console/lists'
import { useSignal } from '@preact/signals'
import { post, remove } from '../api.ts'
import { me, ofTenant } from '../session.ts'
import { inIndiaAs } from '../ui/clock.ts'
import { Copyable } from '../ui/components.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Choice, Field, Form, type TypedFields, useForm, useTyped } from '../ui/form.tsx'

/** How long the console gives a new key to the reference that it opened, if that is reloaded. */
const keyOfferMs = 3_600_000

/** Opens the API reference, which asks its opener for the key, so that the key is in no URL and no storage. */
function openReference(apiKey: string): void {
  const page = open('/docs')
  if (!page) return
  const ending = new AbortController()
  const forgetAt = Date.now() + keyOfferMs
  const timer = setInterval(() => {
    if (!page.closed && Date.now() < forgetAt) return
    clearInterval(timer)
    ending.abort()
  }, 1000)
  const sendKey = ({ origin, source }: MessageEvent) => {
    if (source === page && origin === location.origin) page.postMessage({ apiKey }, origin)
  }
  addEventListener('message', sendKey, { signal: ending.signal })
}

const NewKeyNotice = ({ newKey, onClose }: { newKey: NewKeyReply; onClose(): void }) => (
  <>
    <p>
      <strong>Copy it now: we show it only once.</strong> Store it on your server only, never in an app or a page.
    </p>
    <Copyable text={newKey.apiKey} />
    <div class="acts">
      <button type="button" class="secondary" onClick={() => openReference(newKey.apiKey)}>
        Try it in the API reference
      </button>
      <button type="button" class="primary" onClick={onClose}>
        I have copied it
      </button>
    </div>
  </>
)

const lifetimes = [
  ['', 'Never'],
  ['1', 'After a day'],
  ['30', 'After 30 days'],
  ['90', 'After 90 days'],
  ['365', 'After a year'],
] as const

interface NewKeyProps {
  applications: ApplicationView[]
  onClose(): void
  onDone(): void
}

export function NewKey({ applications, onClose, onDone }: NewKeyProps) {
  const typing = useTyped(emptyKey(applications))
  const newKey = useSignal<NewKeyReply | null>(null)
  async function submit(): Promise<void> {
    const { days, addresses: lines, ...key } = typing.typed
    const addresses = lines.split(/[\s,]+/).filter(Boolean)
    const body = { ...key, addresses, ...(days && { expiresInDays: Number(days) }) }
    newKey.value = await post<NewKeyReply>(ofTenant(`/developers/keys`), body)
    onDone()
  }
  return (
    <Dialog title={newKey.value ? 'Your new key' : 'Create a key'} onClose={onClose}>
      {newKey.value ? (
        <NewKeyNotice newKey={newKey.value} onClose={onClose} />
      ) : (
        <Form act={typing.act} onSubmit={submit} button="Create the key">
          <KeyFields typing={typing} applications={applications} />
        </Form>
      )}
    </Dialog>
  )
}

const scopeWords: Record<(typeof keyScopes)[number], string> = {
  sessions: 'Open hosted and headless sessions, and read your borrowers’ journeys.',
  webhooks: 'Register endpoints for lifecycle updates, and read and replay their deliveries.',
  sandbox: 'Run sandbox journeys and move the sandbox clock, for automated tests.',
}

/** The empty form. `days`: lifetime of the key, empty if unlimited. `addresses`: separated by commas or blanks. */
const emptyKey = ([first]: ApplicationView[]) => ({
  label: '',
  applicationId: first?.applicationId ?? '',
  days: '',
  addresses: '',
  scopes: ['sessions', 'webhooks'],
})

interface KeyFieldsProps {
  typing: TypedFields<ReturnType<typeof emptyKey>>
  applications: ApplicationView[]
}

const KeyFields = ({ typing: { act, bind, set, typed }, applications }: KeyFieldsProps) => (
  <>
    <Field label="Label" hint="What the key is for, such as “checkout server”." autoFocus required {...bind('label')} />
    <Choice
      label="Application"
      options={applications.map((each) => [each.applicationId, each.name] as const)}
      {...bind('applicationId')}
    />
    <fieldset class="options">
      <legend>Scopes</legend>
      {keyScopes
        .filter((each) => each !== 'sandbox' || me.value?.sandbox)
        .map((scope) => (
          <label key={scope} class="scope">
            <input
              type="checkbox"
              checked={typed.scopes.includes(scope)}
              onChange={() => set({ scopes: toggle(typed.scopes, scope) })}
            />
            <strong>{scope}</strong>
            <span class="hint">{scopeWords[scope]}</span>
          </label>
        ))}
    </fieldset>
    {act.faults.scopes && <p class="fault">Choose at least one scope.</p>}
    <Choice label="Expires" options={lifetimes} {...bind('days')} />
    <Field
      label="Allowed addresses"
      hint="IP addresses and networks such as 203.0.113.7 or 10.0.0.0/8, separated by commas. Leave empty to allow any address."
      {...bind('addresses')}
    />
  </>
)

const toggle = (scopes: string[], scope: string): string[] =>
  scopes.includes(scope) ? scopes.filter((each) => each !== scope) : [...scopes, scope]

const overlaps = [
  ['0', 'At once'],
  ['1', 'In an hour'],
  ['24', 'In a day'],
  [String(maxOverlapHours), 'In a week'],
] as const

/** Replaces a key by a new one. */
export function Roll({ keyView, onClose, onDone }: { keyView: KeyView; onClose(): void; onDone(): void }) {
  const { act, bind, typed } = useTyped({ overlap: '24' })
  const newKey = useSignal<NewKeyReply | null>(null)
  async function submit(): Promise<void> {
    newKey.value = await post<NewKeyReply>(ofTenant(`/developers/keys/${keyView.keyId}/roll`), {
      overlapHours: Number(typed.overlap),
    })
    onDone()
  }
  return (
    <Dialog title={newKey.value ? 'Your new key' : `Replace “${keyView.label}”`} onClose={onClose}>
      {newKey.value ? (
        <NewKeyNotice newKey={newKey.value} onClose={onClose} />
      ) : (
        <Form act={act} onSubmit={submit} button="Create the new key">
          <p>
            We create a new key with the same label and scopes. The old key keeps working until the time you choose.
          </p>
          <Choice label="The old key stops working" options={overlaps} {...bind('overlap')} />
        </Form>
      )}
    </Dialog>
  )
}

export function Revoke({ keyView, onClose, onDone }: { keyView: KeyView; onClose(): void; onDone(): void }) {
  const act = useForm([])
  async function submit(): Promise<void> {
    await remove(ofTenant(`/developers/keys/${keyView.keyId}`))
    onDone()
    onClose()
  }
  return (
    <Dialog title={`Revoke “${keyView.label}”?`} onClose={onClose}>
      <Form act={act} onSubmit={submit} button="Revoke the key">
        <p>
          Within seconds, we reject every request with this key, and end the headless sessions that it opened. You
          cannot undo this.{' '}
          {keyView.lastUsedOn ? `It was last used on ${inIndiaAs('date', keyView.lastUsedOn)}.` : 'It was never used.'}
        </p>
      </Form>
    </Dialog>
  )
}
