// The user's passkeys: list, add and remove.

import type { Passkey, Passkeys as PasskeyList } from '@lendloom/wire/console/passkey'
import type { SignInWays } from '@lendloom/wire/console/staff'
import { type Signal, useSignal } from '@preact/signals'
import { post, remove } from '../api.ts'
import { createPasskey, hasPasskeys } from '../passkeys.ts'
import { me } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { Loading, SmallButton, Time, Trouble } from '../ui/components.tsx'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { Field, Form, useAct, useTyped } from '../ui/form.tsx'
import { useResource } from '../ui/list.tsx'

export type OwnPasskeys = ReturnType<typeof useResource<PasskeyList>>

export function Passkeys({ passkeys: { value, error, reload } }: { passkeys: OwnPasskeys }) {
  const isAdding = useSignal(false)
  const passkeyToRemove = useSignal<Passkey | null>(null)
  const act = useAct()
  const trouble = act.problem ?? error
  const removePasskey = () => {
    const passkeyId = passkeyToRemove.value?.passkeyId
    passkeyToRemove.value = null
    act.run(() => remove(`/passkeys/${passkeyId}`), reload)
  }
  return (
    <section class="card">
      <h2>Passkeys</h2>
      <p>Sign in with the fingerprint, face or PIN of a device instead of your password and code.</p>
      {trouble ? <Trouble error={trouble} retry={reload} /> : null}
      {!value && !error && <Loading rows={1} />}
      <ul class="entry-list">
        {value?.items.map((each) => (
          <li key={each.passkeyId}>
            <span>
              <strong>{each.name}</strong>
              <span class="quiet small">
                {each.usedAt ? 'Used ' : 'Created '}
                <Time at={each.usedAt ?? each.createdAt} />
              </span>
            </span>
            <SmallButton onClick={() => assign(passkeyToRemove, each)}>
              Remove<span class="unseen"> {each.name}</span>
            </SmallButton>
          </li>
        ))}
      </ul>
      <AddButton onAdd={() => assign(isAdding, true)} />
      {isAdding.value && <AddDialog onClose={() => assign(isAdding, false)} onDone={reload} />}
      {passkeyToRemove.value && (
        <Confirm
          title={`Remove “${passkeyToRemove.value.name}”?`}
          button="Remove the passkey"
          onClose={() => assign(passkeyToRemove, null)}
          onConfirm={removePasskey}
        >
          <p>
            It can no longer sign you in, and your other sessions end. Delete it on the device too, or the device keeps
            offering it.
          </p>
        </Confirm>
      )}
    </section>
  )
}

/** Asks which passkeys the user knows; the others are removed with the change of password or second factor. */
export function KeptPasskeys({ passkeys: { value }, kept }: { passkeys: OwnPasskeys; kept: Signal<string[]> }) {
  if (!value || value.items.length === 0) return null
  const toggle = (passkeyId: string) => {
    kept.value = kept.value.includes(passkeyId)
      ? kept.value.filter((each) => each !== passkeyId)
      : [...kept.value, passkeyId]
  }
  return (
    <fieldset class="options">
      <legend>Passkeys that you know and keep</legend>
      {value.items.map(({ passkeyId, name, createdAt }) => (
        <label key={passkeyId}>
          <input type="checkbox" checked={kept.value.includes(passkeyId)} onChange={() => toggle(passkeyId)} /> {name},
          created <Time at={createdAt} />
        </label>
      ))}
      <p class="quiet small">We remove the others, because each signs in without your password and code.</p>
    </fieldset>
  )
}

function AddButton({ onAdd }: { onAdd(): void }) {
  const { value: ways } = useResource<SignInWays>('/sign-in/ways')
  if (!ways) return null
  if (hasPasskeys(ways.passkeyOrigin))
    return (
      <button type="button" class="secondary" onClick={onAdd}>
        Add a passkey
      </button>
    )
  if (ways.passkeyOrigin === null)
    return <p class="quiet small">Passkeys need a domain name, but this console is at an IP address.</p>
  if (ways.passkeyOrigin === location.origin) return <p class="quiet small">This browser does not support passkeys.</p>
  return (
    <p class="quiet small">
      To add a passkey, open the console at <a href={`${ways.passkeyOrigin}/console/account`}>{ways.passkeyOrigin}</a>.
    </p>
  )
}

function AddDialog({ onClose, onDone }: { onClose(): void; onDone(): void }) {
  const { act, bind, typed } = useTyped({ name: '', password: '', code: '' })
  const needsCode = me.value?.twoFactor ?? false
  async function submit(): Promise<void> {
    const { name, password, code } = typed
    const proof = { password, ...(needsCode && { code: code.replaceAll(' ', '') }) }
    await post('/passkeys', { name, response: await createPasskey(proof) })
    onDone()
    onClose()
  }
  return (
    <Dialog title="Add a passkey" onClose={onClose}>
      <Form act={act} onSubmit={submit} button="Continue">
        <Field label="Name" hint="A name for the device, such as “work laptop”." autoFocus required {...bind('name')} />
        <Field
          label="Password"
          hint="We ask for your current password so that no one else can add a passkey on your computer."
          type="password"
          autoComplete="current-password"
          required
          {...bind('password')}
        />
        {needsCode && (
          <Field
            label="Code"
            hint="From your authenticator app, because the passkey will replace it."
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            {...bind('code')}
          />
        )}
        <p class="quiet small">We mail you about the new passkey and end your other sessions.</p>
      </Form>
    </Dialog>
  )
}
